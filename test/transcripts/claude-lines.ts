// Records of Claude transcripts as the client writes them, and the facts of their lines.

import { expect } from "vitest";
import { claudeLines } from "../../src/agents/claude/transcript/lines.js";
import { type Facts, noFacts } from "../../src/transcripts/transcript.js";

let made = 0;
export type Json = Record<string, unknown>;

export function user(more: Json = {}): Json {
  return { ...message(), type: "user", message: { role: "user", content: "hello" }, ...more };
}

/** In the client's own order: the type comes after the message. */
export function assistant(tokens: number, more: Json = {}, usage: Json = {}): Json {
  const used = {
    input_tokens: 3,
    cache_creation_input_tokens: tokens - 10,
    cache_read_input_tokens: 7,
    output_tokens: 5,
    ...usage,
  };
  return {
    ...message(),
    message: { model: "claude-x", content: [], usage: used },
    type: "assistant",
    ...more,
  };
}

export function message(): Json {
  made++;
  const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, made)).toISOString();
  return {
    parentUuid: null,
    isSidechain: false,
    cwd: "/w",
    gitBranch: "main",
    version: "2.1.0",
    uuid: `m${made}`,
    timestamp,
  };
}

export function title(customTitle: unknown): Json {
  return { type: "custom-title", customTitle };
}

/** Adds the lines in one call, and one by one: the facts must be the same. */
export function factsOf(...lines: (Json | string)[]): Facts {
  const texts = lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`);
  const whole = noFacts();
  const bytes = Buffer.from(texts.join(""));
  claudeLines.addFacts(whole, bytes, 0, bytes.length);
  const piecemeal = noFacts();
  for (const text of texts) claudeLines.addFacts(piecemeal, Buffer.from(text), 0, Buffer.byteLength(text));
  expect(piecemeal).toEqual(whole);
  return whole;
}
