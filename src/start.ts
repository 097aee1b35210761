#!/usr/bin/env node
// The program that node runs: loads the command's files with their compile caches, which the build made. Compiling
// them again would take as long as everything else in a short command.
//
// - Without the caches, or with those of another node version, the command still runs.
// - A node that is too old gets a one-line error: its own first error would be incomprehensible.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Script } from "node:vm";

// Filled in by the build (scripts/layers.mjs). The files' names have a hash of their content; only the build compiles.
declare const HIVEMIND_FILES: readonly string[];
declare const HIVEMIND_COMPILES: boolean;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`hivemind needs node 20.19 or newer; this is ${process.versions.node}\n`);
  process.exit(1);
}

type Modules = Record<string, () => unknown>;
const loaded: Modules[] = [];
const required = new Map<string, unknown>();

/** Settings of V8 that make a short command shorter. Another V8 may not know them, and would say so on stderr. */
const hasSettings = major === 20 && !HIVEMIND_COMPILES;
// Threads for collecting a megabyte of garbage cost more than they save.
const always = "--no-parallel-scavenge";
// V8 optimises a function only after several times the usual work: most commands end before it would pay.
const patient = "--interrupt-budget=1000000";
const usual = "--interrupt-budget=67584";
// A short command ends before a walk over the whole heap would pay.
const unmarked = "--no-incremental-marking";
const marked = "--incremental-marking";
let isPatient = false;

layer(0, "src/main.ts");
if (hasSettings) {
  setting(always);
  bePatient();
}

/** What a module of one of the files exports. Loads the files before it too (scripts/layers.mjs says why). */
function layer(at: number, path: string): unknown {
  for (let each = loaded.length; each <= at; each++)
    usually(() => {
      loaded[each] = load(HIVEMIND_FILES[each]!);
    });
  return loaded[at]![path]!();
}

function load(name: string): Modules {
  const path = join(__dirname, name);
  const compiledPath = path.replace(/cjs$/, "cache");
  const cachedData = compiled(compiledPath);
  const script = new Script(readFileSync(path, "latin1"), {
    filename: path,
    ...(cachedData && { cachedData }),
  });
  const module_ = { exports: {} };
  script.runInThisContext()(module_.exports, quickRequire, module_, path, __dirname, layer);
  if (HIVEMIND_COMPILES) process.once("exit", () => writeFileSync(compiledPath, script.createCachedData()));
  return module_.exports;
}

function quickRequire(name: string): unknown {
  const known = required.get(name) ?? usually(() => require(name));
  required.set(name, known);
  return known;
}

/** V8 refuses code that was compiled under other settings, and node's own modules are such code too. */
function usually<T>(work: () => T): T {
  if (!isPatient) return work();
  setting(usual);
  setting(marked);
  try {
    return work();
  } finally {
    bePatient();
  }
}

/** The last file has the commands that run for hours. */
function bePatient(): void {
  setting(patient);
  if (loaded.length < HIVEMIND_FILES.length) setting(unmarked);
  isPatient = true;
}

function setting(flag: string): void {
  (require("node:v8") as typeof import("node:v8")).setFlagsFromString(flag);
}

function compiled(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
