import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { lastPermissionMode } from "./permission-mode.js";

const folder = mkdtempSync(join(tmpdir(), "hm-mode-"));
afterAll(() => rmSync(folder, { recursive: true }));

const mode = (permissionMode: unknown) => JSON.stringify({ type: "permission-mode", permissionMode });
const said = (content: unknown) => JSON.stringify({ type: "user", message: { role: "user", content } });

function modeOf(...lines: readonly string[]): string | null {
  const path = join(folder, "a.jsonl");
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return lastPermissionMode(path);
}

test.each([
  ["the last record counts", [mode("default"), said("a"), mode("plan"), said("b")], "plan"],
  ["words of a person do not", [mode("plan"), said(mode("bypassPermissions"))], "plan"],
  [
    "a result that holds such a record does not",
    [mode("plan"), JSON.stringify({ type: "user", toolUseResult: JSON.parse(mode("auto")) })],
    "plan",
  ],
  ["a record without a mode says nothing", [mode("plan"), mode(7), mode(null)], "plan"],
  ["what could be an option is no mode", [mode("plan"), mode("--x"), mode("a b")], "plan"],
  ["half a record at the end is no record", [mode("plan"), mode("auto").slice(0, -2)], "plan"],
  ["a conversation without one says nothing", [said("a")], null],
  ["so does an empty file", [], null],
])("%s", (_, lines, found) => {
  expect(modeOf(...lines)).toBe(found);
});

test("behind a long conversation it is found too", () => {
  expect(modeOf(mode("acceptEdits"), ...Array.from({ length: 400 }, () => said("x".repeat(20_000))))).toBe(
    "acceptEdits",
  );
});

test("what is no file of its own has none", () => {
  symlinkSync(join(folder, "a.jsonl"), join(folder, "link.jsonl"));
  for (const name of ["link.jsonl", "missing.jsonl", "."])
    expect(lastPermissionMode(join(folder, name))).toBeNull();
});
