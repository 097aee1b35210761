import { expect, test } from "vitest";
import { detailWords, type SendAnswer, sentWords } from "./sent-words.js";

const sent = (outcome: SendAnswer["outcome"], position: number | null = null) =>
  sentWords({ outcome, position, why: "the agent is busy", door: null });

test.each<[SendAnswer["outcome"], string, string | null]>([
  ["delivered", "Delivered", null],
  ["queued", "Queued", "the agent is busy"],
  ["held", "Held: it waits in the queue", "the agent is busy"],
  ["uncertain", "Nothing proves that it arrived", "the agent is busy"],
  ["refused", "Refused", "the agent is busy"],
])("%s is %j", (outcome, word, why) => expect(sent(outcome)).toMatchObject({ word, why }));

test("a place in the queue is named", () => expect(sent("queued", 2).word).toBe("Queued, number 2"));

test.each([
  ["by the transcript", "by the transcript"],
  ['by keys {"kind":"demo","sizes":{}}', "by keys"],
  ["a {brace} inside", "a {brace} inside"],
])("of the detail %j a person reads %j", (detail, words) => expect(detailWords(detail)).toBe(words));
