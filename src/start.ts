#!/usr/bin/env node
// The program that node runs: loads the command, and has node keep what it compiles of it (docs/decisions/start.md).
//
// - Node before 22.8 cannot keep it. Without a folder that can be written, a command only takes longer.
// - A node that is too old gets a one-line error: its own first error would be incomprehensible.

import { existsSync, mkdirSync } from "node:fs";
import nodeModule from "node:module";
import { dirname, join } from "node:path";
import { cacheFolder, cacheHome } from "./transcripts/cache-folder.js";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`hivemind needs node 20.19 or newer; this is ${process.versions.node}\n`);
  process.exit(1);
}

keepCompiled();
const [words, ...more] = process.argv.slice(2);
require(words === "--help" && more.length === 0 ? "./help.cjs" : "./command.cjs");

/** Node itself heeds NODE_COMPILE_CACHE and NODE_DISABLE_COMPILE_CACHE, and prints nothing if it cannot write. */
function keepCompiled(): void {
  const { env } = process;
  const { enableCompileCache } = nodeModule as { enableCompileCache?(folder: string): void };
  if (!enableCompileCache || (!env.HOME && cacheHome(env) === null)) return;
  const folder = cacheFolder(env, () => "");
  try {
    // Node would let others list the folder, and the transcript index is in it too. One folder at a time: Node 22 and 24
    // make a path below /proc for ever.
    const compiled = join(folder, "compiled");
    for (const each of [dirname(folder), folder, compiled])
      if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    enableCompileCache(compiled);
  } catch {
    // Every run compiles again.
  }
}
