// The demo agent: a small program of our own that looks like the real client from outside.

import { existsSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { HiveError } from "../../base/errors.js";
import type { ProcessInfo } from "../../base/system/process.js";
import { limits } from "../../limits.js";
import type { Agent } from "../agent.js";
import { claude } from "../claude/claude.js";
import { scriptOf } from "../script.js";

/** It keeps the same files in the same places as the client; only its program differs. */
export const demo: Agent = {
  ...claude,
  kind: "demo",
  recognises,
  program: () => demoCommand(),
  // It has no account, so nothing forbids several at once.
  start: { ...claude.start!, pace: { atOnce: limits.demoStartsAtOnce, gapMs: 0 } },
};

function recognises({ args }: ProcessInfo): boolean {
  if (args.includes("-p") || args.includes("--print")) return false;
  return basename(scriptOf(args) ?? "") === demoProgram;
}

export const demoProgram = "demo-agent.js";

/** The program is bundled beside this code, or in dist/ when hivemind runs from its sources. */
export function demoCommand(...args: string[]): string[] {
  const places = [`./${demoProgram}`, `../../../dist/${demoProgram}`].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  );
  const program = places.find((place) => existsSync(place));
  if (program === undefined) throw new HiveError("the demo agent is not built", { hint: "npm run build" });
  return [process.execPath, program, ...args];
}
