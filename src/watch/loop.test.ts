import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../test/home.js";
import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import { atPost, restAfter } from "./loop.js";

const tickMs = 10_000;

test.each([0, 1, 20, 100, 500, 700])("after a look of %i ms the rest is many times as long", (lookMs) => {
  const { restMs, untilTickMs } = restAfter(lookMs, tickMs);
  expect(lookMs / restMs).toBeLessThanOrEqual(1 / 20);
  expect(lookMs / untilTickMs).toBeLessThanOrEqual(1 / 80);
});

test.each([
  [-5_000, { restMs: limits.watchGapMs, untilTickMs: tickMs }],
  [0, { restMs: limits.watchGapMs, untilTickMs: tickMs }],
  [600_000, { restMs: limits.watchRestCapMs, untilTickMs: limits.watchRestCapMs }],
])("after a look of %i ms it is neither shorter nor longer than it may be", (lookMs, expected) =>
  expect(restAfter(lookMs, tickMs)).toEqual(expected),
);

test("if no lock can be made, the watcher reports it and does not start", async () => {
  const { root } = testHome();
  const [link, file] = [join(root, "link"), join(root, "file")];
  symlinkSync(join(root, "none"), link);
  writeFileSync(file, "");
  for (const folder of [link, file])
    await expect(atPost(join(folder, "watch.lock"), () => Promise.reject("watched"))).rejects.toBeInstanceOf(
      HiveError,
    );
});
