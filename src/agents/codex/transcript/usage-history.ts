// How the context of a conversation grew: the count after each answer, and the compactions.

import { objectOrNull, timeMs } from "../../record.js";
import type { UsageHistory } from "../../utterance.js";
import { kindOf, lineEnd, parse, payloadOf } from "./line.js";

export function addUsageLines(history: UsageHistory, bytes: Buffer, from: number, to: number): void {
  for (let start = from; start < to; ) {
    const end = lineEnd(bytes, start, to);
    const kind = kindOf(bytes, start, end);
    if (kind === "tokens" || kind === "compacted") {
      const json = parse(bytes, start, end);
      const atMs = timeMs(json?.timestamp);
      const used = objectOrNull(objectOrNull(payloadOf(json)?.info)?.last_token_usage)?.total_tokens;
      if (kind === "compacted") history.compactedAtMs.push(atMs);
      else if (typeof used === "number" && atMs !== null) history.points.push({ atMs, used });
    }
    start = end + 1;
  }
}
