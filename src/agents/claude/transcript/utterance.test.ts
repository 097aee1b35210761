import { expect, test } from "vitest";
import { textsIn } from "../../utterance.js";
import { readUtterance } from "./utterance.js";

const at = "2026-01-01T00:00:00.000Z";
const record = (type: string, content: unknown, more: object = {}) =>
  JSON.stringify({ type, uuid: "u", cwd: "/c", timestamp: at, message: { role: type, content }, ...more });
const texts = (line: string) => readUtterance(line)?.blocks.flatMap(textsIn) ?? null;

test.each([
  ["words", record("user", 'say "hi"\n'), ['say "hi"\n']],
  [
    "blocks",
    record("assistant", [
      { type: "text", text: "a" },
      { type: "thinking", thinking: "b" },
    ]),
    ["a", "b"],
  ],
  [
    "a tool's input, without its keys",
    record("assistant", [
      { type: "tool_use", name: "Edit", input: { path: "x", edits: [{ new: "y", at: 3 }] } },
    ]),
    ["x", "y"],
  ],
  [
    "a tool's result",
    record("user", [{ type: "tool_result", content: [{ type: "text", text: "ok" }, { type: "image" }] }], {
      toolUseResult: { stdout: "ok" },
    }),
    ["ok"],
  ],
  ["a note of the client", JSON.stringify({ type: "system", content: "compacted" }), ["compacted"]],
])("%s", (_, line, expected) => expect(texts(line)).toEqual(expected));

test.each([
  [record("user", "a"), "user"],
  [record("user", "a", { isMeta: true }), "system"],
  [record("user", [{ type: "tool_result", content: "a" }]), "tool"],
  [record("assistant", [{ type: "text", text: "a" }]), "assistant"],
])("%s has the role %s", (line, role) =>
  expect(readUtterance(line)).toMatchObject({ role, atMs: Date.parse(at), isSide: false }),
);

test.each([
  ["{"],
  ["null"],
  ["[]"],
  [JSON.stringify({ type: "custom-title", customTitle: "a" })],
  [JSON.stringify({ type: "user" })],
  [JSON.stringify({ type: "user", message: { content: 7 } })],
  [JSON.stringify({ type: "attachment", attachment: { stdout: "a" } })],
])("%s has no text", (line) => expect(readUtterance(line)).toBeNull());

test("an unknown block keeps its place", () => {
  const odd = [{ type: "image" }, { type: "text", text: 7 }, 3, { type: "tool_use" }];
  expect(readUtterance(record("user", [...odd, { type: "text", text: "a" }]))?.blocks).toEqual([
    { kind: "other", type: "image" },
    { kind: "other", type: "text" },
    { kind: "other", type: "" },
    { kind: "other", type: "tool_use" },
    { kind: "text", text: "a" },
  ]);
});

test("deeply nested text is found", () => {
  const deep = `${'{"a":['.repeat(2000)}"deep"${"]}".repeat(2000)}`;
  const line = `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"t","input":${deep}}]}}`;
  expect(texts(line)).toEqual(["deep"]);
});
