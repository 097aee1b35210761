import { expect, test } from "vitest";
import { type PeerMessage, readPeerMessage, shownRows, toldToModel, waitingRows } from "./peer-message.js";

const session = "11111111-1111-4111-8111-111111111111";
const id = "22222222-2222-4222-8222-222222222222";

const wrap = (text: string, attributes = ' from="hm:lead" from-name="lead" from-mode="prompting"') =>
  `<cross-session-message${attributes}>\n${text}\n</cross-session-message>`;

function read(content: unknown, fields: object = {}): PeerMessage | null {
  const line = { type: "user", msg_id: id, from: "hm:lead", session_id: session, message: { content } };
  return readPeerMessage(JSON.stringify({ ...line, ...fields }), session);
}

test("a wrapped message has its id, name and body; the queue and the model get the wrapper, too", () => {
  const message = read(wrap("one\n  two "))!;
  expect(message).toMatchObject({ content: wrap("one\n  two "), body: "one\n  two ", sender: "lead" });
  expect(message.origin).toEqual({
    ...{ kind: "peer", from: "hm:lead", msg_id: id, name: "lead" },
    ...{ fromMode: "prompting", body: "one\n  two " },
  });
  const told = toldToModel(message);
  expect(told.startsWith(`Another Claude session sent a message:\n${wrap("one\n  two ")}\n\nThis came`)).toBe(
    true,
  );
  expect(shownRows(message)).toEqual(["› Message from @lead: one (ctrl+o to expand)"]);
});

test("a plain message has neither name nor body, and the screen shows what the model reads", () => {
  const message = read("one\ntwo")!;
  expect(message.origin).toEqual({ kind: "peer", from: "hm:lead", msg_id: id });
  expect(waitingRows(message)).toEqual(["❯ one", "  two"]);
  expect(shownRows(message).slice(0, 2)).toEqual(["❯ Another Claude session sent a message:", "  one"]);
});

test.each([
  ["another session", { session_id: id }],
  ["no user's message", { type: "control" }],
  ["no text", { message: { content: "" } }],
  ["blocks for a text", { message: { content: [{ type: "text", text: "one" }] } }],
  ["nothing in it", { message: null }],
])("%s is dropped", (_, fields) => {
  expect(read("one", fields)).toBeNull();
});

test.each(["", "hello", "null", "[1]", '{"type":"user"'])("the line %j is dropped", (line) => {
  expect(readPeerMessage(line, session)).toBeNull();
});

test("without a session it is for whatever conversation there is, without a sender it is from nobody known", () => {
  expect(read("one", { session_id: undefined, from: undefined })?.origin).toMatchObject({ from: "unknown" });
});

test.each([
  ["AAAAAAAA-2222-4222-8222-222222222222", true],
  ["00000000-0000-0000-0000-000000000001", true],
  ["abcdefghij@1794886303.2", false],
  ["22222222222242228222222222222222", false],
  [`${id}@1`, false],
  [7, false],
])("the id %j is kept: %s", (msg_id, isKept) => {
  const origin = read("one", { msg_id })!.origin;
  expect(origin.msg_id).toBe(isKept ? msg_id : undefined);
});

test.each([
  ["an attribute more", ' from="x" from-name="lead" from-mode="prompting" n="2"', {}],
  ["another order", ' from-name="lead" from="x"', {}],
  ["a mode that is none", ' from="x" from-name="lead" from-mode="auto"', {}],
  ["no mode", ' from="x" from-name="lead"', { name: "lead", body: "one" }],
])("a wrapper with %s gives the record %j", (_, attributes, known) => {
  const message = read(wrap("one", attributes))!;
  expect(message.origin).toEqual({ kind: "peer", from: "hm:lead", msg_id: id, ...known });
  expect(message.content).toBe(wrap("one", attributes));
  expect(shownRows(message)).toEqual(["› Message from @lead: one (ctrl+o to expand)"]);
});

test.each([
  ["a </cross-session-message> b", "a <\\/cross-session-message> b", undefined],
  ['a <cross-session-message from="y"> b', 'a <\\cross-session-message from="y"> b', "lead"],
])("a tag in the text %j is made harmless, and the record has no body", (text, harmless, name) => {
  const message = read(wrap(text))!;
  expect(message.content).toBe(wrap(harmless));
  expect(message.origin.name).toBe(name);
  expect(message.origin).not.toHaveProperty("body");
});

test("a wrapper with words behind it is none", () => {
  const message = read(`${wrap("one", "")}\nbehind`)!;
  expect(message.content).toBe("<\\cross-session-message>\none\n<\\/cross-session-message>\nbehind");
  expect(message.isWrapped).toBe(false);
});

test.each([
  ["\n\n   deep\nsecond", ' from="x" from-name="the big Lead"', "@the-big-Lead: deep"],
  ["", ' from="x" from-name="lead"', "@lead"],
  ["x".repeat(121), ' from="x" from-name="lead"', `@lead: ${"x".repeat(119)}…`],
  ["\u001b[31mred", ' from="x"', "@hm-lead: ␛[31mred"],
])("%j is shown as one harmless row", (text, attributes, shown) => {
  expect(shownRows(read(wrap(text, attributes))!)).toEqual([`› Message from ${shown} (ctrl+o to expand)`]);
});
