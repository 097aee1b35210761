import { expect, test } from "vitest";
import { isMessageOf, messageIdFor } from "./message-id.js";

test("an id has the client's form, and its order is that of the time", () => {
  // The client gave a message of this millisecond this beginning.
  expect(messageIdFor("letter", 1795007505906)).toMatch(/^msg_1eec8e5f2001[0-9a-f]{14}$/);
  expect(messageIdFor("a", 1795007505906) < messageIdFor("b", 1795007505907)).toBe(true);
});

test("an id proves its own message only, whenever it was posted", () => {
  const id = messageIdFor("letter", 5);
  expect([isMessageOf(id, "letter"), isMessageOf(id, "other")]).toEqual([true, false]);
  expect(isMessageOf(messageIdFor("letter", 9), "letter")).toBe(true);
  expect(isMessageOf("msg_1eec8e5f2001w0WsNIxqAOw73d", "letter")).toBe(false);
});
