import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { digestOf, proofIn, turnIn } from "./message-records.js";
import { readUtterance } from "./utterance.js";

const recorded = readFileSync(
  new URL("../../../../test/kinds/gemini/session.jsonl", import.meta.url),
  "utf8",
);
const key = (text: string) => ({ digest: digestOf(text) });

describe("in the recorded session", () => {
  it.each([
    ["how are you", "answered", "answered", "well, thank you"],
    ["make it", "taken", "interrupted", ""],
    ["slow please", "answered", "answered", "done at last"],
    ["fail400", "answered", "failed", ""],
    ["quota", "answered", "failed", ""],
    ["edit it", "answered", "answered", "ok"],
  ])("%s", (text, proof, end, words) => {
    expect(proofIn(recorded, key(text))).toBe(proof);
    expect(turnIn(recorded, key(text))).toMatchObject({ end, words });
  });

  it("words that were never said prove nothing", () => {
    expect(proofIn(recorded, key("well, thank you"))).toBe("nothing");
    expect(proofIn(recorded, key("session_context"))).toBe("nothing");
    expect(turnIn(recorded, key("how"))).toBeNull();
  });
});

describe("of single records", () => {
  const prompt = (content: unknown, more: object = {}) => ({
    id: "p",
    timestamp: "2026-01-01T00:00:00Z",
    type: "user",
    content,
    ...more,
  });
  const answer = (content: unknown, more: object = {}) => ({ id: "a", type: "gemini", content, ...more });
  const text = (...records: object[]) => records.map((each) => `${JSON.stringify(each)}\n`).join("");

  it.each<[string, string, object[], string]>([
    ["joined with other queued ones", "b\n\nc", [prompt([{ text: "a\n\nb\n\nc\n\nd" }])], "taken"],
    ["a part of a part", "b", [prompt([{ text: "a\n\nbc" }])], "nothing"],
    [
      "as typed, not as sent",
      "see me@x.org",
      [prompt([{ text: "see me @x.org" }, { text: "more" }], { displayContent: [{ text: "see me@x.org" }] })],
      "taken",
    ],
    [
      "a tool call is an answer that has begun",
      "go",
      [prompt("go"), answer("", { toolCalls: [] })],
      "answered",
    ],
    ["quoted by the agent", "go", [answer("go")], "nothing"],
    ["a result that quotes it", "go", [prompt([{ functionResponse: {} }, { text: "go" }])], "nothing"],
    ["a torn line", "go", [], "nothing"],
  ])("%s", (_what, message, records, expected) => {
    expect(proofIn(`${text(...records)}{"id":"p","type":"user","content":"go"`, key(message))).toBe(expected);
  });

  it("a turn that only calls tools so far has begun", () => {
    const lines = text(prompt("go"), answer(""), answer("", { toolCalls: [{ id: "1" }] }));
    expect(turnIn(lines, key("go"))).toEqual({ end: "begun", words: "", failure: "" });
  });
});

describe("the contents of a line", () => {
  it("are what people and the model wrote, each once", () => {
    const shown = recorded.split("\n").flatMap((line) => readUtterance(line) ?? []);
    expect(shown.filter(({ role }) => role === "user").map(({ blocks }) => blocks)).toEqual(
      ["how are you", "make it", "slow please", "next one", "fail400", "quota", "edit it"].map((text) => [
        { kind: "text", text },
      ]),
    );
    const tools = shown.flatMap(({ blocks }) => blocks.filter(({ kind }) => kind.startsWith("tool")));
    expect(tools.map(({ kind }) => kind)).toEqual(["tool_use", "tool_result", "tool_use", "tool_result"]);
  });

  it.each([
    [
      { id: "1", type: "gemini", content: "", thoughts: [{ subject: "Look", description: "at it" }] },
      "assistant",
      { kind: "thinking", text: "Look: at it" },
    ],
    [{ id: "1", type: "error", content: "broken" }, "system", { kind: "text", text: "broken" }],
    [
      { id: "1", type: "user", content: [{ text: "<session_context>x" }] },
      "system",
      { kind: "text", text: "<session_context>x" },
    ],
    [
      { id: "1", type: "gemini", content: "", toolCalls: [{ name: "ls", args: { a: 1 } }] },
      "assistant",
      { kind: "tool_use", name: "ls", input: { a: 1 } },
    ],
  ])("%j", (record, role, block) => {
    expect(readUtterance(JSON.stringify(record))).toMatchObject({ role, blocks: [block] });
  });

  it.each([
    { $set: { messages: [{ id: "1", type: "user", content: "x" }] } },
    { $set: { lastUpdated: "x" } },
    { id: "1", type: "new", content: "x" },
  ])("%j is empty", (record) => {
    expect(readUtterance(JSON.stringify(record))).toBeNull();
  });
});
