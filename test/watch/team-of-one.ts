// A team that a watcher watches.

import { onTestFinished } from "vitest";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind } from "../command.js";
import { type TestHome, testHome } from "../home.js";
import { idOf } from "../transcripts/files.js";

/** One demo agent, `lead`, that the roster knows. */
export async function teamOfOne(): Promise<TestHome> {
  const home = testHome();
  onTestFinished(() => void hivemind(home, ["watch", "--stop"]));
  startAgents(home, "web", ["--session-id", idOf(1), "-n", "lead"]);
  await idleAgents(home, 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  return home;
}
