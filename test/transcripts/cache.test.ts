import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadRows, type Readings, saveRows } from "../../src/transcripts/cache.js";
import { testHome } from "../home.js";

const stamp = { inode: 1, sizeBytes: 2, modifiedAtMs: 3.25, changedAtMs: 4, bornAtMs: 5 };
const reading = {
  stamp,
  lookedAtMs: 6,
  offset: 7,
  headSum: 8,
  tailSum: 9,
  value: { title: "日本 ✳" },
  settled: null,
};
const readings: Readings<{ title: string }> = new Map([["/a.jsonl", reading]]);

function saved(): string {
  const file = join(testHome().root, "cache", "deep", "index.json");
  saveRows(file, "rules /root", readings);
  return file;
}

test("a saved cache is loaded again, and is private", () => {
  const file = saved();
  expect(loadRows(file, "rules /root")).toEqual(readings);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test.each([1, 2, 3, 8])("with a key of %i characters its body is aligned for numbers", (length) => {
  const file = join(testHome().root, "index");
  saveRows(file, "k".repeat(length), readings);
  expect((readFileSync(file).indexOf(10) + 1) % 8).toBe(0);
  expect(loadRows(file, "k".repeat(length))).toEqual(readings);
});

test.each<[string, (bytes: Buffer) => Buffer | string]>([
  ["cut short", (bytes) => bytes.subarray(0, bytes.length - 1)],
  ["cut to its first line", (bytes) => bytes.subarray(0, bytes.indexOf(10))],
  ["empty", () => ""],
  ["something else", () => "null\nnull"],
  ["longer", (bytes) => Buffer.concat([bytes, bytes])],
  ["changed in one character", (bytes) => bytes.toString().replace("日本", "日木")],
  ["of another layout", (bytes) => bytes.toString().replace(/"layout":\d+/, '"layout":0')],
])("a cache that is %s counts as none", (_, damage) => {
  const file = saved();
  writeFileSync(file, damage(readFileSync(file)));
  expect(loadRows(file, "rules /root")).toEqual(new Map());
});

test("so does a cache of other rules or of another folder, and a missing one", () => {
  const file = saved();
  expect(loadRows(file, "other /root")).toEqual(new Map());
  expect(loadRows(file, "rules /other")).toEqual(new Map());
  expect(loadRows(`${file}.missing`, "rules /root")).toEqual(new Map());
  mkdirSync(`${file}.folder`);
  expect(loadRows(`${file}.folder`, "rules /root")).toEqual(new Map());
});
