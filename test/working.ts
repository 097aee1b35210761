import { rowOf, showsWork } from "../src/agents/claude/screen/input-box.js";
import { readGlyphs } from "../src/agents/sgr.js";

/** Whether the client shows on these lines, colours included, that it works. */
export function isWorking(lines: readonly string[]): boolean {
  return showsWork(readGlyphs(lines).map(rowOf));
}
