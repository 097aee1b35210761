import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import type { Problem } from "../file/error.js";
import { openWatchWish, type WatchWish, wordsOf } from "./watch-wish.js";

function wishIn() {
  const folder = mkdtempSync(join(tmpdir(), "hm-wish-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "hivemind.watch.env");
  const problems: Problem[] = [];
  return { path, problems, wish: openWatchWish(path, (problem) => problems.push(problem)) };
}

const all: WatchWish = { everySeconds: 5, notify: "/opt/note it|100%", isReconciling: true, isQuiet: true };

test("a wish is kept as rows, and forgotten; comments stay", async () => {
  const { path, wish } = wishIn();
  expect(wish.read()).toBeNull();
  expect(await wish.forget()).toBe(false);
  await wish.keep(all);
  expect(readFileSync(path, "utf8")).toBe(
    "watch|background\nevery|5\nnotify|/opt/note it|100%\nflag|reconcile\nflag|quiet\n",
  );
  expect(wish.read()).toEqual(all);
  writeFileSync(path, `# mine\n${readFileSync(path, "utf8")}`);
  expect(await wish.forget()).toBe(true);
  expect({ text: readFileSync(path, "utf8"), wish: wish.read() }).toEqual({ text: "# mine\n", wish: null });
});

test("its words are what was typed", () => {
  expect(wordsOf(all)).toEqual(["--notify", "/opt/note it|100%", "--every", "5", "--reconcile", "--quiet"]);
  expect(wordsOf({ everySeconds: null, notify: null, isReconciling: false, isQuiet: false })).toEqual([]);
});

test.each([
  "every|0",
  "every|12345",
  "every|-1",
  "notify|bin/x",
  "flag|once",
  "watch|terminal",
  "what|x",
  "x",
])("%j is no row: reported, and it starts nothing", (row) => {
  const { path, problems, wish } = wishIn();
  writeFileSync(path, `${row}\n`);
  expect(wish.read()).toBeNull();
  expect(problems).toHaveLength(1);
});

test("every wish reads back as itself", async () => {
  const wishes = fc.record({
    everySeconds: fc.option(fc.integer({ min: 1, max: 3600 })),
    notify: fc.option(fc.stringMatching(/^\/[^\n\r\0\ud800-\udfff]{0,30}$/)),
    isReconciling: fc.boolean(),
    isQuiet: fc.boolean(),
  });
  const { wish } = wishIn();
  await fc.assert(
    fc.asyncProperty(wishes, async (each) => {
      await wish.keep(each);
      expect(wish.read()).toEqual(each);
    }),
    { numRuns: 50 },
  );
});
