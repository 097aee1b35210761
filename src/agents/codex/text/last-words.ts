// What the client prints when it exits normally: how to resume its conversation, by id, and by name if it has one.

import { readSessionId } from "../../../names/gates.js";
import type { LastWords } from "../../agent.js";

/** Only the last lines count: text above them may be from anything. */
export function readLastWords(rows: readonly string[]): LastWords | null {
  const words = rows.map((row) => row.trim()).filter((row) => row !== "" && !row.startsWith("Pane is dead"));
  const at = words.lastIndexOf("To continue this session, run:");
  if (at < 0 || words.length - at > 3) return null;
  const session = readSessionId(/^codex resume (\S+)$/.exec(words[at + 1] ?? "")?.[1]);
  const title = /^Or run codex resume and select (.+)\.$/.exec(words[at + 2] ?? "")?.[1] ?? null;
  // A last line of anything else was printed by another program.
  if (session === null || (words.length - at === 3 && title === null)) return null;
  return { session, title };
}
