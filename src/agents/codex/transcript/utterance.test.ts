import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readUtterance } from "./utterance.js";

const talk = readFileSync(
  new URL("../../../../test/kinds/codex/rollouts/talk.jsonl", import.meta.url),
  "utf8",
);

test("a recorded conversation reads in order, each word once", () => {
  const said = talk.split("\n").flatMap((line) => {
    const utterance = readUtterance(line);
    return utterance === null ? [] : utterance.blocks.map((block) => [utterance.role, block] as const);
  });
  const texts = said.map(([role, block]) => {
    if (block.kind === "text") return `${role}: ${block.text.slice(0, 20)}`;
    return block.kind === "tool_use" ? `${role} uses ${block.name}` : `${role} ${block.kind}`;
  });
  expect(texts).toEqual([
    "system: <skills_instructions",
    "system: <permissions instruc",
    "system: <collaboration_mode>",
    "system: <environment_context",
    "user: hello there",
    "assistant: ok",
    "user: queued one",
    "assistant: ok",
    "user: run [tool] please",
    "assistant uses exec_command",
    "tool tool_result",
    "assistant: ok",
    "user: now [500]",
    "system: We’re currently expe",
    "assistant: ok",
    "system: Another language mod",
    "user: [hold] interrupt me",
    "system: <turn_aborted>\nThe u",
    "assistant: ok",
    "system: Another language mod",
    "user: after [big] compacti",
    "assistant: big",
    "user: <user_shell_command>",
  ]);
});

const item = (payload: object) =>
  JSON.stringify({ timestamp: "2026-11-18T07:00:00.000Z", type: "response_item", payload });

test.each<[string, object, object]>([
  [
    "arguments",
    { type: "function_call", name: "f", arguments: '{"a":1}' },
    { kind: "tool_use", name: "f", input: { a: 1 } },
  ],
  [
    "broken arguments",
    { type: "function_call", name: "f", arguments: "{" },
    { kind: "tool_use", name: "f", input: "{" },
  ],
  [
    "a patch",
    { type: "custom_tool_call", name: "apply_patch", input: "*** Begin" },
    { kind: "tool_use", name: "apply_patch", input: "*** Begin" },
  ],
  [
    "an output in parts",
    { type: "function_call_output", output: [{ type: "input_text", text: "a" }, { text: "b" }] },
    { kind: "tool_result", name: null, output: "a\nb", isError: false },
  ],
  [
    "a thought",
    { type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] },
    { kind: "thinking", text: "hm" },
  ],
  [
    "an image",
    { type: "message", role: "user", content: [{ type: "input_image", image_url: "x" }] },
    { kind: "other", type: "input_image" },
  ],
  ["an unknown item", { type: "web_search_call" }, { kind: "other", type: "web_search_call" }],
])("%s", (_, payload, block) => expect(readUtterance(item(payload))?.blocks).toEqual([block]));

test.each(["", "x", "[]", item({ type: "message", role: "user", content: [] })])("%j is empty", (line) => {
  expect(readUtterance(line)).toBeNull();
});

test.each([
  ["<environment_context>\n  <cwd>/srv</cwd>", "system"],
  ["what is an <environment_context>?", "user"],
])("an older client's %j is the %s's", (text, role) => {
  expect(readUtterance(item({ type: "message", role: "user", content: [{ text }] }))?.role).toBe(role);
});
