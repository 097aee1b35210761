import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { linesBefore } from "./lines-before.js";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "hm-lines-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

function read(text: string, bounds: { blockBytes: number; lineBytes: number }, from = 0, before?: number) {
  const path = join(folder, "file");
  writeFileSync(path, text);
  const fd = openSync(path, "r");
  try {
    return [...linesBefore(fd, from, before ?? Buffer.byteLength(text), bounds)];
  } finally {
    closeSync(fd);
  }
}

/** Every line forwards, with its place. */
function placed(text: string) {
  let start = 0;
  return text.split("\n").flatMap((line) => {
    const sizeBytes = Buffer.byteLength(line);
    const at = start;
    start += sizeBytes + 1;
    return sizeBytes === 0 ? [] : [{ start: at, sizeBytes, text: line }];
  });
}

test("the lines are those of the file from its end, whatever the size of a read", () => {
  const line = fc.string({ unit: fc.constantFrom("a", "b", "é", "✳", " "), maxLength: 12 });
  const file = fc.tuple(fc.array(line, { maxLength: 12 }), fc.boolean());
  fc.assert(
    fc.property(file, fc.integer({ min: 1, max: 20 }), ([lines, isEnded], blockBytes) => {
      const text = lines.join("\n") + (isEnded ? "\n" : "");
      expect(read(text, { blockBytes, lineBytes: 1000 })).toEqual(placed(text).toReversed());
    }),
  );
});

test("a line that is too long has its place and size, and no text; its neighbours are read", () => {
  const text = `one\n${"x".repeat(50)}\ntwo\n`;
  expect(read(text, { blockBytes: 4, lineBytes: 10 })).toEqual([
    { start: 55, sizeBytes: 3, text: "two" },
    { start: 4, sizeBytes: 50, text: null },
    { start: 0, sizeBytes: 3, text: "one" },
  ]);
});

test("only the lines between two beginnings of lines are read", () => {
  const text = "one\ntwo\nthree\nfour\n";
  const bounds = { blockBytes: 3, lineBytes: 100 };
  expect(read(text, bounds, 4, 14).map((line) => line.text)).toEqual(["three", "two"]);
  expect(read(text, bounds, 4, 4)).toEqual([]);
});
