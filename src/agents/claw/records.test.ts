import { describe, expect, test } from "vitest";
import { checkedRecord, type JsonObject, type ManagedRecord, readMessage, recordLine } from "./records.js";

describe("a line", () => {
  test.each<[JsonObject, string]>([
    [{ type: "x", b: 1, a: 2 }, '{"a":2,"b":1,"type":"x"}\n'],
    [
      { z: { d: [{ b: 1, a: "ä\n" }], c: null }, a: true },
      '{"a":true,"z":{"c":null,"d":[{"a":"ä\\n","b":1}]}}\n',
    ],
    [JSON.parse('{"__proto__":{"b":0,"a":-1}}'), '{"__proto__":{"a":-1,"b":0}}\n'],
  ])("of %j has its keys in alphabetical order", (record, expected) =>
    expect(recordLine(record)).toBe(expected),
  );

  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("never has the number %s", (number) =>
    expect(() => recordLine({ a: [{ b: number }] })).toThrow(/integers only/),
  );

  test("is not nested too deeply", () => {
    let deep: JsonObject = {};
    for (let n = 0; n < 5_000; n++) deep = { deep };
    expect(() => recordLine(deep)).toThrow(/nested too deeply/);
  });
});

const blocks = [
  { type: "text", text: "hi" },
  { type: "thinking", thinking: "hm" },
  { type: "tool_use", id: "t", name: "sh", input: "{}" },
  { type: "tool_result", tool_use_id: "t", tool_name: "sh", output: "ok", is_error: false },
];

test.each<[string, ManagedRecord, boolean]>([
  ["a message", { type: "message", message: { role: "user", blocks } }, true],
  ["a message with unknown keys", { type: "message", message: { role: "tool", blocks: [], more: 1 } }, true],
  ["a message of an unknown role", { type: "message", message: { role: "boss", blocks } }, false],
  ["a message without blocks", { type: "message", message: { role: "user" } }, false],
  ["an incomplete block", { type: "message", message: { role: "user", blocks: [{ type: "text" }] } }, false],
  ["a compaction", { type: "compaction", count: 1, removed_message_count: 2, summary: "s" }, true],
  ["a compaction without a count", { type: "compaction", removed_message_count: 2, summary: "s" }, false],
  ["a prompt", { type: "prompt_history", timestamp_ms: 5, text: "t" }, true],
  ["a prompt with a negative time", { type: "prompt_history", timestamp_ms: -5, text: "t" }, false],
  ["a meta", { type: "session_meta", version: 1 }, false],
  ["an unknown type", { type: "vote" }, false],
])("%s is written: %j → %s", (_, record, isWritten) => {
  if (isWritten) expect(checkedRecord(record)).toBe(record);
  else expect(() => checkedRecord(record)).toThrow(/refused a record of type/);
});

test("the blocks of a message are read; unknown ones are marked", () => {
  expect(readMessage({ role: "assistant", blocks: [...blocks, { type: "image" }, 5] })).toEqual({
    role: "assistant",
    blocks: [
      { kind: "text", text: "hi" },
      { kind: "thinking", text: "hm" },
      { kind: "tool_use", name: "sh", input: "{}" },
      { kind: "tool_result", name: "sh", output: "ok", isError: false },
      { kind: "other", type: "image" },
      { kind: "other", type: "" },
    ],
  });
});
