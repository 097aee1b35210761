// Server-sent events to many readers.
//
// [SH1] A reader that does not read costs a bounded number of bytes: then it is dropped, and the others are not disturbed.
// [SH2] An event is encoded once, however many readers there are.

import { limits } from "../limits.js";

/** The response to one reader. */
export interface Sink {
  write(bytes: Uint8Array): unknown;
  /** Bytes that the system has not taken yet. */
  readonly writableLength: number;
  end(): unknown;
  destroy(): unknown;
}

export interface StreamEventText {
  event: string;
  data: unknown;
}

export interface StreamHub {
  readonly size: number;
  /** Sends the events first, then everything that follows. Returns what removes the reader. */
  add(sink: Sink, first: readonly StreamEventText[]): () => void;
  send(event: StreamEventText): void;
  /** Ends all streams. */
  close(): void;
}

export function openStreamHub(onEmpty: () => void = () => {}): StreamHub {
  const sinks = new Set<Sink>();
  const heart = setInterval(() => sendAll(beat), limits.streamBeatMs);
  heart.unref();

  function remove(sink: Sink): void {
    if (sinks.delete(sink) && sinks.size === 0) onEmpty();
  }

  function give(sink: Sink, bytes: Uint8Array): void {
    if (sink.writableLength > limits.streamBacklogBytes) {
      sink.destroy();
      remove(sink);
    } else sink.write(bytes);
  }

  function sendAll(bytes: Uint8Array): void {
    for (const sink of [...sinks]) give(sink, bytes);
  }

  return {
    get size() {
      return sinks.size;
    },
    add(sink, first) {
      sinks.add(sink);
      for (const event of first) give(sink, encoded(event));
      return () => remove(sink);
    },
    send(event) {
      if (sinks.size > 0) sendAll(encoded(event));
    },
    close() {
      clearInterval(heart);
      for (const sink of [...sinks]) {
        sink.end();
        remove(sink);
      }
    },
  };
}

/** JSON has no line breaks of its own, so the data is always one line. */
export function encoded({ event, data }: StreamEventText): Uint8Array {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/** A comment, which readers skip. */
const beat = Buffer.from(": still here\n\n");
