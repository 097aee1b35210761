#!/usr/bin/env node
// The program that node runs: loads the command's one file with its compile cache, which the build made. Compiling
// the file again would take as long as everything else in a short command.
//
// - Without the cache, or with one from another node version, the command still runs.
// - A node that is too old gets a one-line error: its own first error would be incomprehensible.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Script } from "node:vm";

// Filled in by the build. The file's name has a hash of its content; only the build compiles.
declare const HIVEMIND_COMMAND: string;
declare const HIVEMIND_COMPILES: boolean;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`hivemind needs node 20.19 or newer; this is ${process.versions.node}\n`);
  process.exit(1);
}

const path = join(__dirname, HIVEMIND_COMMAND);
const compiledPath = path.replace(/cjs$/, "cache");
const cachedData = compiled();
const script = new Script(readFileSync(path, "latin1"), {
  filename: path,
  ...(cachedData && { cachedData }),
});
const module_ = { exports: {} };
script.runInThisContext()(module_.exports, require, module_, path, __dirname);
if (HIVEMIND_COMPILES) {
  process.once("exit", () => writeFileSync(compiledPath, script.createCachedData()));
} else if (process.version.startsWith("v20.")) {
  // V8 optimises a function only after several times the usual work: most commands end before it would pay.
  // Only here, because V8 refuses code that was compiled under other settings. Another V8 may not know the flag, and
  // would say so on stderr.
  setFlagsFromString("--interrupt-budget=1000000");
}

function compiled(): Buffer | undefined {
  try {
    return readFileSync(compiledPath);
  } catch {
    return undefined;
  }
}
