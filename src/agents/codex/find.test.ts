import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { SessionId } from "../../names/gates.js";
import { newSearch } from "../../transcripts/find.js";
import { begunAtMs, codexTranscripts } from "./find.js";

const { find, findSessions } = codexTranscripts;

const id = "01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c" as SessionId;
const old = "15533422-8bdb-4079-8420-efcdb81dd2e5" as SessionId;

function folderWith(...paths: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), "hm-codex-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const path of paths) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), "");
  }
  return folder;
}

const own = `sessions/2026/11/18/rollout-2026-11-18T06-52-52-${id}.jsonl`;

test("rollouts are found by their form, in the folders of days and in the archive", () => {
  const archived = `archived_sessions/rollout-2026-01-01T00-00-00-${old}.jsonl`;
  const folder = folderWith(
    own,
    archived,
    `sessions/2026/11/18/${id}.jsonl`,
    `sessions/2026/11/rollout-2026-11-18T06-52-52-${id}.jsonl`,
    `sessions/latest/11/18/rollout-2026-11-18T06-52-52-${id}.jsonl`,
    "sessions/2026/11/18/rollout-2026-11-18T06-52-52-x.jsonl",
  );
  symlinkSync(join(folder, own), join(folder, `sessions/2026/11/18/rollout-2026-${old}.jsonl`));
  const problems = newSearch().problems;
  const search = () => ({ ...newSearch(), problems });
  expect(find(folder, search()).map(({ path }) => path)).toEqual([join(folder, own), join(folder, archived)]);
  expect(findSessions(folder, new Set([id]), search()).map(({ path }) => path)).toEqual([join(folder, own)]);
  expect(findSessions(folder, new Set([old]), search()).map(({ path }) => path)).toEqual([
    join(folder, archived),
  ]);
  expect(problems).toEqual([]);
});

test.each(["2026/11/17", "2026/11/19"])("one session is found on a neighbouring day, %s", (day) => {
  const folder = folderWith(`sessions/${day}/rollout-2026-11-18T06-52-52-${id}.jsonl`);
  expect(findSessions(folder, new Set([id]), newSearch())).toHaveLength(1);
});

test("a missing folder is empty", () => {
  const search = newSearch();
  expect(find("/nowhere", search)).toEqual([]);
  expect(search.problems).toEqual([]);
});

test("an id of version 7 has the time of its beginning", () => {
  expect(new Date(begunAtMs(id)!).toISOString()).toBe("2026-11-18T06:52:52.947Z");
  expect(begunAtMs(old)).toBeNull();
});
