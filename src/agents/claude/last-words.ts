// What the client prints when it ends in order: how to go on with its conversation. 2.1.197 names it by its title, if
// it has one; 2.1.325 by its id.

import { readSessionId, type SessionId } from "../../names/gates.js";

/** Only the very last words count: what stands above them may be anybody's. */
export function readLastWords(rows: readonly string[]): SessionId | null {
  const words = rows.map((row) => row.trim()).filter((row) => row !== "" && !row.startsWith("Pane is dead"));
  const [before, last] = words.slice(-2);
  if (before !== "Resume this session with:") return null;
  return readSessionId(/^claude --resume (\S+)$/.exec(last ?? "")?.[1]);
}
