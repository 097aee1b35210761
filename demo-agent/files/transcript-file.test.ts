import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { appendTranscript, readTranscript, transcriptPath } from "./transcript-file.js";

function freshPath(): string {
  const root = mkdtempSync(join(tmpdir(), "hm-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  return transcriptPath(root, "/srv/my dir", "id");
}

test("a transcript is private and grows", () => {
  const path = freshPath();
  appendTranscript(path, [{ type: "a" }]);
  appendTranscript(path, [{ type: "b" }, { type: "c" }]);
  expect(path).toContain("/projects/-srv-my-dir/id.jsonl");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readFileSync(path, "utf8")).toBe('{"type":"a"}\n{"type":"b"}\n{"type":"c"}\n');
});

test("a torn last line is skipped, then closed", () => {
  const path = freshPath();
  appendTranscript(path, [{ type: "a" }]);
  appendFileSync(path, '{"type":"to');
  expect(readTranscript(path)).toEqual([{ type: "a" }]);
  appendTranscript(path, [{ type: "b" }]);
  expect(readTranscript(path)).toEqual([{ type: "a" }, { type: "b" }]);
});
