// Reads the terminal and passes its events on in batches, as they came.

import { appendFileSync } from "node:fs";
import { type InputEvent, inputDecoder } from "./input.js";

/** After this long without another byte, an Escape was the key and not the beginning of a sequence. */
const escapeMs = 40;

export function readKeys(keylog: string, take: (events: readonly InputEvent[]) => void): void {
  const decoder = inputDecoder();
  let settling: NodeJS.Timeout | undefined;
  let reads = 0;
  const hand = (events: readonly InputEvent[]) => {
    const at = Date.now();
    const lines = events.map((event) => `${JSON.stringify({ at, ...event })}\n`).join("");
    if (keylog !== "" && lines !== "") appendFileSync(keylog, lines);
    take(events);
  };
  const settle = () => {
    const seen = reads;
    // A starved process runs its timer before it reads bytes that are already there: those go first.
    setImmediate(() => {
      if (reads === seen) hand(decoder.settle());
    });
  };
  process.stdin.setRawMode(true);
  process.stdin.on("data", (bytes: Buffer) => {
    reads++;
    clearTimeout(settling);
    hand(decoder.feed(bytes));
    if (decoder.isWaiting()) settling = setTimeout(settle, escapeMs);
  });
}
