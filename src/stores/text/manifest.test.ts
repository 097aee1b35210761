import { expect, test } from "vitest";
import { limits } from "../../limits.js";
import { readManifest } from "./bundle.js";

const file = { path: "hivemind.teams.env", sizeBytes: 3, sha256: "a".repeat(64) };
const page = {
  version: 1,
  host: "beta",
  packedAt: "2026-04-22T08:52:40Z",
  savedAt: null,
  teams: ["web"],
  files: [file],
};

const id = (at: number) => `${at}0000000-0000-4000-8000-000000000000`;
const huge = [1, 2, 3, 4, 5].map((at) => ({
  ...file,
  path: `projects/-a/${id(at)}.jsonl`,
  sizeBytes: limits.boxFileBytes,
}));

test("the largest allowed bundle is accepted", () => {
  const files = huge.slice(0, limits.boxBytes / limits.boxFileBytes);
  expect(readManifest({ ...page, files }).files).toEqual(files);
});

test("a manifest reads back as itself, without unknown keys", () =>
  expect(readManifest({ ...page, more: 1, files: [{ ...file, mode: 511 }] })).toEqual(page));

test.each([
  ["no manifest", null],
  ["no host", { ...page, host: undefined }],
  ["a host that is an option", { ...page, host: "-oProxyCommand=x" }],
  ["an invalid team", { ...page, teams: ["a b"] }],
  ["no files", { ...page, files: undefined }],
  ["a file from elsewhere", { ...page, files: [file, { ...file, path: "../x" }] }],
  ["a file without a checksum", { ...page, files: [{ ...file, sha256: "" }] }],
  ["a negative size", { ...page, files: [{ ...file, sizeBytes: -1 }] }],
  ["a huge file", { ...page, files: [{ ...file, sizeBytes: limits.boxFileBytes + 1 }] }],
  ["too much in all", { ...page, files: huge }],
  ["the same file twice", { ...page, files: [file, file] }],
  ["no time", { ...page, packedAt: "now" }],
  ["no time of a save", { ...page, savedAt: "\u001b[2J" }],
])("%s is refused", (_, value) => expect(() => readManifest(value)).toThrow(/refused|version/));

test("a newer manifest is refused, whatever else it has", () =>
  expect(() => readManifest({ version: 2 })).toThrow("a bundle of version 2; this hivemind reads version 1"));
