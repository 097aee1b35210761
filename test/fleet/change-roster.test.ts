// One change of the roster on a real tmux: what it writes, and the state after it is killed.

import { spawnSync } from "node:child_process";
import { appendFileSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { acquireLock } from "../../src/base/files/lock.js";
import { formatArguments } from "../../src/events/event.js";
import { type Hive, openHive } from "../../src/hive/hive.js";
import type { Role, SessionId, TeamName } from "../../src/names/gates.js";
import { earlierWatchLockPath } from "../../src/stores/file/folder.js";
import { tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { endedTeam, knownAgents, rolesIn } from "../ended-team.js";
import { fixturePrograms } from "../fixture-programs.js";
import { type TestHome, testHome } from "../home.js";

const a = "a" as TeamName;

async function team(home: TestHome): Promise<Hive> {
  tmuxTeam(home, "a", 3);
  const hive = openHive({ env: home.env });
  await endedTeam(hive, a);
  return hive;
}

const swap = (home: TestHome) => home.tmux("swap-pane", "-d", "-s", "=a:0.0", "-t", "=a:0.1");
const logged = ({ stores }: Hive) =>
  stores.events.read().rows.map(({ event }) => `${event.name} ${formatArguments(event)}`);
const options = (home: TestHome) =>
  home
    .tmux(
      "list-panes",
      "-a",
      "-F",
      "#{session_name}:#{window_index}.#{pane_index} #{@hivemind} #{@hivemind_team}",
    )
    .trim()
    .split("\n")
    .map((line) => line.replaceAll(/[%$]\d+\|/g, ""));

test("[RCH1] when panes change places, everything of their agents follows (incident 45)", async () => {
  const home = testHome();
  const hive = await team(home);
  const before = knownAgents(hive);
  swap(home);
  await hive.change();
  expect(rolesIn(hive)).toEqual(["a:0.0 r1", "a:0.1 r0", "a:0.2 r2"]);
  expect(knownAgents(hive)).toEqual(before);
  expect(options(home)).toEqual(["a:0.0 a:0.0|r1 a", "a:0.1 a:0.1|r0 a", "a:0.2 a:0.2|r2 a"]);
  expect(logged(hive).slice(-1)).toEqual(["panes.swapped a a:0.0 a:0.1"]);
  const [r1] = hive.stores.roster.read().agents.filter(({ role }) => role === "r1");
  expect(readlinkSync(join(home.config, "hivemind.queue/a_0_0.queue"))).toBe(`${r1!.id}.queue`);
});

test("[RCH1] an agent whose pane was closed is away, and its messages stay its own", async () => {
  const home = testHome();
  const hive = await team(home);
  const before = knownAgents(hive);
  home.tmux("kill-pane", "-t", "=a:0.0");
  await hive.change();
  expect(rolesIn(hive)).toEqual(["a:0.0 r1", "a:0.1 r2"]);
  expect(knownAgents(hive)).toEqual(before);
  const { panes } = await hive.panes();
  expect(panes.map(({ agent }) => agent?.role)).toEqual(["r1", "r2"]);
});

test("[RCH1] a second change writes nothing", async () => {
  const home = testHome();
  const hive = await team(home);
  swap(home);
  await hive.change();
  const before = contentsOf(home.config);
  await hive.change();
  expect(contentsOf(home.config)).toEqual(before);
});

test("[RCH2] a forgotten agent leaves its messages in dead/, each with a receipt", async () => {
  const home = testHome();
  const hive = await team(home);
  await hive.change(({ agents }) => ({ agents: agents.filter(({ role }) => role !== "r0") }));
  expect(rolesIn(hive)).toEqual(["a:0.1 r1", "a:0.2 r2"]);
  const dead = Object.entries(contentsOf(home.config)).filter(([name]) => name.includes("/dead/"));
  expect(dead.map(([, text]) => text.replaceAll(/^[\d.]+\|inform\|/gm, ""))).toEqual([
    "for r0\nand for r0\n",
  ]);
  expect(hive.stores.receipts.read().rows.map(({ step, detail }) => `${step}: ${detail}`)).toEqual([
    "cleared: its agent was forgotten",
    "cleared: its agent was forgotten",
  ]);
  expect(options(home)[0]).toBe("a:0.0  a");
});

test("[RCH2] a new session is in S5, with its parent, before the roster has it", async () => {
  const home = testHome();
  const hive = await team(home);
  const [child, parent] = ["2d65a42d-0000-4000-8000-00000000000a", null] as [SessionId, null];
  const failing = { ...hive.stores.forks, append: async () => Promise.reject(new Error("no space left")) };
  const { append } = hive.stores.forks;
  const change = () =>
    hive.change(({ agents }) => ({
      agents: agents.map((agent) => (agent.role === "r2" ? { ...agent, session: child } : agent)),
    }));
  Object.assign(hive.stores.forks, failing);
  await expect(change()).rejects.toThrow("no space left");
  Object.assign(hive.stores.forks, { append });
  expect(hive.stores.sessions.read().rows).toHaveLength(2);
  await change();
  expect(hive.stores.sessions.read().rows.map(({ uuid }) => uuid)).toContain(child);
  expect([...hive.stores.forks.scan()].map((row) => [row.pane, row.role, row.uuid, row.parent])).toEqual([
    ["a:0.2", "r2", child, parent],
  ]);
});

describe("[RCH3] killed at any moment", () => {
  const program = fixturePrograms("fleet/killed-changer");
  const isKilled = (home: TestHome, moment: number) =>
    spawnSync(process.execPath, [program("killed-changer"), String(moment)], { env: home.env }).signal ===
    "SIGKILL";

  /** Panes that changed places, and a role and a message that another program wrote. */
  const disorder = (home: TestHome, round: number) => {
    swap(home);
    const path = (name: string) => join(home.config, name);
    const roles = readFileSync(path("hivemind.roles.env"), "utf8");
    const other = round % 2 === 0 ? "|xr2|" : "|r2|";
    writeFileSync(path("hivemind.roles.env"), roles.replace(/\|x?r2\|/, other));
    const now = Math.floor(Date.now() / 1000);
    appendFileSync(path("hivemind.queue/a_0_2.queue"), `${now}|inform|from outside ${round}\n`);
  };
  const rename = (home: TestHome, round: number) => {
    const [from, to] = round % 2 === 0 ? ["=a", "b"] : ["=b", "a"];
    home.tmux("rename-session", "-t", from!, to!);
  };

  test.each([
    ["panes that moved, and foreign edits", disorder],
    ["a renamed tmux session", rename],
  ])(
    "[RCH3] a change finishes what the killed one began: %s (incident 20)",
    async (_, act) => {
      const home = testHome();
      const hive = await team(home);
      let round = 0;
      for (let killed = true; killed; round++) {
        act(home, round);
        killed = isKilled(home, round);
        await hive.change();
        const when = `killed at moment ${round}`;
        const { roster } = await hive.panes();
        expect(roster.agents, when).toEqual(roster.stored);
        const agents = Object.values(knownAgents(hive));
        expect(
          agents.map(({ session }) => session?.slice(0, 2)),
          when,
        ).toEqual(["15", "b6", undefined]);
        expect(agents[0]!.messages, when).toEqual(["for r0", "and for r0"]);
        const written = Array.from({ length: round + 1 }, (_, at) => `from outside ${at}`);
        const others = agents[2]!.messages.filter((text) => text.startsWith("from"));
        expect(others, when).toEqual(others.length === 0 ? [] : written);
        const { sessionName } = (await hive.panes()).panes[0]!;
        expect(hive.stores.teams.read().rows, when).toMatchObject([{ team: sessionName }]);
        const shown = roster.agents.map(({ address, role }) => `${address} ${role}`);
        expect(rolesIn(hive), when).toEqual(shown.sort());
        expect(options(home), when).toEqual(
          shown.map((text) => `${text.split(" ")[0]} ${text.replace(" ", "|")} ${sessionName}`),
        );
      }
      expect(round).toBeGreaterThan(4);
      const before = contentsOf(home.config);
      await hive.change();
      expect(contentsOf(home.config)).toEqual(before);
    },
    120_000,
  );
});

test("[RCH4] while an earlier version watches, every change is refused with its process", async () => {
  const home = testHome();
  const hive = await team(home);
  const lock = await acquireLock(earlierWatchLockPath(hive.paths));
  const before = contentsOf(home.config);
  swap(home);
  const refused = expect.objectContaining({
    message: `an earlier version of hivemind watches these stores: process ${process.pid}`,
    hint: expect.stringContaining(`kill ${process.pid}`),
  });
  await expect(hive.change()).rejects.toEqual(refused);
  await expect(hive.whileChanging(a, async () => {})).rejects.toEqual(refused);
  expect(contentsOf(home.config)).toEqual(before);
  lock.release();
  await hive.change();
  expect(rolesIn(hive)[0]).toBe("a:0.0 r1");
});

test("two tmux servers over one folder know each other's agents", async () => {
  const home = testHome();
  const hive = await team(home);
  const socket = join(home.root, "other.sock");
  const there = { ...home, env: { ...home.env, HIVEMIND_TMUX_SOCKET: socket } };
  const other = (...args: string[]) =>
    spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { env: home.env, encoding: "utf8" });
  other("new-session", "-d", "-s", "b", "cat");
  try {
    const second = openHive({ env: there.env });
    const before = contentsOf(home.config)["hivemind.roles.env"]!;
    const { roster } = await second.change();
    expect(roster.agents.map(({ role, seat }) => `${role} ${seat !== null}`)).toEqual([
      "r0 true",
      "r1 true",
      "r2 true",
    ]);
    expect(contentsOf(home.config)["hivemind.roles.env"]).toBe(before);
    const [pane] = (await second.panes()).panes;
    await second.change(({ agents, server }) => ({
      agents: [
        ...agents,
        {
          ...agents[0]!,
          id: "bbbbbbbbbb" as never,
          team: "b" as TeamName,
          role: "far" as Role,
          session: null,
          seat: { server: server!, pane: pane!.id },
          address: pane!.address,
        },
      ],
    }));
    await hive.change();
    expect(rolesIn(hive)).toEqual(["a:0.0 r0", "a:0.1 r1", "a:0.2 r2", "b:0.0 far"]);
    const standing = async () => {
      const views = await hive.viewTeams();
      return views.flatMap(({ agents }) => agents.map((each) => `${each.role} ${each.standing}`));
    };
    expect(await standing()).toEqual(["r0 present", "r1 present", "r2 present", "far elsewhere"]);
    other("kill-server");
    await expect.poll(standing).toContain("far away");
    await hive.change();
    expect(logged(hive).slice(-1)).toEqual(["agent.killed b:0.0 gone bbbbbbbbbb"]);
  } finally {
    other("kill-server");
  }
});
