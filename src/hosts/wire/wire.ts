// Messages between two hiveminds: one line of JSON each, followed by raw bytes if the message announces them.
//
// - Data is read as it was sent, in any pieces.
// - A line that is not a message, or is too long, is an error: nothing after it is trusted.
// - Announced bytes that do not all arrive are an error, never a shorter file.
// - No side waits forever for announced bytes or for a side that does not read, nor longer than `silenceMs` for a
//   message.
// - Each send goes out whole, one after the other: no message gets into the middle of bytes.

import type { Writable } from "node:stream";
import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { jsonObject } from "../../base/text/json-object.js";
import { limits } from "../../limits.js";

export type Message = Readonly<Record<string, unknown>>;

export type Wire = ReturnType<typeof openWire>;

/** The other side ended or fell silent in the middle of something. */
export class WireBroken extends Error {
  override name = "WireBroken";

  constructor(
    message: string,
    readonly isSilence = false,
  ) {
    super(message);
  }
}

export function openWire(input: AsyncIterable<Buffer>, output: Writable, silenceMs?: number) {
  const { readLine, readBytes } = wireReader(input, silenceMs);
  const { inTurn, write } = wireWriter(output, silenceMs ?? limits.farSilenceMs);
  return {
    send: (message: Message) => inTurn(() => write(Buffer.from(`${JSON.stringify(message)}\n`))),

    sendBytes: (bytes: AsyncIterable<Buffer>) =>
      inTurn(async () => {
        for await (const piece of bytes) await write(piece);
      }),

    /** Null when the other side has ended. */
    async read(): Promise<Message | null> {
      const line = await readLine(limits.wireLineBytes);
      if (line === null) return null;
      const message = jsonObject(line);
      if (message !== null) return message;
      throw new HiveError(`the other side sent an invalid message: ${harmless(line.slice(0, 80))}`);
    },

    /** The rest of the line that begins with this mark, skipping lines before it; null if there is none. */
    async readGreeting(mark: string): Promise<string | null> {
      for (let passed = 0; passed < limits.farNoiseBytes; ) {
        const line = await readLine(limits.farNoiseBytes);
        if (line === null || line.startsWith(mark)) return line?.slice(mark.length) ?? null;
        passed += line.length + 1;
      }
      return null;
    },

    readBytes,
  };
}

/** Bytes and lines in the pieces that the reader wants. */
export function wireReader(input: AsyncIterable<Buffer>, silenceMs: number | undefined) {
  const pieces = input[Symbol.asyncIterator]();
  let held: Buffer = Buffer.alloc(0);

  /** False at the end of the input. */
  async function more(waitMs: number | undefined): Promise<boolean> {
    const { value, done } = await inTime(pieces.next(), waitMs, "sent");
    if (done) return false;
    held = held.length === 0 ? value : Buffer.concat([held, value]);
    return true;
  }

  return {
    async readLine(maxBytes: number): Promise<string | null> {
      for (let from = 0; ; ) {
        const end = held.indexOf(0x0a, from);
        if (end >= 0) {
          const line = held.toString("utf8", 0, end);
          held = held.subarray(end + 1);
          return line;
        }
        from = held.length;
        if (from > maxBytes) throw new HiveError("the other side sent too long a line");
        if (!(await more(silenceMs))) return null;
      }
    },

    async *readBytes(count: number): AsyncGenerator<Buffer> {
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

/** `inTurn` keeps a message and the bytes behind it together. */
function wireWriter(output: Writable, silenceMs: number) {
  let turn: Promise<void> = Promise.resolve();
  const writePiece = (piece: Buffer) =>
    new Promise<void>((resolve, reject) => {
      output.write(piece, (error) => (error ? reject(new WireBroken(error.message)) : resolve()));
    });
  return {
    async write(bytes: Buffer): Promise<void> {
      for (let at = 0; at < bytes.length; at += limits.wirePieceBytes) {
        const piece = bytes.subarray(at, at + limits.wirePieceBytes);
        await inTime(writePiece(piece), silenceMs, "read");
      }
    },
    inTurn(work: () => Promise<void>): Promise<void> {
      const next = turn.then(work);
      turn = next.catch(() => {});
      return next;
    },
  };
}

async function inTime<T>(next: Promise<T>, silenceMs: number | undefined, deed: "sent" | "read"): Promise<T> {
  if (silenceMs === undefined) return next;
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    const message = `it ${deed} nothing for ${silenceMs / 1000} s`;
    timer = setTimeout(() => reject(new WireBroken(message, true)), silenceMs);
  });
  try {
    return await Promise.race([next, silence]);
  } finally {
    clearTimeout(timer);
  }
}
