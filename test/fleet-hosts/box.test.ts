// A box on a real server: whole at the receiver, unreadable for everybody else.

import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { limits } from "../../src/limits.js";
import { objects } from "../../src/link/subjects.js";
import { openBox, putBox, readBox, removeBox } from "../../src/link/teams/box.js";
import { testBus, testServers } from "./servers.js";

const words = Buffer.from("nobody but the receiver reads these words\n".repeat(20_000));

async function* many(bytes: Buffer, times: number) {
  for (let count = 0; count < times; count++) yield bytes;
}

async function sumOf(pieces: AsyncIterable<Uint8Array>) {
  const hash = createHash("sha256");
  let [sizeBytes, hasWords] = [0, false];
  for await (const piece of pieces) {
    hash.update(piece);
    sizeBytes += piece.length;
    hasWords ||= Buffer.from(piece).includes("nobody but");
  }
  return { sum: hash.digest("hex"), sizeBytes, hasWords };
}

test("[BX1] a box of several objects comes out as it went in, and the server has no word of it", async () => {
  const bus = await testBus(await testServers());
  const store = await bus.objects(objects.boxes);
  const times = Math.ceil((limits.boxPartBytes * 1.5) / words.length);
  const box = await putBox(store, many(words, times));
  expect(box.parts).toBe(2);
  for (const { name } of await store.list()) {
    const { hasWords, sizeBytes } = await sumOf((await store.get(name))!);
    expect({ hasWords, isLarge: sizeBytes > 1_000_000 }).toEqual({ hasWords: false, isLarge: true });
  }
  expect(await sumOf(openBox(store, box))).toEqual(await sumOf(many(words, times)));
  await removeBox(store, box);
  expect(await store.list()).toEqual([]);
  await expect(sumOf(openBox(store, box))).rejects.toThrow(/not on the server any more/);
});

test("a source that fails leaves no box", async () => {
  const bus = await testBus(await testServers());
  const store = await bus.objects(objects.boxes);
  async function* broken() {
    yield words;
    throw new Error("the file became shorter");
  }
  await expect(putBox(store, broken())).rejects.toThrow();
  expect(await store.list()).toEqual([]);
});

test.each([
  null,
  "a box",
  { name: "../x", parts: 1, key: "0".repeat(64) },
  { name: "0".repeat(36), parts: 1e9, key: "0".repeat(64) },
  { name: "0".repeat(36), parts: 1, key: "short" },
])("%j is no box", (value) => expect(readBox(value)).toBeNull());
