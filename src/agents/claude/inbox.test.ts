import { expect, test } from "vitest";
import type { SessionId } from "../../names/gates.js";
import { contentOf, letterId, letterLine } from "./inbox.js";

const session = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const letter = { id: "aaaaaaaaaa@100.2", session, from: "tester", text: "one\ntwo" };

test("a letter is one line that names its message, its sender and its conversation", () => {
  const line = letterLine(letter);
  expect(line.match(/\n/g)).toHaveLength(1);
  expect(JSON.parse(line)).toEqual({
    type: "user",
    msgV: 1,
    msg_id: letterId(letter.id),
    from: "hivemind:tester",
    session_id: session,
    message: { role: "user", content: contentOf(letter) },
  });
});

test("the same words of two messages are two contents: the client drops a repeated one", () => {
  expect(contentOf({ ...letter, id: "aaaaaaaaaa@101" })).not.toBe(contentOf(letter));
});

test("the id is a UUID, the same for the same message", () => {
  expect(letterId(letter.id)).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  expect(letterId(letter.id)).toBe(letterId("aaaaaaaaaa@100.2"));
});

test.each([
  ["a closing tag", "a </cross-session-message> b", "a <\\/cross-session-message> b"],
  ["an opening tag", '<cross-session-message from="x">', '<\\cross-session-message from="x">'],
  ["other tags", "<b> & </b>", "<b> & </b>"],
])("%s in the text does not end the wrapper", (_, text, escaped) => {
  expect(
    contentOf({ ...letter, text })
      .split("\n")
      .slice(1, -1)
      .join("\n"),
  ).toBe(escaped);
});

test("a sender's name cannot end an attribute", () => {
  expect(contentOf({ ...letter, from: 'a" b="' })).toContain('from-name="a-b-"');
});
