// The watch loop over a day: it leaves nothing behind.

import { readdirSync, statSync } from "node:fs";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { limits } from "../../src/limits.js";
import { testHome } from "../home.js";
import { type Stage, stageOf } from "../watch/made.js";
import { becomes, ticks } from "../watch/ticks.js";

test("10,000 ticks leave no more memory, descriptors or log than 1,000 did (incident 62)", {
  timeout: 180_000,
}, async () => {
  const home = testHome();
  const stage = await stageOf(home, 5);
  const measured: { heap: number; descriptors: number; log: number; files: number }[] = [];
  const told = await ticks(stage, 10_000, (tick) => {
    becomes(stage, tick % 5, tick % 2 === 0 ? "waiting" : "idle");
    // Somebody goes to another folder now and then, which is saved.
    if (tick % 90 === 0) becomes(stage, 0, "idle", `/a${tick}`);
    if (tick % 1_000 === 0) measured.push(measure(stage));
  });
  const [first, last] = [measured[0]!, measured.at(-1)!];
  expect(measured).toHaveLength(10);
  expect(last.heap - first.heap).toBeLessThan(4_000_000);
  expect({ ...last, heap: 0 }).toEqual({ ...measured[3]!, heap: 0 });
  expect(stage.calls.save).toBeGreaterThan(2 * limits.autosaves);
  expect(stage.stores.snapshots.list()).toHaveLength(limits.autosaves);
  expect(told.filter(({ kind }) => kind === "trouble")).toEqual([]);
});

function measure({ stores }: Stage) {
  collectGarbage();
  return {
    heap: process.memoryUsage().heapUsed,
    descriptors: readdirSync("/proc/self/fd").length,
    log: statSync(stores.events.path, { throwIfNoEntry: false })?.size ?? 0,
    files: readdirSync(stores.paths.folder).length,
  };
}

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
}
