// `top` goes on, and says what it sees, while its fleet, its stores or its terminal are taken away.

import { mkdirSync, renameSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { hivemind, json, mainProgram } from "../command.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";

/** A fleet on one tmux server, and `top` in a pane of another. */
async function openTop() {
  const [home, terminal] = [testHome(), testHome()];
  expect(hivemind(home, ["team", "setup", "shop", "lead", "tester", "--kind", "demo"]).code).toBe(0);
  const made = terminal.tmux(
    ...["new-session", "-d", "-P", "-F", "#{pane_id} #{pane_pid}", "-s", "me", "-x", "160", "-y", "30"],
    ...paneVariables(home.env),
    ...["-c", home.work, `exec ${process.execPath} ${mainProgram} top`],
  );
  const [pane, pid] = made.trim().split(" ") as [string, string];
  const screen = () => terminal.tmux("capture-pane", "-p", "-t", pane);
  const sees = (text: RegExp) => until(`${text}`, () => text.test(screen()));
  await sees(/lead +idle/);
  return { home, terminal, screen, sees, pid: Number(pid) };
}

/** Of the process that runs the agent with this role. */
function pidOf(home: TestHome, role: string): number {
  const { pid } = json<{ pid: number }>(home, ["agent", "process", role]);
  return pid;
}

test("a killed agent is shown as crashed", async () => {
  const { home, sees } = await openTop();
  process.kill(pidOf(home, "tester"), "SIGKILL");
  await sees(/✗ tester +crashed/);
  await sees(/lead +idle/);
});

test("a killed tmux server leaves its agents away, and a new fleet is shown when it comes", async () => {
  const { home, sees, pid } = await openTop();
  const server = Number(home.tmux("display-message", "-p", "#{pid}"));
  hivemind(home, ["save"]);
  process.kill(server, "SIGKILL");
  await sees(/lead +away/);
  expect(hivemind(home, ["restore"]).code).toBe(0);
  await sees(/lead +idle/);
  expect(readProcStat(pid)).not.toBeNull();
});

test("a store that turns unreadable is said, and the last look stays on the screen", async () => {
  const { home, screen, sees } = await openTop();
  const roster = join(home.config, "hivemind.agents.env");
  renameSync(roster, `${roster}.away`);
  mkdirSync(roster);
  await sees(/old: .*hivemind\.agents\.env/);
  expect(screen()).toMatch(/lead +idle/);
  rmdirSync(roster);
  renameSync(`${roster}.away`, roster);
  await until("the trouble is over", () => !/old:/.test(screen()));
});

test("a killed terminal ends it", async () => {
  const { terminal, pid } = await openTop();
  process.kill(Number(terminal.tmux("display-message", "-p", "#{pid}")), "SIGKILL");
  await until("its end", () => readProcStat(pid) === null || readProcStat(pid)?.state === "Z");
});
