import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tmuxTeam } from "../command.js";
import { makeHome, removeHome, type TestHome } from "../home.js";
import { bounded } from "./bounded.js";

/** The full size is HIVEMIND_STRESS_ROWS=100000. */
const count = Number(process.env.HIVEMIND_STRESS_ROWS ?? 10_000);
/** Some hundred bytes per row, several stores at once, and garbage that is not collected yet. */
const mostMegabytes = 900;

let home: TestHome;

const uuid = (at: number) => `00000000-0000-4000-8000-${at.toString(16).padStart(12, "0")}`;
/** A hundred panes of the running team are gone; all other rows are of teams that do not run. */
const pane = (at: number) => `t${at % 1000}:${Math.floor(at / 1000)}.7`;
const time = "2026-04-22T08:52:40Z";

const stores: Record<string, (at: number) => string> = {
  "hivemind.roles.env": (at) => `${pane(at)}|r${at}`,
  "hivemind.sessions.env": (at) => `${pane(at)}|${uuid(at)}`,
  "hivemind.teams.env": (at) => `t${at}|team ${at}`,
  "hivemind.forks.env": (at) => `${time}|${pane(at)}|r${at}|${uuid(at)}|stale|${uuid(at >> 1)}`,
  "hivemind.events.log": (at) => `${time}|agent.killed|${pane(at)}`,
  "hivemind.receipts.log": (at) => `${time}|${pane(at)}@${at}|${pane(at)}|queued|x`,
  "hivemind.queue/t7_0_7.queue": (at) => `${1_700_000_000 + at}|inform|message ${at}`,
  "tronMonitor.env": (at) => `${at}|t${at}`,
  "otmux.size.locks.env": (at) => `t${at}|80×40`,
  "hivemind.state.env": (at) => `${pane(at)}|HELD|${time}|me`,
  "hivemind.projects.env": (at) => `p${at}|/srv/p${at}`,
  "hivemind.moved.env": (at) => `p${at}:a|${uuid(at)}`,
};

const file = (name: string) => join(home.config, name);
const lines = (name: string) => readFileSync(file(name), "utf8").split("\n").length - 1;

const agentAt = (address: string) =>
  readFileSync(file("hivemind.agents.env"), "utf8")
    .split("\n")
    .find((line) => line.split("|")[6] === address)
    ?.split("|")[0];

beforeAll(() => {
  home = makeHome();
  mkdirSync(file("hivemind.queue"), { recursive: true });
  for (const [name, row] of Object.entries(stores)) {
    writeFileSync(file(name), Array.from({ length: count }, (_, at) => `${row(at)}\n`).join(""));
  }
  tmuxTeam(home, "t0", 2);
});
afterAll(() => removeHome(home));

test.each([
  [["status", "--json"], `"team":"t999"`],
  [["team", "list"], `t${count - 1} `],
  [["registry", "list"], `r${count - 1}`],
  [["forks", "list", "--uuid", uuid(7)], uuid(7)],
  [["queue", "list"], `${count} messages in `],
  [["registry", "set", "t0:0.1", "lead"], "t0:0.1 is lead"],
  [["queue", "append", "lead", "hello"], "(1st)"],
  [["queue", "list"], `message ${count - 1}`],
  [["events", "--json"], "agent.killed"],
])("with very many rows in each store, `%j` answers in bounded memory", async (args, wanted) => {
  const { code, stdout, megabytes } = await bounded(home, args);
  expect({ code, says: stdout.includes(wanted) }).toEqual({ code: 0, says: true });
  expect(megabytes).toBeLessThan(mostMegabytes);
});

test("a refresh drops the rows of closed panes among very many, in one write", async () => {
  const { code, megabytes } = await bounded(home, ["registry", "refresh", "t0"]);
  expect(code).toBe(0);
  expect(megabytes).toBeLessThan(mostMegabytes);
  const gone = count / 1000;
  const named = 1;
  expect(lines("hivemind.roles.env")).toBe(count - gone + named);
  expect(lines("hivemind.sessions.env")).toBe(count - gone);
  expect(lines("hivemind.forks.env")).toBe(count);
  // The messages of an away agent are stored under its id.
  expect(lines(`hivemind.queue/${agentAt("t7:0.7")}.queue`)).toBe(count);
  const comments = 2;
  expect(lines("hivemind.agents.env")).toBe(count + named + comments);
});
