import fc from "fast-check";
import { expect, test } from "vitest";
import { type InputEvent, inputDecoder } from "./input.js";

const paste = (text: string) => `\x1b[200~${text}\x1b[201~`;

function decoded(...chunks: (string | Buffer)[]): InputEvent[] {
  const decoder = inputDecoder();
  return [...chunks.flatMap((chunk) => decoder.feed(Buffer.from(chunk as string))), ...decoder.settle()];
}

/** Joins adjacent texts: only their pieces depend on the chunks. */
function joined(events: readonly InputEvent[]): InputEvent[] {
  const done: InputEvent[] = [];
  for (const event of events) {
    const last = done.at(-1);
    if (last?.kind === "text" && event.kind === "text")
      done.splice(-1, 1, { kind: "text", text: last.text + event.text });
    else done.push(event);
  }
  return done;
}

test.each<[string, InputEvent[]]>([
  ["abc\r", [{ kind: "text", text: "abc" }, { kind: "enter" }]],
  ["ü❯\n", [{ kind: "text", text: "ü❯" }, { kind: "newline" }]],
  ["\x7f\b", [{ kind: "backspace" }, { kind: "backspace" }]],
  ["\x03\x04\x15", [{ kind: "ctrl-c" }, { kind: "ctrl-d" }, { kind: "ctrl-u" }]],
  ["\x1b[A\x1bOB", [{ kind: "up" }, { kind: "down" }]],
  ["\x1b\r", [{ kind: "newline" }]],
  ["\x1b[1;5C", [{ kind: "other", text: "\x1b[1;5C" }]],
])("%j is parsed", (bytes, events) => {
  expect(decoded(bytes)).toEqual(events);
});

test("the events do not depend on how the bytes are split", () => {
  const bytes = Buffer.from(`hé❯\r${paste("a\r\nb🙂")}x\x1b[A\x15`);
  const whole = joined(decoded(bytes));
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(bytes.length)), (cuts) => {
      const at = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const chunks = at.slice(1).map((end, index) => bytes.subarray(at[index], end));
      expect(joined(decoded(...chunks))).toEqual(whole);
    }),
  );
});

test.each([
  ["one\ntwo", "one\ntwo"],
  ["one\r\ntwo\rthree", "one\ntwo\nthree"],
  ["a\x07b\x1b[31mc\td", "ab[31mc\td"],
  ["x".repeat(1_000_000), "x".repeat(1_000_000)],
])("a paste is one event", (text, kept) => {
  expect(decoded(paste(text))).toEqual([{ kind: "paste", text: kept }]);
});

test("half a paste is held until its end", () => {
  const decoder = inputDecoder();
  expect(decoder.feed(Buffer.from("\x1b[200~half"))).toEqual([]);
  expect(decoder.settle()).toEqual([]);
  expect(decoder.feed(Buffer.from(" whole\x1b[201~"))).toEqual([{ kind: "paste", text: "half whole" }]);
});

test("an Escape is a key if nothing follows", () => {
  const decoder = inputDecoder();
  expect(decoder.feed(Buffer.from("\x1b"))).toEqual([]);
  expect(decoder.isWaiting()).toBe(true);
  expect(decoder.settle()).toEqual([{ kind: "escape" }]);
  expect(decoder.isWaiting()).toBe(false);
  expect(decoded("\x1b\x1b")).toEqual([{ kind: "escape" }, { kind: "escape" }]);
});
