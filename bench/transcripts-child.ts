// Indexes all transcripts once in a separate process, as a command would.

import { claudeLines } from "../src/agents/claude/transcript/lines.js";
import { openIndex } from "../src/transcripts/index.js";

export interface Refreshed {
  transcripts: number;
  bytesRead: number;
  refreshMs: number;
  residentMb: number;
}

const [root, cacheDir] = process.argv.slice(2);
const start = performance.now();
const { transcripts, bytesRead } = await openIndex({
  roots: [root!],
  cacheDir: cacheDir!,
  parser: claudeLines,
}).refresh();
const refreshed: Refreshed = {
  transcripts: transcripts.length,
  bytesRead,
  refreshMs: performance.now() - start,
  residentMb: process.resourceUsage().maxRSS / 1024,
};
process.stdout.write(JSON.stringify(refreshed));
