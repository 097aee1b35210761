// What the client prints when it exits from a conversation: its title, and how to continue it.

import { readSessionId } from "../../../names/gates.js";
import type { LastWords } from "../../agent.js";

export function readLastWords(rows: readonly string[]): LastWords | null {
  const at = rows.findLastIndex((row) => /^\s*Continue\s+opencode -s \S+\s*$/.test(row));
  const session = readSessionId(/-s (\S+)/.exec(rows[at] ?? "")?.[1]);
  if (session === null) return null;
  return { session, title: /^\s*Session\s+(.+?)\s*$/.exec(rows[at - 1] ?? "")?.[1] ?? null };
}
