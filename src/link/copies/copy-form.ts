// A transcript on the fleet's server: parts of its bytes, one after the other under one subject. Pure.
//
// [CP1] A copy begins at a part from byte 0 and goes on without a gap. A part names the sequence of that first part, so
//       a reader knows where the copy begins, and a writer whether the server still has it.

import { deflateRawSync, inflateRawSync } from "node:zlib";
import { limits } from "../../limits.js";

export interface Part {
  /** Its place in the transcript. */
  from: number;
  to: number;
  /** Of all bytes before `to`. */
  sha256: string;
  /** The sequence of the part from byte 0. */
  first: number;
}

/** The first part of a copy does not know its sequence yet. */
export function partHeaders({ from, to, sha256, first }: Omit<Part, "first"> & { first: number | null }) {
  return {
    "Hive-From": String(from),
    "Hive-To": String(to),
    "Hive-Sha256": sha256,
    ...(first === null ? {} : { "Hive-First": String(first) }),
  };
}

/** Null for what is no part. */
export function readPart(stored: { sequence: number; header(name: string): string | null }): Part | null {
  const count = (name: string) => {
    const text = stored.header(name);
    return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null;
  };
  const [from, to, sha256] = [count("Hive-From"), count("Hive-To"), stored.header("Hive-Sha256")];
  const first = from === 0 ? stored.sequence : count("Hive-First");
  if (from === null || to === null || to <= from || to - from > limits.copyPartBytes) return null;
  if (first === null || first > stored.sequence || sha256 === null || !/^[0-9a-f]{64}$/.test(sha256))
    return null;
  return { from, to, sha256, first };
}

export function packPart(bytes: Buffer): Uint8Array {
  return deflateRawSync(bytes, { level: 3 });
}

/** Null if it is not what its headers say. */
export function unpackPart({ from, to }: Pick<Part, "from" | "to">, bytes: Uint8Array): Buffer | null {
  try {
    const whole = inflateRawSync(bytes, { maxOutputLength: limits.copyPartBytes });
    return whole.length === to - from ? whole : null;
  } catch {
    return null;
  }
}
