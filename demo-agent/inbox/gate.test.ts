import { expect, test } from "vitest";
import { Gate } from "./gate.js";
import { readPeerMessage } from "./peer-message.js";

function message(from: string, text: string, name?: string) {
  const content =
    name === undefined
      ? text
      : `<cross-session-message from="${from}" from-name="${name}">\n${text}\n</cross-session-message>`;
  return readPeerMessage(JSON.stringify({ type: "user", from, message: { content } }), "")!;
}

const repeat = "identical to the previous message from this sender.";

test("a repeat is dropped, and the sender's first drop is told", () => {
  const gate = new Gate();
  const again = message("hm:a", "one", "lead");
  expect(gate.judge(again, 1000)).toEqual({ isLetIn: true });
  const told = `Dropped a peer message from @lead (hm:a): ${repeat}`;
  expect(gate.judge(again, 2000)).toEqual({ isLetIn: false, told });
  expect(gate.judge(again, 3000)).toEqual({ isLetIn: false, told: null });
});

test("another text, wrapper or sender is no repeat, and half a minute later nothing is", () => {
  const gate = new Gate();
  const all = [
    message("a", "one"),
    message("a", "one", "lead"),
    message("a", "one", "other"),
    message("a", "one "),
    message("b", "one "),
    message("a", "one"),
  ];
  for (const each of all) expect(gate.judge(each, 1000)).toEqual({ isLetIn: true });
  expect(gate.judge(message("a", "one"), 30_999)).toMatchObject({ isLetIn: false });
  expect(gate.judge(message("a", "one"), 31_000)).toEqual({ isLetIn: true });
});

test("another sender's message between two does not matter", () => {
  const gate = new Gate();
  gate.judge(message("a", "one"), 0);
  gate.judge(message("b", "two"), 0);
  expect(gate.judge(message("a", "one"), 0)).toMatchObject({
    told: `Dropped a peer message from a: ${repeat}`,
  });
});

test("a sender has thirty at once and one more every two seconds; another one has its own", () => {
  const gate = new Gate();
  let count = 0;
  const post = (nowMs: number, from = "a") => gate.judge(message(from, `text ${count++}`), nowMs);
  for (let n = 0; n < 30; n++) expect(post(0)).toEqual({ isLetIn: true });
  const told = "Dropped a peer message from a: sender exceeded the peer message rate limit.";
  expect(post(0)).toEqual({ isLetIn: false, told });
  expect(post(1999)).toEqual({ isLetIn: false, told: null });
  expect(post(1999, "b")).toEqual({ isLetIn: true });
  expect(post(2000)).toEqual({ isLetIn: true });
  expect(post(2000)).toEqual({ isLetIn: false, told: null });
});
