// Makes the client's folder ready for a start. A start deletes every file that is no conversation in the client's eyes.
//
// - The process of a session that lost its file this way writes a new one without its first line. Its messages are in
//   it, but the client takes it for rubbish: the next start would delete them. The client accepts the lost fields in
//   any line, so they are appended, also while that process runs.
// - The client refuses to create a session whose file exists, and refuses to resume one without a message. A file
//   without a message is left by a killed process; it is removed before its session is created again.

import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { appendLines, removeFile } from "../../base/files/atomic-file.js";
import type { SessionId } from "../../names/gates.js";
import { noFacts } from "../../transcripts/transcript.js";
import type { StartPlace } from "../launch.js";
import { idInLog, projectRootOf, readHead, type SessionFile, sessionFilesIn, slugFolderFor } from "./find.js";
import { geminiLines } from "./transcript/lines.js";

export function prepareStart({ folder, cwd, session }: StartPlace): void {
  const slugFolder = folder === null ? null : slugFolderFor(folder, cwd);
  if (slugFolder === null) return;
  for (const file of sessionFilesIn(slugFolder)) {
    const head = readHead(file.path);
    if (head === null) giveHead(slugFolder, file);
    else if (session.how === "create" && head.id === session.id && !hasMessage(file.path))
      removeFile(file.path);
  }
}

/** Null for text that has the fields already, or is no conversation. */
export function lostHead(text: string, id: SessionId, root: string, startedAtMs: number): string | null {
  if (/"projectHash":"/.test(text) || countIn(Buffer.from(text)) === 0) return null;
  const projectHash = createHash("sha256").update(root).digest("hex");
  const startTime = new Date(startedAtMs).toISOString();
  return `${JSON.stringify({ $set: { sessionId: id, projectHash, startTime, kind: "main" } })}\n`;
}

function giveHead(slugFolder: string, { path, short }: SessionFile): void {
  const id = idInLog(slugFolder, short);
  const root = projectRootOf(slugFolder);
  if (id === null || root === null) return;
  const { birthtimeMs, mtimeMs } = statSync(path);
  const line = lostHead(readFileSync(path, "utf8"), id, root, birthtimeMs || mtimeMs);
  if (line !== null) appendLines(path, line);
}

function hasMessage(path: string): boolean {
  return countIn(readFileSync(path)) > 0;
}

function countIn(bytes: Buffer): number {
  const facts = noFacts();
  geminiLines.addFacts(facts, bytes, 0, bytes.length);
  return facts.messages;
}
