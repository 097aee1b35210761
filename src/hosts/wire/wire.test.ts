import { Readable, Writable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../limits.js";
import { openWire, type Wire, WireBroken } from "./wire.js";

/** What is sent on the one comes out of the other, cut into pieces of these sizes. */
function sender(): { wire: Wire; sent: () => Buffer } {
  const chunks: Buffer[] = [];
  const output = new Writable({
    write(chunk, _, done) {
      chunks.push(chunk);
      done();
    },
  });
  return { wire: openWire(Readable.from([]), output), sent: () => Buffer.concat(chunks) };
}

function receiver(bytes: Buffer, sizes: readonly number[] = [7]): Wire {
  const pieces: Buffer[] = [];
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return openWire(Readable.from(pieces), new Writable({ write: (_, __, done) => done() }));
}

async function all(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const got: Buffer[] = [];
  for await (const piece of pieces) got.push(Buffer.from(piece));
  return Buffer.concat(got);
}

async function* of(...pieces: Buffer[]) {
  yield* pieces;
}

test("messages and bytes are read as sent, in any pieces", async () => {
  const messages = fc.array(fc.tuple(fc.string(), fc.uint8Array({ maxLength: 60 })), { maxLength: 6 });
  const sizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(messages, sizes, async (said, cuts) => {
      const { wire, sent } = sender();
      for (const [text, bytes] of said) {
        await wire.send({ text, count: bytes.length });
        await wire.sendBytes(of(Buffer.from(bytes)));
      }
      const heard = receiver(sent(), cuts);
      for (const [text, bytes] of said) {
        expect(await heard.read()).toEqual({ text, count: bytes.length });
        expect(await all(heard.readBytes(bytes.length))).toEqual(Buffer.from(bytes));
      }
      expect(await heard.read()).toBeNull();
    }),
    { numRuns: 50 },
  );
});

test("a greeting is found after the output of a login script, and later lines do not count", async () => {
  const heard = receiver(Buffer.from('Welcome!\n\u001b[1mnews\nhello {"a":1}\n{"b":2}\n'));
  expect(await heard.readGreeting("hello ")).toBe('{"a":1}');
  expect(await heard.read()).toEqual({ b: 2 });
  expect(await receiver(Buffer.from("Welcome!\n")).readGreeting("hello ")).toBeNull();
  expect(await receiver(Buffer.from("x\n".repeat(100_000)), [5000]).readGreeting("hello ")).toBeNull();
});

test.each(["no json", "[1]", "null", '"text"', "{"])("%s is not a message", async (line) => {
  await expect(receiver(Buffer.from(`${line}\n`)).read()).rejects.toThrow("sent an invalid message");
});

test("a line without an end is not collected forever", async () => {
  const pieces = limits.wireLineBytes / 1_048_576 + 3;
  const heard = openWire(Readable.from(Array(pieces).fill(Buffer.alloc(1_048_576, "x"))), new Writable());
  await expect(heard.read()).rejects.toThrow("sent too long a line");
});

test("missing bytes are an error", async () => {
  await expect(all(receiver(Buffer.from("abc")).readBytes(4))).rejects.toThrow(WireBroken);
});

test("a silent side is given up", async () => {
  const silent = new Readable({ read: () => {} });
  await expect(openWire(silent, new Writable(), 20).read()).rejects.toThrow(WireBroken);
});

test("a side that does not read is given up", async () => {
  const stuck = () => openWire(Readable.from([]), new Writable({ write: () => {} }), 20);
  await expect(stuck().send({ is: "alive" })).rejects.toMatchObject({ name: "WireBroken", isSilence: true });
  await expect(stuck().sendBytes(of(Buffer.from("bytes")))).rejects.toThrow("read nothing for");
});

test("long data is sent in pieces, each with its own time limit", async () => {
  const sizes: number[] = [];
  const output = new Writable({
    write(chunk, _, done) {
      sizes.push(chunk.length);
      done();
    },
  });
  await openWire(Readable.from([]), output).send({ text: "ä".repeat(limits.wirePieceBytes) });
  expect(sizes.length).toBeGreaterThan(2);
  expect(Math.max(...sizes)).toBe(limits.wirePieceBytes);
});

test("a message does not get into the middle of bytes", async () => {
  const { wire, sent } = sender();
  let go = () => {};
  async function* slow() {
    yield Buffer.from("first ");
    await new Promise<void>((resolve) => (go = resolve));
    yield Buffer.from("second");
  }
  const bytes = wire.sendBytes(slow());
  const message = wire.send({ is: "alive" });
  await new Promise((resolve) => setImmediate(resolve));
  go();
  await Promise.all([bytes, message]);
  expect(sent().toString()).toBe('first second{"is":"alive"}\n');
});
