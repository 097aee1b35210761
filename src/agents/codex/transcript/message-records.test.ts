import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { MessageTurn, Proof } from "../../message-records.js";
import { digestOf, proofIn, turnIn } from "./message-records.js";

const talk = readFileSync(
  new URL("../../../../test/kinds/codex/rollouts/talk.jsonl", import.meta.url),
  "utf8",
);
const key = (text: string, id?: string) => ({ digest: digestOf(text), ...(id === undefined ? {} : { id }) });
const [queued, queuedId] = ["queued one", "01a1ed6e-c5b5-7463-8ac6-ace7d167079d"];

test.each<[string, ReturnType<typeof key>, Proof, MessageTurn["end"] | null, string]>([
  ["typed", key("hello there"), "answered", "answered", "ok"],
  ["typed, with other blanks", key(" hello\nthere"), "answered", "answered", "ok"],
  ["from the queue", key(queued, queuedId), "answered", "answered", "ok"],
  ["the same words under another id", key(queued, "other"), "nothing", null, ""],
  ["never said", key("ok"), "nothing", null, ""],
  ["failed", key("now [500]"), "taken", "failed", ""],
  ["interrupted", key("[hold] interrupt me"), "taken", "interrupted", ""],
  ["a shell line", key("!echo hi from bang"), "answered", "answered", ""],
])("%s", (_, message, proof, end, words) => {
  expect(proofIn(talk, message)).toBe(proof);
  const turn = turnIn(talk, message);
  expect(turn?.end ?? null).toBe(end);
  expect(turn?.words ?? "").toBe(words);
});

test("a failed turn has the client's words", () => {
  expect(turnIn(talk, key("now [500]"))?.failure).toMatch(/^We’re currently experiencing high demand/);
});

/** The lines up to the first one that matches, and it. */
function until(pattern: RegExp): string {
  const lines = talk.split("\n");
  return `${lines.slice(0, lines.findIndex((line) => pattern.test(line)) + 1).join("\n")}\n`;
}

test.each<[string, RegExp, Proof, MessageTurn["end"] | null]>([
  ["begun, not said", /"turn_trigger":"queue"/, "nothing", null],
  ["said", new RegExp(`"client_id":"${queuedId}"`), "taken", "taken"],
  ["answered, not over", /"id":"msg_a720cd53/, "answered", "begun"],
])("%s", (_, last, proof, end) => {
  const lines = until(last);
  expect(proofIn(lines, key(queued, queuedId))).toBe(proof);
  expect(turnIn(lines, key(queued, queuedId))?.end ?? null).toBe(end);
});

test("half a line proves nothing", () => {
  const half = until(new RegExp(`"client_id":"${queuedId}"`)).slice(0, -1);
  expect(proofIn(half, key(queued, queuedId))).toBe("nothing");
});
