// The demo agent: a small program of ours that looks like the real client from outside.

import { basename } from "node:path";
import type { ProcessInfo } from "../../processes/process.js";
import type { Agent } from "../agent.js";
import { claude } from "../claude/claude.js";
import { scriptOf } from "../script.js";
import { demoCommand, demoProgram } from "./launch.js";

/** It keeps the same files in the same places, so all but its program is the client's. */
export const demo: Agent = { ...claude, kind: "demo", recognises, program: () => demoCommand() };

function recognises({ args }: ProcessInfo): boolean {
  if (args.includes("-p") || args.includes("--print")) return false;
  return basename(scriptOf(args) ?? "") === demoProgram;
}
