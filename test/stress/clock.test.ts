import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { startAgent } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";

// Rows written before the clock was set back have times in the future.
const aheadSeconds = Math.floor(Date.now() / 1000) + 7 * 24 * 3600;
const ahead = `${new Date(aheadSeconds * 1000).toISOString().slice(0, 19)}Z`;

function homeWith(files: Record<string, string>): TestHome {
  const home = testHome();
  tmuxTeam(home, "a", 2);
  mkdirSync(join(home.config, "hivemind.queue"), { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home.config, name), text);
  return home;
}

test("a message after one with a future time stays after it, and has its own id", () => {
  const home = homeWith({ "hivemind.queue/a_0_0.queue": `${aheadSeconds}|inform|first\n` });
  expect(hivemind(home, ["registry", "set", "a:0.0", "po"])).toMatchObject({ code: 0 });
  expect(hivemind(home, ["queue", "append", "a:0.0", "second"])).toMatchObject({ code: 0 });
  const rows = readFileSync(join(home.config, "hivemind.queue/a_0_0.queue"), "utf8");
  expect(rows).toBe(`${aheadSeconds}|inform|first\n${aheadSeconds}.2|inform|second\n`);
  const listed = hivemind(home, ["queue", "list"]);
  expect(listed.stdout).toMatch(/1\. first {2}\(0 s ago\)\n {2}2\. second {2}\(0 s ago\)/);
});

test("roles, events and lineage with future times are read, and a refresh drops none of them", () => {
  const home = homeWith({
    "hivemind.teams.env": "a|\nb|\n",
    "hivemind.roles.env": `a:0.0|po|${aheadSeconds}\nb:0.0|dev|${aheadSeconds}\n`,
    "hivemind.events.log": `${ahead}|team.created|b later\n`,
    "hivemind.forks.env": `${ahead}|a:0.0|po||unknown|\n`,
  });
  const before = contentsOf(home.config);
  expect(hivemind(home, ["registry", "refresh"])).toMatchObject({ code: 0, stdout: "updated=0 broken=0\n" });
  const after = contentsOf(home.config);
  expect(after["hivemind.roles.env"]).toBe(before["hivemind.roles.env"]);
  expect(after["hivemind.forks.env"]).toBe(before["hivemind.forks.env"]);
  expect(after["hivemind.events.log"]).toMatch(new RegExp(`^${ahead}\\|team\\.created`));
  expect(json(home, ["forks", "list"])).toMatchObject({ rows: [{ at: ahead }] });
});

test("the last save is restored first, although an older one has a later time", () => {
  const name = `hivemind.snapshot.${ahead.slice(0, 19).replaceAll(/[-:]/g, "")}.env`;
  const home = homeWith({ "hivemind.teams.env": "a|\n", [name]: "# version: 1\na|0.0|||old|/tmp||shell\n" });
  const { code, stdout } = hivemind(home, ["teams", "save"]);
  expect(code).toBe(0);
  const saved = /hivemind\.snapshot\.\S+\.env/.exec(stdout)![0];
  expect(existsSync(join(home.config, saved))).toBe(true);
  const { snapshots } = json<{ snapshots: { path: string }[] }>(home, ["teams", "list"]);
  expect(snapshots.map(({ path }) => basename(path))).toEqual([saved, name]);
});

/** As if the clock had been set since then: the files have the earlier times. */
function moveReports(home: TestHome, byMs: number): void {
  const folder = join(home.config, "hivemind.hooks");
  for (const name of reportsIn(home)) {
    const at = new Date(statSync(join(folder, name)).mtimeMs + byMs);
    utimesSync(join(folder, name), at, at);
  }
}

const reportsIn = (home: TestHome) =>
  readdirSync(join(home.config, "hivemind.hooks")).filter((name) => name.endsWith(".json"));
const hour = 3_600_000;
const A = "11111111-1111-4111-8111-111111111111";

test("setting the clock neither brings back the session before /clear, nor hides hook reports", async () => {
  const home = testHome();
  expect(hivemind(home, ["hooks", "install"]).code).toBe(0);
  const agent = startAgent(home, ["--session-id", A, "-n", "w"]);
  const reported = (event: string, count = 1) =>
    until(
      `${count} of ${event}`,
      () => reportsIn(home).filter((name) => name.includes(event)).length >= count,
    );
  const discovered = () => hivemind(home, ["session", "discover", agent.pane]).stdout;
  await agent.becomes("idle");
  await agent.say("one");
  await reported("Stop");
  moveReports(home, hour);
  await agent.say("/clear");
  await reported("SessionStart", 2);
  const { sessionId: B } = agent.registry()!;
  expect(B).not.toBe(A);
  expect(discovered()).toMatch(new RegExp(`^${B}\\|`));

  rmSync(join(home.claude, "sessions"), { recursive: true });
  writeFileSync(join(home.claude, "sessions"), "");
  for (const byMs of [hour, -3 * hour]) {
    moveReports(home, byMs);
    expect(discovered()).toMatch(new RegExp(`^${B}\\|`));
  }
});
