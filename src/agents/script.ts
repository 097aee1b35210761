// Finds the script that an interpreter process runs.

import { basename } from "node:path";

/**
 * `node --flag /usr/bin/claude` runs that file. An editor that has the file open does not, and neither does `sh -c
 * claude`.
 */
export function scriptOf(args: readonly string[]): string | null {
  // Every kind of agent asks about every process of a fleet.
  const known = scripts.get(args);
  if (known !== undefined) return known;
  const script = readScript(args);
  scripts.set(args, script);
  return script;
}

const scripts = new WeakMap<readonly string[], string | null>();

function readScript([program = "", ...rest]: readonly string[]): string | null {
  const interpreter = basename(program);
  const at = rest.findIndex((arg) => !arg.startsWith("-"));
  const isRun = /^(node|bun|deno)/.test(interpreter) || (/^(ba|da|k|z)?sh$/.test(interpreter) && at === 0);
  return isRun ? (rest[at] ?? null) : null;
}
