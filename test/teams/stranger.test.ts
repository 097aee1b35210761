// A restore while a stranger works in an agent's pane.

import { expect, test } from "vitest";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind } from "../command.js";
import { testHome } from "../home.js";
import { idOf } from "../transcripts/files.js";

test("a stranger in an agent's pane is reported, and the exit code is 1", async () => {
  const home = testHome();
  startAgents(home, "web", ["--session-id", idOf(1), "-n", "po"]);
  await idleAgents(home, 1);
  for (const args of [
    ["team", "register", "web"],
    ["registry", "refresh"],
    ["teams", "save"],
  ])
    expect(hivemind(home, args)).toMatchObject({ code: 0 });
  expect(hivemind(home, ["teams", "restore"])).toMatchObject({ code: 0, stdout: "web: nothing to do\n" });
  home.tmux("kill-server");
  startAgents(home, "web", ["--session-id", idOf(2), "-n", "stranger"]);
  await idleAgents(home, 1);
  const { code, stdout, stderr } = hivemind(home, ["teams", "restore"]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringContaining("1 not possible") });
  expect(stderr).toContain(`another agent runs in web:0.0, in ${idOf(2)}`);
  expect(stderr).toContain("hivemind agent kill web:0.0");
  expect(hivemind(home, ["session", "current", "web:0.0"]).stdout).toBe(`${idOf(2)}\n`);
});
