import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type Facts, noChain, noFacts } from "../../../transcripts/transcript.js";
import { geminiLines } from "./lines.js";

/** Recorded from 0.61.0: answers, a refused tool, a queue, two errors, an edit, and the summary of the next start. */
const recorded = readFileSync(new URL("../../../../test/kinds/gemini/session.jsonl", import.meta.url));

function factsOf(bytes: Buffer, ...cuts: number[]): Facts {
  const facts = noFacts();
  for (const [at, from] of [0, ...cuts].entries())
    geminiLines.addFacts(facts, bytes, from, cuts[at] ?? bytes.length);
  return facts;
}

const lines = (...records: object[]) =>
  Buffer.from(records.map((each) => `${JSON.stringify(each)}\n`).join(""));
const said = (type: string, content: unknown, more: object = {}) => ({
  id: `m${count++}`,
  timestamp: new Date(1_000 * count).toISOString(),
  type,
  content,
  ...more,
});
let count = 1;
const tokens = (input: number) => ({
  tokens: { input, output: 5, total: input + 5 },
  model: "gemini-2.5-pro",
});
const note = said("user", [
  {
    text: "<session_context>\n- **Workspace Directories:**\n  - /srv/w\n- **Directory Structure:**\n</session_context>",
  },
]);

describe("the recorded session", () => {
  it("has these facts", () => {
    expect(factsOf(recorded)).toMatchObject({
      title: "Make a file, then edit it.",
      firstCwd: "/home/people/project",
      lastCwd: "/home/people/project",
      model: "gemini-3.1-pro-preview",
      usedTokens: 10,
      largestTokens: 10,
      isCompacted: false,
      rootMessage: "60e9d07f-39e5-4b5a-8408-5d6869d17ac9",
      firstAtMs: Date.parse("2026-11-18T07:03:26.759Z"),
      lastAtMs: Date.parse("2026-11-18T07:04:03.517Z"),
      // Seven prompts, six answers, one tool result; not the copies after the refused tool.
      messages: 14,
      lastTurn: { end: "answer", words: "ok" },
    });
  });

  it("has the same facts wherever the file is cut", () => {
    const whole = factsOf(recorded);
    for (let at = recorded.indexOf(10); at >= 0; at = recorded.indexOf(10, at + 1))
      expect(factsOf(recorded, at + 1)).toEqual(whole);
  });

  it("has each message once in its chain", () => {
    const chain = noChain();
    geminiLines.addChain!(chain, recorded, 0, recorded.length);
    expect(new Set(chain.messages).size).toBe(chain.messages.length);
    expect(chain.kinds).toBe("papacpapapccpccpaaa");
    expect(chain.timesMs).toHaveLength(chain.messages.length);
  });
});

describe("the facts of single records", () => {
  it.each<[string, object[], Partial<Facts>]>([
    [
      "a head alone",
      [{ sessionId: "s", projectHash: "h", startTime: "1970-01-01T00:00:05Z" }],
      { firstAtMs: 5_000, messages: 0, rootMessage: null, lastTurn: null },
    ],
    [
      "a note names the folder and is no message",
      [{ $set: { messages: [note] } }],
      { firstCwd: "/srv/w", messages: 0, rootMessage: null, isCompacted: false },
    ],
    [
      "the last answer counts, and the largest",
      [said("gemini", "a", tokens(900)), said("gemini", "b", tokens(20))],
      { usedTokens: 20, largestTokens: 900 },
    ],
    [
      "an error ends the turn",
      [said("user", "x"), said("error", "[API Error: y]")],
      { lastTurn: { end: "error", words: "[API Error: y]", atMs: expect.any(Number) } },
    ],
    [
      "a prompt comes after an error",
      [said("error", "e"), said("user", [{ text: "x" }])],
      { lastTurn: { end: "prompt", words: "e", atMs: expect.any(Number) } },
    ],
    [
      "a cancelled turn ends like a prompt",
      [said("gemini", "a", tokens(1)), said("info", "Request cancelled.")],
      { lastTurn: { end: "prompt", words: "a", atMs: expect.any(Number) } },
    ],
    [
      "a new list without numbers leaves the use unknown",
      [said("gemini", "a", tokens(70)), { $set: { messages: [note, said("user", "summary")] } }],
      { usedTokens: null, isCompacted: true, largestTokens: 70, model: "gemini-2.5-pro" },
    ],
    [
      "a new list with an answer has its numbers",
      [said("gemini", "a", tokens(70)), { $set: { messages: [note, said("gemini", "b", tokens(30))] } }],
      { usedTokens: 30, isCompacted: false },
    ],
    [
      "a rewind leaves the use unknown",
      [said("gemini", "a", tokens(70)), { $rewindTo: "m1" }],
      { usedTokens: null, isCompacted: true },
    ],
    [
      "the last summary is the title",
      [{ $set: { summary: "one" } }, { $set: { summary: "two\nlines" } }],
      { title: "two lines" },
    ],
    [
      "unknown records and broken lines change nothing",
      [{ new: 1 }, [1], { id: 7 }],
      { messages: 0, title: null },
    ],
  ])("%s", (_what, records, expected) => {
    expect(factsOf(lines(...records))).toMatchObject(expected);
  });

  it("a torn line is skipped", () => {
    const bytes = lines(said("user", "x"));
    expect(factsOf(Buffer.concat([bytes, bytes.subarray(0, 20)]))).toMatchObject({ messages: 1 });
  });
});
