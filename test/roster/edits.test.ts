// What other programs and users do to S1, S2 and the queues, in a real tmux: no agent is forgotten, and none is
// guessed.

import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { type TestHome, testHome } from "../home.js";
import { killServer } from "../teams/fleets.js";

const [po, dev, other] = [
  "15533422-8bdb-5079-8420-efcdb81dd2e5",
  "b63de03a-6d49-5f14-9be3-0aac60a859ed",
  "0c1f4f6a-4c1d-4a8e-9a55-7d2f6c1b2a33",
];

interface Agent {
  agent: string | null;
  pane: string | null;
  role: string | null;
  uuid: string | null;
  standing: string | null;
  queued: number;
}

const agents = (home: TestHome) =>
  json<{ teams: { agents: Agent[] }[] }>(home, ["status"])
    .teams.flatMap((team) => team.agents)
    .filter(({ agent }) => agent !== null);
const file = (home: TestHome, name: string) => join(home.config, name);
const read = (home: TestHome, name: string) => readFileSync(file(home, name), "utf8");
const roles = "hivemind.roles.env";
const sessions = "hivemind.sessions.env";
const now = () => Math.floor(Date.now() / 1000);

/** `po` and `dev` in two of three panes, and `ci` of a team that is not running. */
function settled(): TestHome {
  const home = testHome();
  tmuxTeam(home, "web", 3);
  tmuxTeam(home, "ops", 1);
  hivemind(home, ["registry", "set", "web:0.0", "po", po]);
  hivemind(home, ["registry", "set", "web:0.1", "dev", dev]);
  hivemind(home, ["registry", "set", "ops:0.0", "ci"]);
  for (const role of ["po", "dev", "ci"]) hivemind(home, ["queue", "append", role, `for ${role}`]);
  home.tmux("kill-session", "-t", "=ops");
  hivemind(home, ["registry", "refresh"]);
  return home;
}

const line = ({ role, pane, standing, uuid, queued }: Agent) =>
  `${role} ${pane} ${standing} ${uuid?.slice(0, 2) ?? "-"} ${queued}`;
const asBefore = ["po web:0.0 present 15 1", "dev web:0.1 present b6 1", "ci ops:0.0 away - 1"];
const [poRow, devRow, ciRow] = asBefore as [string, string, string];

test.each<[string, (home: TestHome) => void, string[], RegExp?]>([
  [
    "a row for a pane without an agent",
    (home) => appendFileSync(file(home, roles), "web:0.2|qa\n"),
    [...asBefore, "qa web:0.2 present - 0"],
  ],
  [
    "a row with its session",
    (home) => {
      appendFileSync(file(home, roles), `web:0.2|qa|${now()}\n`);
      appendFileSync(file(home, sessions), `web:0.2|${other}\n`);
    },
    [...asBefore, "qa web:0.2 present 0c 0"],
  ],
  [
    "a row older than the tmux session",
    (home) => appendFileSync(file(home, roles), "web:0.2|qa|1700000000\n"),
    [...asBefore, "qa web:0.2 away - 0"],
  ],
  [
    "a row for a missing pane",
    (home) => appendFileSync(file(home, roles), "web:7.0|qa\n"),
    [...asBefore, "qa web:7.0 away - 0"],
  ],
  [
    "a row for a team that is not running",
    (home) => appendFileSync(file(home, roles), "lab:0.0|qa\n"),
    [...asBefore, "qa lab:0.0 away - 0"],
  ],
  [
    "another role",
    (home) => writeFileSync(file(home, roles), read(home, roles).replace("|po|", "|lead|")),
    ["lead web:0.0 present 15 1", devRow, ciRow],
  ],
  [
    "another role for an away agent",
    (home) => writeFileSync(file(home, roles), read(home, roles).replace("|ci|", "|cd|")),
    [poRow, devRow, "cd ops:0.0 away - 1"],
  ],
  [
    "a second row for one pane: the last counts",
    (home) => appendFileSync(file(home, roles), "web:0.0|lead\n"),
    ["lead web:0.0 present 15 1", devRow, ciRow],
  ],
  [
    "a role that the team already has",
    (home) => appendFileSync(file(home, roles), "web:0.2|po\n"),
    asBefore,
    /ignored the row of web:0\.2: web:0\.0 already has the role po/,
  ],
  [
    "a session for an away agent",
    (home) => appendFileSync(file(home, sessions), `ops:0.0|${other}\n`),
    [poRow, devRow, "ci ops:0.0 away 0c 1"],
  ],
  [
    "the session of another agent",
    (home) => appendFileSync(file(home, sessions), `ops:0.0|${po}\n`),
    asBefore,
    /ignored the row of ops:0\.0: po has session 15533422/,
  ],
  [
    "a removed row",
    (home) => writeFileSync(file(home, roles), read(home, roles).replace(/^.*\|po\|.*\n/m, "")),
    asBefore,
  ],
  ["an empty file", (home) => writeFileSync(file(home, roles), ""), asBefore],
  ["a missing file", (home) => rmSync(file(home, roles)), asBefore],
  [
    "both files missing",
    (home) => {
      rmSync(file(home, roles));
      rmSync(file(home, sessions));
    },
    asBefore,
  ],
  [
    "another order, carriage returns and no last line end",
    (home) => {
      const lines = read(home, roles).trimEnd().split("\n").reverse();
      writeFileSync(file(home, roles), lines.join("\r\n"));
    },
    asBefore,
  ],
])("%s", (_, edit, expected, warning) => {
  const home = settled();
  const ids = new Map(agents(home).map(({ agent, pane }) => [pane, agent]));
  edit(home);
  const shownFirst = agents(home).map(line).sort();
  const refreshed = hivemind(home, ["registry", "refresh"]);
  expect(refreshed.code).toBe(0);
  if (warning !== undefined) expect(refreshed.stdout + refreshed.stderr).toMatch(warning);
  expect(agents(home).map(line).sort()).toEqual([...expected].sort());
  // A look shows it before a change writes it.
  expect(shownFirst).toEqual([...expected].sort());
  for (const { pane, agent } of agents(home)) if (ids.has(pane)) expect(agent).toBe(ids.get(pane));
  const rows = agents(home)
    .filter(({ standing, pane }) => standing === "present" || !pane!.startsWith("web:"))
    .map(({ pane, role }) => `${pane}|${role}|`);
  for (const row of rows) expect(read(home, roles)).toContain(row);
  expect(hivemind(home, ["consistency", "audit"])).toMatchObject({ stdout: "nothing is wrong\n" });
});

