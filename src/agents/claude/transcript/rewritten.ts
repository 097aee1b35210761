// Replaces some values of one transcript line.
//
// Only these values change; a missing member is added at the end. Every other byte stays, whether it is valid text
// or not, and however deep it is nested.

import { closeBrace } from "../../../transcripts/scan/json-bytes.js";
import { membersIn } from "../../../transcripts/scan/outline.js";

/** The line is a JSON object. */
export function rewritten(line: Buffer, values: Readonly<Record<string, unknown>>): Buffer {
  const parts: Buffer[] = [];
  const missing = new Map(Object.entries(values));
  let [done, comma] = [0, ""];
  for (const { key, start, end } of membersIn(line, 0, line.length)) {
    comma = ",";
    if (!Object.hasOwn(values, key)) continue;
    parts.push(line.subarray(done, start), Buffer.from(JSON.stringify(values[key])));
    missing.delete(key);
    done = end;
  }
  const close = line.lastIndexOf(closeBrace);
  parts.push(line.subarray(done, close));
  for (const [key, value] of missing) {
    parts.push(Buffer.from(`${comma}${JSON.stringify(key)}:${JSON.stringify(value)}`));
    comma = ",";
  }
  return Buffer.concat([...parts, line.subarray(close)]);
}
