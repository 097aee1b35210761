// Which modules the tried commands use: those with a function that ran, besides the module's own body. V8 counts the
// calls, and esbuild's comments say where each module begins.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withTrial } from "./trial.mjs";

/** For each group of commands. `text`: the whole program, with esbuild's comments. */
export function modulesUsed(text, groups) {
  const program = `${text}({},require,{},__filename,__dirname);`;
  const moduleAt = moduleFinder(program);
  const folder = mkdtempSync(join(tmpdir(), "hivemind-used-"));
  try {
    return withTrial(program, (run) =>
      groups.map((commands, at) => {
        const counts = join(folder, String(at));
        for (const words of commands) run(program, words, { NODE_V8_COVERAGE: counts });
        const used = functionsRun(counts).flatMap(({ functionName, ranges: [{ startOffset }] }) => {
          const path = moduleAt(startOffset);
          return path === undefined || path === functionName ? [] : path;
        });
        return new Set(used);
      }),
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function functionsRun(folder) {
  return readdirSync(folder)
    .flatMap((name) => JSON.parse(readFileSync(join(folder, name), "utf8")).result)
    .filter(({ url }) => url.includes(".trial-"))
    .flatMap(({ functions }) => functions)
    .filter(({ ranges: [{ count }] }) => count > 0);
}

function moduleFinder(program) {
  const begins = [...program.matchAll(/^\/\/ ((?:src|node_modules)\/\S+)$/gm)];
  if (begins.length === 0) throw new Error("esbuild does not say where modules begin");
  return (offset) => begins.findLast(({ index }) => index <= offset)?.[1];
}
