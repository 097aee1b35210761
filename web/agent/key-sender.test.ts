import { expect, test } from "vitest";
import { KeySender } from "./key-sender.js";

/** A server that answers when the test says so. */
function server() {
  const [got, answers]: [string[], ((error?: Error) => void)[]] = [[], []];
  const failures: unknown[] = [];
  const sender = new KeySender(
    (data) => {
      got.push(data);
      return new Promise<void>((resolve, reject) =>
        answers.push((error) => (error === undefined ? resolve() : reject(error))),
      );
    },
    (error) => failures.push(error),
  );
  return { got, answers, failures, sender };
}

test("keys wait for the answer to the ones before, and go together", async () => {
  const { got, answers, sender } = server();
  const done = sender.type("a");
  void sender.type("b");
  void sender.type("c");
  expect(got).toEqual(["a"]);
  answers[0]!();
  await expect.poll(() => got).toEqual(["a", "bc"]);
  answers[1]!();
  await done;
});

test("a long paste goes in pieces, and no character is cut", async () => {
  const { got, answers, sender } = server();
  const text = `${"x".repeat(999)}😀${"y".repeat(1500)}`;
  const done = sender.type(text);
  for (let at = 0; got.join("") !== text; at++) {
    answers[at]!();
    await expect.poll(() => got.length).toBe(at + 2);
  }
  answers.at(-1)!();
  await done;
  expect(got.map((piece) => piece.length)).toEqual([999, 1000, 502]);
});

test("after a failure the keys that waited are dropped, and typing can go on", async () => {
  const { got, answers, failures, sender } = server();
  const done = sender.type("a");
  void sender.type("b");
  answers[0]!(new Error("no"));
  await done;
  expect(failures).toHaveLength(1);
  void sender.type("c");
  expect(got).toEqual(["a", "c"]);
});
