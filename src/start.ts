#!/usr/bin/env node
// What node runs: the command's one file, with what node compiled of it when it was built beside it. Compiling it anew
// would take as long as everything else that a short command does.
//
// [SRT1] Without that, or with one that another node made, the command runs all the same.
// [SRT2] A node that is too old is told in one line: what it would stumble over first says nothing to anybody.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";

// Put in by the build. The file's name holds a hash of its content; only the build itself compiles.
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
}

function compiled(): Buffer | undefined {
  try {
    return readFileSync(compiledPath);
  } catch {
    return undefined;
  }
}
