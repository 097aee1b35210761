// A box: files on their way to another host, as objects on the fleet's server.
//
// [BX1] Every member of a fleet can read its objects. So a box is encrypted with a key of its own, and the key travels in
//       the question to the receiving host, which nobody else may read. The checksums of the manifest travel there too:
//       they show whether the box was changed on the way.

import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from "node:crypto";
import { HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import type { Objects } from "../../nats/bus.js";

export interface Box {
  name: string;
  /** The library keeps an object in memory until the server has it, so a large box is several objects. */
  parts: number;
  /** Hexadecimal. */
  key: string;
}

/** Removes what it has put if it fails. */
export async function putBox(objects: Objects, bytes: AsyncIterable<Buffer>): Promise<Box> {
  const key = randomBytes(32);
  const box = { name: randomUUID(), parts: 0, key: key.toString("hex") };
  // A key is used once, so the counter may begin at zero.
  const cipher = createCipheriv("aes-256-ctr", key, Buffer.alloc(16));
  const source = bytes[Symbol.asyncIterator]();
  let isEnd = false;
  async function* part() {
    for (let sizeBytes = 0; sizeBytes < limits.boxPartBytes; ) {
      const { value, done } = await source.next();
      isEnd = done === true;
      if (isEnd) return;
      sizeBytes += value.length;
      yield cipher.update(value);
    }
  }
  try {
    while (!isEnd) await objects.put(partName(box, box.parts++), part());
    return box;
  } catch (error) {
    await removeBox(objects, box);
    throw error;
  }
}

export async function* openBox(objects: Objects, box: Box): AsyncGenerator<Buffer> {
  const decipher = createDecipheriv("aes-256-ctr", Buffer.from(box.key, "hex"), Buffer.alloc(16));
  for (let part = 0; part < box.parts; part++) {
    const pieces = await objects.get(partName(box, part));
    if (pieces === null)
      throw new HiveError("the box of this team is not on the server any more", {
        hint: "run the same command again",
      });
    for await (const piece of pieces) yield decipher.update(piece);
  }
}

/** What the server does not answer stays until it expires. */
export async function removeBox(objects: Objects, box: Box): Promise<void> {
  for (let part = 0; part < box.parts; part++) await objects.remove(partName(box, part)).catch(() => {});
}

/** Null for what is no box. */
export function readBox(value: unknown): Box | null {
  const { name, parts, key } = (value ?? {}) as Record<string, unknown>;
  if (typeof name !== "string" || !/^[0-9a-f-]{36}$/.test(name)) return null;
  if (typeof key !== "string" || !/^[0-9a-f]{64}$/.test(key)) return null;
  if (!Number.isSafeInteger(parts) || (parts as number) < 0 || (parts as number) > limits.boxParts)
    return null;
  return { name, parts: parts as number, key };
}

function partName({ name }: Pick<Box, "name">, part: number): string {
  return `${name}.${part}`;
}
