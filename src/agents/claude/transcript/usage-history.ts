// How the context of a conversation grew, from the records of a transcript: the tokens of each main-chain answer, and
// the compactions. Lines that have neither are not parsed.

import { limits } from "../../../limits.js";
import { markFinder } from "../../../transcripts/scan/outline.js";
import { timeMs } from "../../record.js";
import type { UsageHistory } from "../../utterance.js";
import { answerOf } from "./answer-record.js";
import { holds, type Line, lineAt, lineEnd, lineTypes, parse, typeOf } from "./line.js";

const findUsage = markFinder(Buffer.from('_tokens"'));
const boundary = "compact_boundary";
const findBoundary = markFinder(Buffer.from(`"${boundary}"`));

/** One answer is several records with the same count: only the last one of a run is kept. */
export function addUsageLines(history: UsageHistory, bytes: Buffer, from: number, to: number): void {
  for (let start = from; start < to; ) {
    const end = lineEnd(bytes, start, to);
    if (end - start <= limits.transcriptPlainBytes) {
      const line = lineAt(start, end, typeOf(bytes, start, end));
      if (line.type === lineTypes.assistant && holds(bytes, line, findUsage)) addAnswer(history, bytes, line);
      if (line.type === lineTypes.system && holds(bytes, line, findBoundary))
        addBoundary(history, bytes, line);
    }
    start = end + 1;
  }
}

function addAnswer({ points }: UsageHistory, bytes: Buffer, line: Line): void {
  const answer = answerOf(parse(bytes, line));
  if (answer === null || answer.atMs === null) return;
  if (points.at(-1)?.used === answer.tokens) points.pop();
  points.push({ atMs: answer.atMs, used: answer.tokens });
}

function addBoundary({ compactedAtMs }: UsageHistory, bytes: Buffer, line: Line): void {
  const json = parse(bytes, line);
  if (json?.subtype === boundary) compactedAtMs.push(timeMs(json.timestamp));
}
