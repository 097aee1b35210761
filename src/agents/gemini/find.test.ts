import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { SessionId } from "../../names/gates.js";
import { newSearch } from "../../transcripts/find.js";
import { noFacts } from "../../transcripts/transcript.js";
import {
  folderInProjects,
  headIn,
  idInLog,
  projectRootOf,
  readHead,
  sessionFilesIn,
  shortIdIn,
  slugFolderFor,
  slugFolders,
} from "./find.js";
import { geminiTranscripts } from "./transcript/find.js";

const id = "0b1f6e3c-7d52-4a58-9a51-3f0b8c2d9e11" as SessionId;
const lost = "1c2f6e3c-7d52-4a58-9a51-3f0b8c2d9e11" as SessionId;
const twin = "0b1f6e3c-0000-4a58-9a51-3f0b8c2d9e11" as SessionId;
const head = (sessionId: string, more: object = {}) =>
  JSON.stringify({ sessionId, projectHash: "h", startTime: "1970-01-01T00:00:05Z", kind: "main", ...more });

it("finds sessions by their first line, not by their names alone", () => {
  const home = mkdtempSync(join(tmpdir(), "hm-gemini-"));
  onTestFinished(() => rmSync(home, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(join(home, path, ".."), { recursive: true });
    writeFileSync(join(home, path), text);
    return join(home, path);
  };
  const own = write("tmp/w/chats/session-2026-11-18T07-01-0b1f6e3c.jsonl", `${head(id)}\n{}\n`);
  const other = write("tmp/w-1/chats/session-2026-11-18T07-02-0b1f6e3c.jsonl", `${head(twin)}\n`);
  const headless = write("tmp/w/chats/session-2026-11-18T07-03-1c2f6e3c.jsonl", '{"id":"x","type":"user"}\n');
  write(`tmp/w/chats/${id}/sub.jsonl`, `${head(id, { kind: "subagent" })}\n`);
  const said = { sessionId: lost, message: "a", timestamp: "1970-01-01T00:00:09Z" };
  write("tmp/w/logs.json", JSON.stringify([said, { ...said, sessionId: id }]));
  write("tmp/w/.project_root", "/srv/w");
  write("projects.json", JSON.stringify({ projects: { "/srv/x/w": "w-1" } }));

  const files = (found: { path: string }[]) => found.map(({ path }) => path);
  expect(slugFolders(home).flatMap((folder) => files(sessionFilesIn(folder)))).toEqual([
    own,
    headless,
    other,
  ]);
  const { find, findSessions, workFolderOf, isFoundFrom } = geminiTranscripts;
  expect(find(home, newSearch()).map((file) => file.id)).toEqual([id, lost, twin]);
  expect(files(findSessions(home, new Set([id]), newSearch()))).toEqual([own]);
  expect(files(findSessions(home, new Set([twin]), newSearch()))).toEqual([other]);
  expect(files(findSessions(home, new Set([lost]), newSearch()))).toEqual([headless]);
  expect(workFolderOf({ path: own, facts: noFacts() })).toBe("/srv/w");
  expect(["/srv/w", "/srv"].map((cwd) => isFoundFrom({ path: own, facts: noFacts() }, cwd))).toEqual([
    true,
    false,
  ]);
  expect(readHead(headless)).toBeNull();
  expect(readHead(join(home, "none"))).toBeNull();
  const slugs = ["w", "w-1", "w-2"].map((slug) => join(home, "tmp", slug));
  expect(slugs.map(projectRootOf)).toEqual(["/srv/w", "/srv/x/w", null]);
  expect(["/srv/w", "/srv/x/w", "/srv"].map((cwd) => slugFolderFor(home, cwd))).toEqual([
    slugs[0],
    slugs[1],
    null,
  ]);
  expect(idInLog(slugs[0]!, "ffffffff")).toBeNull();
  expect(slugFolders(join(home, "none"))).toEqual([]);
});

it.each([
  [head(id), { id, startedAtMs: 5_000 }],
  [head(id, { startTime: "never" }), { id, startedAtMs: null }],
  [head("my-own-name"), null],
  [head(id, { kind: "subagent" }), null],
  [JSON.stringify({ sessionId: id }), null],
  ["no json", null],
])("the head %s", (line, expected) => {
  expect(headIn(line)).toEqual(expected);
});

it.each([
  ["session-2026-11-18T06-52-11111111.jsonl", "11111111"],
  ["session-1794984834550-0b1f6e3c.jsonl", "0b1f6e3c"],
  ["session-2026-11-18T06-52-11111111.jsonl.tmp-77", null],
  ["session-2026-11-18T06-52-11111111.jsonl.unreadable-1", null],
  ["0b1f6e3c-7d52-4a58-9a51-3f0b8c2d9e11.jsonl", null],
])("the name %s has the digits %s", (name, short) => {
  expect(shortIdIn(name)).toBe(short);
});

it("a folder is not guessed from a broken list", () => {
  expect(folderInProjects("{", "w")).toBeNull();
});
