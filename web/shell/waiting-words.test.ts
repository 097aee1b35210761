import { expect, test } from "vitest";
import type { Attention } from "../../src/hive/attention.js";
import { newIn, wordsOf } from "./waiting-words.js";

const who = { who: "tester", team: "shop", agent: "k3j5n2abcd", pane: "shop:0.1", paneId: "%3" };
const request = (id: string, facts: object = {}) =>
  ({
    ...who,
    kind: "request",
    request: { id, tool: "Bash", line: "npm test", questions: [], subAgent: null, ...facts },
  }) as unknown as Attention;
const error = { ...who, kind: "error", about: "API Error", until: null } as Attention;
const message = {
  ...who,
  kind: "message",
  message: { id: "m@1", step: "expired", detail: "too old" },
  text: null,
};

test.each<[Attention, string, string]>([
  [request("req-a"), "tester asks to use Bash", "npm test"],
  [request("req-a", { subAgent: "x" }), "tester asks to use Bash for a sub-agent", "npm test"],
  [request("req-a", { questions: [{}], line: "Which?" }), "tester asks you", "Which?"],
  [error, "tester failed", "API Error"],
  [message as unknown as Attention, "tester did not get a message", "too old"],
])("of an item the notification says %#", (item, title, body) =>
  expect(wordsOf(item)).toMatchObject({ title, body }),
);

test("only what was not there before is new, and the same trouble is announced once", () => {
  const [first, second] = [request("req-a"), request("req-b")];
  expect(newIn([first, error], [first, second, error])).toEqual([second]);
  expect(newIn([first], [])).toEqual([]);
});
