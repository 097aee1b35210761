// The functions of simd/, and the block of transcript bytes in their memory: they see no other bytes.
//
// - They give the same answers as outline.ts and walk.ts, which do the work for bytes elsewhere, and for all bytes if
//   the built file is missing or the processor does not have the instructions.
// - The memory never grows, so views of it stay valid. Pages that nothing touches take no room.

import { readFileSync } from "node:fs";
import { limits } from "../../limits.js";
import { roles } from "./json-bytes.js";

export interface Simd {
  /** The largest block. */
  block: Buffer;
  /** Keeps a copy of these bytes, aligned, and returns its address. */
  keep(bytes: Uint8Array): number;
  memory: ArrayBuffer;
  functions: SimdFunctions;
}

/** Those of simd/. The build adds those of the agents. */
export interface SimdFunctions {
  find(mark: number, length: number, from: number, to: number): number;
  memberStart(mark: number, length: number, from: number, to: number): number;
  walk(members: number, places: number, count: number, endings: number, from: number, to: number): number;
}

/** Null if the functions cannot be used. Each thread has one. */
export function openSimd(program = new URL("./scan.wasm", import.meta.url)): Simd | null {
  try {
    opened ??= load(readFileSync(program));
  } catch {
    // The file is not built, or the processor cannot run it.
  }
  return opened;
}

let opened: Simd | null = null;

/** What these bytes can be scanned with; null if they are not in the block. */
export function simdOf(bytes: Buffer): Simd | null {
  // Nearly all calls are for lines of one block.
  if (bytes === known.bytes) return known.simd;
  const isInBlock = bytes.buffer === opened?.block.buffer && bytes.byteOffset === opened.block.byteOffset;
  known = { bytes, simd: isInBlock ? opened : null };
  return known.simd;
}

let known: { bytes: Buffer | null; simd: Simd | null } = { bytes: null, simd: null };

function load(program: Uint8Array): Simd {
  const pages = Math.ceil(limits.transcriptLineBytes / pageBytes) + 2;
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(program), { env: { memory } });
  const functions = exports as SimdFunctions & Record<"blockAt" | "keptAt" | "rolesAt", { value: number }>;
  const [blockAt, rolesAt] = [functions.blockAt.value, functions.rolesAt.value];
  new Uint8Array(memory.buffer, rolesAt, roles.length).set(roles);
  let free = functions.keptAt.value;
  return {
    block: Buffer.from(memory.buffer, blockAt, limits.transcriptLineBytes),
    keep(bytes) {
      const address = free;
      free = (address + bytes.length + 7) & ~7;
      if (free > blockAt) throw new RangeError("no room for another mark");
      new Uint8Array(memory.buffer, address, bytes.length).set(bytes);
      return address;
    },
    memory: memory.buffer,
    functions,
  };
}

const pageBytes = 65_536;

/** What is used of it here. Its types come with those of a browser. */
declare const WebAssembly: {
  Memory: new (size: { initial: number; maximum: number }) => { buffer: ArrayBuffer };
  Module: new (program: Uint8Array) => object;
  Instance: new (module: object, imports: object) => { exports: object };
};