test("rows that another program prunes after a reboot forget no agent, and the agents come back", async () => {
  const home = settled();
  hivemind(home, ["registry", "remove", "ci", "--yes"]);
  const before = agents(home).map(({ agent, role, uuid }) => ({ agent, role, uuid }));
  await killServer(home);
  tmuxTeam(home, "web", 1);
  // hiveMind's scripts keep the rows of existing panes.
  for (const name of [roles, sessions])
    writeFileSync(file(home, name), read(home, name).replace(/^web:0\.1\|.*\n/m, ""));
  hivemind(home, ["registry", "refresh"]);
  expect(agents(home).map(line)).toEqual(["po web:0.0 away 15 1", "dev web:0.1 away b6 1"]);
  expect(agents(home).map(({ agent, role, uuid }) => ({ agent, role, uuid }))).toEqual(before);
  // The new occupants of their panes get nothing.
  expect(hivemind(home, ["queue", "list", "web:0.0"]).stdout).toBe("Nothing is queued.\n");
});

test("a folder of hiveMind's scripts is taken in at the first change", () => {
  const home = testHome();
  tmuxTeam(home, "web", 2);
  mkdirSync(file(home, "hivemind.queue"), { recursive: true });
  writeFileSync(file(home, roles), "# pane|role|epoch\nweb:0.0|po\nweb:0.1|dev\nops:0.0|ci|1700000000\n");
  writeFileSync(file(home, sessions), `web:0.0|${po}\nops:0.0|${other}\n`);
  writeFileSync(file(home, "hivemind.teams.env"), "web|the web\nops|operations\n");
  writeFileSync(file(home, "hivemind.queue/web_0_1.queue"), `${now()}|inform|hello\n`);
  writeFileSync(file(home, "hivemind.queue/ops_0_0.queue"), `${now()}|inform|later\n`);
  const expected = ["ci ops:0.0 away 0c 1", "po web:0.0 present 15 0", "dev web:0.1 present - 1"];
  hivemind(home, ["registry", "refresh"]);
  expect(agents(home).map(line)).toEqual(expected);
  expect(read(home, roles)).toMatch(/^# pane\|role\|epoch\nweb:0\.0\|po/);
  expect(read(home, "hivemind.queue/web_0_1.queue")).toMatch(/\|inform\|hello\n$/);
});

test("the stores of hivemind 0.1 are taken in at the first change: messages, receipts and holds with them", () => {
  const home = testHome();
  tmuxTeam(home, "web", 2);
  const stamp = now() - 60;
  const at = new Date(stamp * 1000).toISOString().replace(/\.\d+Z$/, "Z");
  mkdirSync(file(home, "hivemind.queue"), { recursive: true });
  writeFileSync(file(home, roles), `web:0.0|po|${now()}\nweb:0.1|dev|${now()}\n`);
  writeFileSync(file(home, sessions), `web:0.0|${po}\nweb:0.1|${dev}\n`);
  writeFileSync(file(home, "hivemind.teams.env"), "web|\n");
  writeFileSync(
    file(home, "hivemind.queue/web_0_0.queue"),
    `${stamp}|inform|never begun\n${stamp + 1}|inform|typed once\n`,
  );
  writeFileSync(
    file(home, "hivemind.receipts.log"),
    [
      `${at}|web:0.0@${stamp}|web:0.0|queued|never begun`,
      `${at}|web:0.0@${stamp + 1}|web:0.0|queued|typed once`,
      `${at}|web:0.0@${stamp + 1}|web:0.0|typing|`,
      "",
    ].join("\n"),
  );
  writeFileSync(file(home, "hivemind.state.env"), `web:0.1|HELD|${at}|me\n`);
  hivemind(home, ["registry", "refresh"]);
  expect(agents(home).map(line)).toEqual(["po web:0.0 present 15 1", "dev web:0.1 present b6 0"]);
  expect(hivemind(home, ["queue", "list", "po"]).stdout).toContain("never begun");
  expect(read(home, "hivemind.state.env")).toContain(`${agents(home)[1]!.agent}|HELD|`);
  expect(hivemind(home, ["release", "dev"])).toMatchObject({ code: 0 });
});
