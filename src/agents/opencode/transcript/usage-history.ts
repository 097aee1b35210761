// How the context of a conversation grew: the tokens that the model read for each answer.

import type { UsageHistory } from "../../utterance.js";
import { isSummary, linesIn, readTokens } from "./record.js";

export function addUsageLines(history: UsageHistory, bytes: Buffer, from: number, to: number): void {
  for (const line of linesIn(bytes, from, to)) {
    if (line.kind !== "message") continue;
    const { message } = line;
    const used = readTokens(message);
    if (isSummary(message)) history.compactedAtMs.push(message.atMs);
    else if (used !== null && message.atMs !== null) history.points.push({ atMs: message.atMs, used });
  }
}
