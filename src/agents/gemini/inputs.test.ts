import { expect, it } from "vitest";
import type { SessionId } from "../../names/gates.js";
import { type Input, type RecordedPrompt, readInputs, whereNow } from "./inputs.js";

const [began, next, third] = ["began", "next", "third"] as unknown as SessionId[];
const input = (text: string, atMs: number, from: string = began!): Input => ({ began: from, text, atMs });
const prompt = (session: SessionId, text: string, atMs: number): RecordedPrompt => ({ session, text, atMs });

it.each<[string, Input[], RecordedPrompt[], object]>([
  ["nothing was said", [], [], { kind: "began" }],
  ["messages alone", [input("a", 10)], [prompt(began!, "a", 11)], { kind: "began" }],
  ["commands that stay", [input("/stats", 10), input("/compress", 20)], [], { kind: "began" }],
  ["left, and silent", [input("/clear", 10)], [], { kind: "unknown" }],
  ["left, and only a command since", [input("/clear", 10), input("/stats", 20)], [], { kind: "unknown" }],
  [
    "left, then a message",
    [input("/clear", 10), input("a", 20)],
    [prompt(next!, "a", 30)],
    { kind: "moved", session: next },
  ],
  ["and back again", [input("/resume", 10), input("a", 20)], [prompt(began!, "a", 30)], { kind: "began" }],
  [
    "the same words long ago",
    [input("/clear", 10), input("a", 9_000)],
    [prompt(next!, "a", 30)],
    { kind: "unknown" },
  ],
  [
    "the same words much later",
    [input("/clear", 10), input("a", 20)],
    [prompt(next!, "a", 9_000)],
    { kind: "unknown" },
  ],
  ["a saved point of the same session", [input("/chat resume x", 10)], [], { kind: "began" }],
  [
    "two sessions with the message",
    [input("/new", 10), input("a", 20)],
    [prompt(next!, "a", 30), prompt(third!, "a", 31)],
    { kind: "unknown" },
  ],
  [
    "left, a message, and one that waits in its queue",
    [input("/clear", 10), input("a", 20), input("b", 30)],
    [prompt(next!, "a", 30)],
    { kind: "moved", session: next },
  ],
  ["left by an earlier process", [input("/clear", 3)], [], { kind: "began" }],
  ["left by another process", [input("/clear", 10, "next")], [], { kind: "began" }],
  ["prose about a command", [input("/clearing up", 10)], [], { kind: "began" }],
])("%s", (_what, inputs, prompts, expected) => {
  expect(whereNow(began!, 5, inputs, () => prompts)).toMatchObject(expected);
});

it.each([
  ['[{"sessionId":"s","messageId":0,"type":"user","message":"a","timestamp":"1970-01-01T00:00:01Z"}]', 1],
  ['[{"sessionId":"s"},7,null]', 0],
  ["[", 0],
  ["{}", 0],
])("the log %s has %i inputs", (json, count) => {
  expect(readInputs(json)).toHaveLength(count);
});
