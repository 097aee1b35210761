import { expect, test } from "vitest";
import { limits } from "../../../limits.js";
import { type Facts, noFacts } from "../../../transcripts/transcript.js";
import { claudeLines } from "./lines.js";

type Json = Record<string, unknown>;

let second = 0;

function record(type: string, more: Json): Json {
  const timestamp = new Date(Date.UTC(2026, 0, 1, 0, 0, ++second)).toISOString();
  return { isSidechain: false, type, timestamp, ...more };
}

const user = (more: Json = {}) => record("user", { message: { content: "hello" }, ...more });
const said = (text: string, more: Json = {}) =>
  record("assistant", { message: { model: "claude-x", content: [{ type: "text", text }] }, ...more });
const system = (subtype: string) => record("system", { subtype });

/** Adds the lines in one call, and one by one: the facts must be the same. */
function endOf(...lines: Json[]): Facts["lastTurn"] {
  const texts = lines.map((line) => `${JSON.stringify(line)}\n`);
  const [whole, piecemeal] = [noFacts(), noFacts()];
  const bytes = Buffer.from(texts.join(""));
  claudeLines.addFacts(whole, bytes, 0, bytes.length);
  for (const text of texts) claudeLines.addFacts(piecemeal, Buffer.from(text), 0, Buffer.byteLength(text));
  expect(piecemeal.lastTurn).toEqual(whole.lastTurn);
  return whole.lastTurn;
}

const words = "API Error: 500 oops";
const failed = said(words, { isApiErrorMessage: true });
const giant = { message: { content: "x".repeat(limits.transcriptPlainBytes) } };

test.each<[string, Json[], Json | null]>([
  ["there is no message", [record("custom-title", { customTitle: "t" })], null],
  ["a person spoke", [user()], { end: "prompt", words: "" }],
  ["the model answered", [user(), said(" well \n")], { end: "answer", words: "well" }],
  ["the model writes like the client", [user(), said(words)], { end: "answer", words }],
  [
    "the answer is a tool",
    [said("x"), record("assistant", { message: { content: [{ type: "tool_use" }] } })],
    { end: "answer", words: "" },
  ],
  ["a turn failed", [user(), failed], { end: "error", words }],
  ["a note follows a failure", [failed, system("turn_duration")], { end: "error", words }],
  ["a reminder follows a failure", [failed, user({ isMeta: true })], { end: "error", words }],
  ["a sub-agent speaks after a failure", [failed, said("x", { isSidechain: true })], { end: "error", words }],
  ["a sub-agent failed", [said("well"), { ...failed, isSidechain: true }], { end: "answer", words: "well" }],
  ["an answer follows a failure", [failed, user(), said("well")], { end: "answer", words: "well" }],
  ["a person speaks after a failure", [failed, user()], { end: "prompt", words }],
  ["a person runs a command after a failure", [failed, system("local_command")], { end: "prompt", words }],
  [
    "another agent speaks after a failure",
    [failed, user({ isMeta: true, origin: { kind: "peer" } })],
    { end: "prompt", words },
  ],
  [
    "a failure is written before its prompt",
    [failed, user({ timestamp: "2026-01-01T00:00:00Z" })],
    { end: "error", words },
  ],
  ["a giant prompt follows a failure", [failed, user(giant)], { end: "prompt", words }],
  ["a giant answer follows a failure", [failed, record("assistant", giant)], { end: "answer", words: "" }],
])("the end of a conversation is known when %s", (_, lines, expected) => {
  const end = endOf(...lines);
  if (expected === null) expect(end).toBeNull();
  else expect(end).toMatchObject(expected);
});

test("long words are cut at the end", () => {
  expect(endOf(said("x".repeat(5_000)))?.words).toHaveLength(limits.transcriptWords);
});
