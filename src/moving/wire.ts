// Messages between two hiveminds: a line of JSON each, and raw bytes behind those that announce them.
//
// [WIR1] What is read is what was sent, in whatever pieces it arrives.
// [WIR2] A line that is no message, or longer than any can be, is an error: nothing behind it is believed.
// [WIR3] Bytes that were announced and do not all come are an error, never a shorter file.
// [WIR4] Nobody waits for ever for bytes that were announced, nor for who does not read what is sent, nor longer than
//        `silenceMs` for a message.
// [WIR5] What is sent goes out whole, one after the other: no message falls into the middle of somebody's bytes.

import type { Writable } from "node:stream";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { limits } from "../limits.js";

export type Message = Readonly<Record<string, unknown>>;

export interface Wire {
  send(message: Message): Promise<void>;
  sendBytes(bytes: AsyncIterable<Buffer>): Promise<void>;
  /** Null when the other side has ended. */
  read(): Promise<Message | null>;
  /** The line that begins with this, past whatever stands before it; null when there is none. */
  readGreeting(mark: string): Promise<string | null>;
  readBytes(count: number): AsyncGenerator<Buffer>;
}

/** The other side ended, or fell silent, where it had more to say. */
export class WireBroken extends Error {
  override name = "WireBroken";

  constructor(
    message: string,
    readonly isSilence = false,
  ) {
    super(message);
  }
}

export function openWire(input: AsyncIterable<Buffer>, output: Writable, silenceMs?: number): Wire {
  const pieces = input[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  /** False at the end. */
  async function more(waitMs: number | undefined): Promise<boolean> {
    const { value, done } = await inTime(pieces.next(), waitMs, "said");
    if (done) return false;
    held = held.length === 0 ? value : Buffer.concat([held, value]);
    return true;
  }

  async function readLine(maxBytes: number): Promise<string | null> {
    for (let from = 0; ; ) {
      const end = held.indexOf(0x0a, from);
      if (end >= 0) {
        const line = held.toString("utf8", 0, end);
        held = held.subarray(end + 1);
        return line;
      }
      from = held.length;
      if (from > maxBytes) throw new HiveError("the far side says more than can be read");
      if (!(await more(silenceMs))) return null;
    }
  }

  const writePiece = (piece: Buffer) =>
    new Promise<void>((resolve, reject) => {
      output.write(piece, (error) => (error ? reject(new WireBroken(error.message)) : resolve()));
    });

  async function write(bytes: Buffer): Promise<void> {
    for (let at = 0; at < bytes.length; at += limits.wirePieceBytes) {
      const piece = bytes.subarray(at, at + limits.wirePieceBytes);
      await inTime(writePiece(piece), silenceMs ?? limits.farSilenceMs, "read");
    }
  }

  let turn: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void>) => {
    const next = turn.then(work);
    turn = next.catch(() => {});
    return next;
  };

  return {
    send: (message) => inTurn(() => write(Buffer.from(`${JSON.stringify(message)}\n`))),

    sendBytes: (bytes) =>
      inTurn(async () => {
        for await (const piece of bytes) await write(piece);
      }),

    async read() {
      const line = await readLine(limits.wireLineBytes);
      return line === null ? null : parse(line);
    },

    async readGreeting(mark) {
      for (let passed = 0; passed < limits.farNoiseBytes; ) {
        const line = await readLine(limits.farNoiseBytes);
        if (line === null || line.startsWith(mark)) return line?.slice(mark.length) ?? null;
        passed += line.length + 1;
      }
      return null;
    },

    async *readBytes(count) {
      for (let left = count; left > 0; ) {
        if (held.length === 0 && !(await more(limits.farSilenceMs)))
          throw new WireBroken("it ended in the middle of a file");
        const piece = held.subarray(0, left);
        held = held.subarray(piece.length);
        left -= piece.length;
        yield piece;
      }
    },
  };
}

function parse(line: string): Message {
  try {
    const value = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new HiveError(`the far side says what is no message: ${harmless(line.slice(0, 80))}`);
}

async function inTime<T>(next: Promise<T>, silenceMs: number | undefined, deed: "said" | "read"): Promise<T> {
  if (silenceMs === undefined) return next;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    const told = `it ${deed} nothing for ${silenceMs / 1000} s`;
    timer = setTimeout(() => reject(new WireBroken(told, true)), silenceMs);
  });
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
  }
}
