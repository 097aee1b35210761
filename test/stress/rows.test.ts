import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tmuxTeam } from "../command.js";
import { makeHome, removeHome, type TestHome } from "../home.js";
import { bounded } from "./bounded.js";

const count = 100_000;
/** Some hundred bytes a row, several stores at once, and what the collector has not taken yet. */
const mostMegabytes = 900;

let home: TestHome;

const uuid = (at: number) => `00000000-0000-4000-8000-${at.toString(16).padStart(12, "0")}`;
/** A hundred panes of the team that runs are gone, all others are of teams that do not run. */
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
  [["team", "list"], "t99999 "],
  [["registry", "list"], "r99999"],
  [["forks", "list", "--uuid", uuid(7)], uuid(7)],
  [["queue", "list"], "message 99999"],
  [["queue", "append", "t0:0.1", "hello"], "position 1"],
  [["events", "--json"], "agent.killed"],
])("with 100,000 rows in each store, `%j` answers, in bounded memory", async (args, wanted) => {
  const { code, stdout, megabytes } = await bounded(home, args);
  expect({ code, says: stdout.includes(wanted) }).toEqual({ code: 0, says: true });
  expect(megabytes).toBeLessThan(mostMegabytes);
});

test("of 100,000 rows a refresh drops those whose panes are gone, all in one write", async () => {
  const { code, megabytes } = await bounded(home, ["registry", "refresh", "t0"]);
  expect(code).toBe(0);
  expect(megabytes).toBeLessThan(mostMegabytes);
  const gone = count / 1000;
  expect(lines("hivemind.roles.env")).toBe(count - gone);
  expect(lines("hivemind.sessions.env")).toBe(count - gone);
  expect(lines("hivemind.forks.env")).toBe(count);
  expect(lines("hivemind.queue/t7_0_7.queue")).toBe(count);
});
