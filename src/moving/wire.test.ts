import { Readable, Writable } from "node:stream";
import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../limits.js";
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

test("[WIR1] messages and bytes are read as they were sent, in whatever pieces they arrive", async () => {
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

test("[WIR1] a greeting is found behind what a login script prints, and is not taken from later lines", async () => {
  const heard = receiver(Buffer.from('Welcome!\n\u001b[1mnews\nhello {"a":1}\n{"b":2}\n'));
  expect(await heard.readGreeting("hello ")).toBe('{"a":1}');
  expect(await heard.read()).toEqual({ b: 2 });
  expect(await receiver(Buffer.from("Welcome!\n")).readGreeting("hello ")).toBeNull();
  expect(await receiver(Buffer.from("x\n".repeat(100_000)), [5000]).readGreeting("hello ")).toBeNull();
});

test.each(["no json", "[1]", "null", '"text"', "{"])("[WIR2] %s is no message", async (line) => {
  await expect(receiver(Buffer.from(`${line}\n`)).read()).rejects.toThrow("what is no message");
});

test("[WIR2] a line without an end is not collected for ever", async () => {
  const pieces = limits.wireLineBytes / 1_048_576 + 3;
  const heard = openWire(Readable.from(Array(pieces).fill(Buffer.alloc(1_048_576, "x"))), new Writable());
  await expect(heard.read()).rejects.toThrow("more than can be read");
});

test("[WIR3] bytes that do not all come are an error", async () => {
  await expect(all(receiver(Buffer.from("abc")).readBytes(4))).rejects.toThrow(WireBroken);
});

test("[WIR4] who says nothing is given up", async () => {
  const silent = new Readable({ read: () => {} });
  await expect(openWire(silent, new Writable(), 20).read()).rejects.toThrow(WireBroken);
});

test("[WIR4] nor is anybody waited for who does not read", async () => {
  const stuck = () => openWire(Readable.from([]), new Writable({ write: () => {} }), 20);
  await expect(stuck().send({ is: "alive" })).rejects.toMatchObject({ name: "WireBroken", isSilence: true });
  await expect(stuck().sendBytes(of(Buffer.from("bytes")))).rejects.toThrow("read nothing for");
});

test("[WIR4] what is long goes in pieces, each with a time of its own", async () => {
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

test("[WIR5] a message does not fall into the middle of bytes", async () => {
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
