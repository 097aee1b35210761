import { deflateRawSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { limits } from "../../limits.js";
import { packPart, partHeaders, readPart, unpackPart } from "./copy-form.js";

const sha256 = "a".repeat(64);
const stored = (headers: Readonly<Record<string, string>>, sequence = 7) => ({
  sequence,
  header: (name: string) => headers[name] ?? null,
});

test("[CP1] a part reads back as it was written, and the first one names itself", () => {
  const part = { from: 10, to: 20, sha256, first: 3 };
  expect(readPart(stored(partHeaders(part)))).toEqual(part);
  const first = { from: 0, to: 20, sha256, first: null };
  expect(readPart(stored(partHeaders(first)))).toEqual({ ...first, first: 7 });
});

test.each([
  { "Hive-From": "0" },
  { "Hive-From": "0", "Hive-To": "0", "Hive-Sha256": sha256 },
  { "Hive-From": "5", "Hive-To": "9", "Hive-Sha256": sha256 },
  { "Hive-From": "5", "Hive-To": "9", "Hive-Sha256": sha256, "Hive-First": "8" },
  { "Hive-From": "0", "Hive-To": "9e9", "Hive-Sha256": sha256 },
  { "Hive-From": "0", "Hive-To": String(limits.copyPartBytes + 1), "Hive-Sha256": sha256 },
  { "Hive-From": "0", "Hive-To": "9", "Hive-Sha256": "no sum" },
])("%j is no part", (headers) => expect(readPart(stored(headers as Record<string, string>))).toBeNull());

test("bytes come back; what is longer or shorter than its headers say does not", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 2000 }), (bytes) => {
      const whole = Buffer.from(bytes);
      expect(unpackPart({ from: 4, to: 4 + whole.length }, packPart(whole))).toEqual(whole);
      expect(unpackPart({ from: 4, to: 5 + whole.length }, packPart(whole))).toBeNull();
    }),
  );
  const bomb = deflateRawSync(Buffer.alloc(limits.copyPartBytes * 4));
  expect(unpackPart({ from: 0, to: limits.copyPartBytes * 4 }, bomb)).toBeNull();
  expect(unpackPart({ from: 0, to: 9 }, Buffer.from("not deflated"))).toBeNull();
});
