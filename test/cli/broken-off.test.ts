// Ctrl-C in the middle of starting agents: what is left to do is told as commands, and they work.

import { expect, test } from "vitest";
import type { Cli } from "../../src/cli/command.js";
import { openOutput } from "../../src/cli/output.js";
import { runProgram } from "../../src/cli/program.js";
import { openHive } from "../../src/hive/hive.js";
import { hivemind } from "../command.js";
import { type TestHome, testHome } from "../home.js";
import { panesOf } from "../teams/fleets.js";

/** Broken off as soon as it tells that it begins with the first agent. */
async function brokenOff(home: TestHome, ...args: string[]) {
  const told: string[] = [];
  const interruption = new AbortController();
  const stream = { write: (text: string) => told.push(text.trimEnd()) };
  const hive = openHive({ env: home.env });
  const cli: Cli = {
    env: home.env,
    out: { ...openOutput(home.env, stream, stream), progress: () => interruption.abort() },
    self: "hivemind",
    program: ["node", "hivemind"],
    hive: async () => hive,
    untilInterrupted: () => interruption.signal,
  };
  return { code: await runProgram(cli, args), told };
}

test("after an interruption, each remaining agent is printed with the command that starts it", async () => {
  const home = testHome();
  const made = ["team", "setup", "web", "lead", "builder", "tester", "--kind", "demo", "--cwd", home.work];
  const { code, told } = await brokenOff(home, ...made);
  const rest = `--team web --cwd ${home.work} --kind demo`;
  expect({ code, told: told.slice(0, -1) }).toEqual({
    code: 1,
    told: [
      "✓ lead in web:0.0",
      "hivemind: builder: not started: interrupted",
      `  hivemind agent spawn builder ${rest}`,
      "hivemind: tester: not started: interrupted",
      `  hivemind agent spawn tester ${rest}`,
    ],
  });
  const others = ["team", "setup", "web", "scout", "--kind", "demo"];
  expect(hivemind(home, others).stderr).toContain("hivemind agent spawn ROLE --team web\n");
  expect(hivemind(home, told[2]!.trim().split(" ").slice(1))).toMatchObject({ code: 0, stderr: "" });

  expect(hivemind(home, ["agent", "respawn", "builder"]).stderr).toContain(
    "agent restart web:0.1 – or fork it: ",
  );

  const again = await brokenOff(home, "team", "restart", "web", "--yes");
  expect(again).toEqual({
    code: 1,
    told: [
      expect.stringContaining("web:0.0"),
      "interrupted before 1 agent; to restart the rest:",
      "  hivemind agent restart builder --team web --yes",
      "web: 1 of 2 agents restarted",
    ],
  });
  const before = panesOf(home).map(({ uuid }) => uuid);
  expect(hivemind(home, again.told[2]!.trim().split(" ").slice(1)).code).toBe(0);
  expect(panesOf(home).map(({ uuid }) => uuid)).toEqual(before);
});
