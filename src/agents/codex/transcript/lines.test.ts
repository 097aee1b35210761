import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { type Facts, noFacts } from "../../../transcripts/transcript.js";
import { codexLines } from "./lines.js";

const rollout = (name: string) =>
  readFileSync(new URL(`../../../../test/kinds/codex/rollouts/${name}.jsonl`, import.meta.url));
const [talk, fork] = [rollout("talk"), rollout("fork")];

function factsOf(bytes: Buffer): Facts {
  const facts = noFacts();
  codexLines.addFacts(facts, bytes, 0, bytes.length);
  return facts;
}

describe("a recorded conversation", () => {
  it("has its facts", () => {
    expect(factsOf(talk)).toEqual({
      ...noFacts(),
      firstCwd: "/home/somebody/w",
      lastCwd: "/home/somebody/w2",
      version: "0.166.0",
      model: "gpt-5.5",
      usedTokens: 124_233,
      usedAtMs: Date.parse("2026-11-18T07:00:24.248Z"),
      largestTokens: 258_115,
      windowTokens: 258_400,
      rootMessage: "01a1ed6e-80e9-7ab1-b5f2-d520a77617cf",
      isRooted: true,
      firstAtMs: Date.parse("2026-11-18T06:52:52.950Z"),
      lastAtMs: Date.parse("2026-11-18T07:00:26.734Z"),
      messages: 10,
      beginsWithClear: false,
      isCopying: false,
      // A shell line came after the answer.
      lastTurn: { end: "prompt", words: "big", atMs: Date.parse("2026-11-18T07:00:24.251Z") },
    });
  });

  it("gives the same facts however it is split", () => {
    const whole = factsOf(talk);
    const ends = [...talk.entries()].flatMap(([at, byte]) => (byte === 0x0a ? [at + 1] : []));
    for (const end of ends) {
      const facts = noFacts();
      codexLines.addFacts(facts, talk, 0, end);
      codexLines.addFacts(facts, talk, end, talk.length);
      expect(facts).toEqual(whole);
    }
  });
});

test("a fork names its parent, and has none of its records", () => {
  const facts = factsOf(fork);
  expect(facts.forkedFrom).toEqual({ sessionId: "01a1ed71-fb3e-7080-b496-3688cbeb96d3", message: null });
  expect(facts).toMatchObject({ messages: 2, isRooted: false, isCopying: false });
  expect(facts.behindCopiesAtMs).toBe(Date.parse("2026-11-18T06:57:32.700Z"));
});

const at = "2026-11-18T07:00:00.000Z";
const atMs = Date.parse(at);
const line = (type: string, payload: object) =>
  `${JSON.stringify({ timestamp: at, ordinal: 1, type, payload })}\n`;
const event = (type: string, more: object = {}) => line("event_msg", { type, ...more });
const said = (type: string) => event("item_completed", { item: { type, id: "m", content: [] } });
const complete = (more: object) =>
  event("task_complete", { turn_id: "t", last_agent_message: null, ...more });
const tokens = (total: number) =>
  event("token_count", {
    info: { total_token_usage: { total_tokens: 9_999_999 }, last_token_usage: { total_tokens: total } },
  });

test.each<[string, string, Partial<Facts>]>([
  [
    "an answer",
    complete({ last_agent_message: " done " }),
    { lastTurn: { end: "answer", words: "done", atMs } },
  ],
  ["an error", complete({ error: { message: "bad" } }), { lastTurn: { end: "error", words: "bad", atMs } }],
  [
    "a message after it",
    complete({ error: { message: "bad" } }) + said("UserMessage"),
    { lastTurn: { end: "prompt", words: "bad", atMs } },
  ],
  ["only begun", event("task_started"), { lastTurn: { end: "prompt", words: "", atMs: null } }],
  [
    "interrupted",
    event("task_started") + event("turn_aborted"),
    { lastTurn: { end: "prompt", words: "", atMs: null } },
  ],
  [
    "compacted, and not answered",
    tokens(70) + line("compacted", {}),
    { isCompacted: true, usedTokens: null, largestTokens: 70 },
  ],
  [
    "compacted, then counted",
    tokens(70) + line("compacted", {}) + tokens(8),
    { isCompacted: false, usedTokens: 8, largestTokens: 70 },
  ],
  [
    "no count in it",
    tokens(70) + event("token_count", { info: null }),
    { usedTokens: 70, largestTokens: 70 },
  ],
  [
    "an older client's messages",
    event("user_message", { message: "hi" }) + event("agent_message"),
    { messages: 2 },
  ],
  ["quoted records", line("response_item", { type: "message", text: said("UserMessage") }), { messages: 0 }],
  [
    "another order of members",
    `{"payload":{"item":{"id":"m","type":"UserMessage"},"type":"item_completed"},"type":"event_msg"}\n`,
    { messages: 1 },
  ],
  [
    "a sub-agent's",
    line("session_meta", { source: { subagent: { thread_spawn: {} } }, timestamp: at }),
    { isSubAgent: true },
  ],
  ["a person's", line("session_meta", { source: "cli", timestamp: at }), { isSubAgent: false }],
  ["no JSON", "nonsense\n\n{\n", { messages: 0, lastAtMs: null }],
])("%s", (_, text, expected) => expect(factsOf(Buffer.from(text))).toMatchObject(expected));
