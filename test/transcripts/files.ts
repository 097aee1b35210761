// Transcripts for tests: written as the client would, into a test's own config folder.

import { appendFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { claudeTranscripts } from "../../src/agents/claude/transcript/find.js";
import { claudeLines } from "../../src/agents/claude/transcript/lines.js";
import { limits } from "../../src/limits.js";
import type { SessionId } from "../../src/names/gates.js";
import type { Root } from "../../src/transcripts/find.js";
import type { TranscriptParser } from "../../src/transcripts/transcript.js";
import { until } from "../home.js";

export function idOf(number: number): SessionId {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}` as SessionId;
}

/** A client's folder whose transcripts are read with these rules. */
export function rootIn(folder: string, parser: TranscriptParser = claudeLines): Root {
  return { folder, format: { ...claudeTranscripts, parser } };
}

export function transcriptPath(config: string, id: string, slug = "-srv-a"): string {
  return join(config, "projects", slug, `${id}.jsonl`);
}

export function writeTranscript(path: string, ...lines: string[]): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
  return path;
}

export function appendLine(path: string, line: string): void {
  appendFileSync(path, `${line}\n`);
}

export function title(text: string): string {
  return JSON.stringify({ type: "custom-title", customTitle: text });
}

export function user(uuid: string, more: object = {}): string {
  const message = { role: "user", content: "hello" };
  return JSON.stringify({
    parentUuid: null,
    cwd: "/srv/a",
    type: "user",
    message,
    uuid,
    timestamp: "2026-01-01T00:00:00Z",
    ...more,
  });
}

/** Resolves when no later write can hide behind the file's times. */
export async function settled(path: string): Promise<void> {
  await until(
    "the file's times are old",
    () => Date.now() - statSync(path).ctimeMs > limits.transcriptRacyMs + 1,
  );
}
