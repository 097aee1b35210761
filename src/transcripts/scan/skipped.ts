// The problem report for lines that are too long to be read.

import { limits } from "../../limits.js";
import type { Problem } from "../transcript.js";

export function skippedProblems(path: string, count: number): Problem[] {
  if (count === 0) return [];
  const lines = `${count} ${count === 1 ? "line" : "lines"}`;
  return [{ path, message: `${lines} of more than ${limits.transcriptLineBytes} bytes left out` }];
}
