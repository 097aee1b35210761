// How the context of a conversation grew: the tokens that the model read for each answer.

import type { UsageHistory } from "../../utterance.js";
import { recordsIn } from "./lines.js";
import { isAgain, messageOf, tokensOf } from "./record.js";

export function addUsageLines({ points }: UsageHistory, bytes: Buffer, from: number, to: number): void {
  for (const json of recordsIn(bytes, from, to)) {
    const message = messageOf(json);
    const tokens = message === null || isAgain(message) ? null : tokensOf(message);
    if (tokens !== null && message!.atMs !== null) points.push({ atMs: message!.atMs, used: tokens.input });
  }
}
