import { expect, test } from "vitest";
import { type PeerMessage, readPeerMessage } from "./inbox/peer-message.js";
import { Queue } from "./queue.js";

const message = (content: string): PeerMessage =>
  readPeerMessage(JSON.stringify({ type: "user", message: { content } }), "")!;

test("what came first is first, and posted messages beside each other are one turn", () => {
  const queue = new Queue(() => {});
  const [a, b, c] = [message("a"), message("b"), message("c")];
  queue.post(a);
  queue.post(b);
  queue.type("typed");
  queue.post(c);
  expect(queue.next()).toEqual({ kind: "posted", messages: [a, b] });
  expect(queue.next()).toEqual({ kind: "typed", text: "typed" });
  expect(queue.next()).toEqual({ kind: "posted", messages: [c] });
  expect(queue.next()).toBeNull();
});

test("the user takes back what was typed, a turn takes what was posted", () => {
  const queue = new Queue(() => {});
  const a = message("a");
  queue.type("one");
  queue.post(a);
  queue.type("two");
  expect(queue.takeTyped()).toEqual(["one", "two"]);
  expect([queue.typed, queue.posted]).toEqual([[], [a]]);
  expect(queue.takePosted()).toEqual([a]);
  expect(queue.next()).toBeNull();
});
