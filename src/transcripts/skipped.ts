// Lines that are too long to be read, for whoever asks what was said.

import { limits } from "../limits.js";
import type { Problem } from "./transcript.js";

export function skippedProblems(path: string, count: number): Problem[] {
  if (count === 0) return [];
  const lines = `${count} ${count === 1 ? "line" : "lines"}`;
  return [{ path, message: `${lines} of more than ${limits.transcriptLineBytes} bytes left out` }];
}
