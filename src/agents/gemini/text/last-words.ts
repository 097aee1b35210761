// What the client prints when it exits normally: a summary in a frame, whose last row says how to resume.

import { readSessionId } from "../../../names/gates.js";
import type { LastWords } from "../../agent.js";

/** Notes of hooks may follow the frame. Text above the frame may be from anything. */
export function readLastWords(rows: readonly string[]): LastWords | null {
  const end = rows.findLastIndex((row) => /^\s*╰─+╯\s*$/u.test(row));
  const resume = /^\s*│\s+To resume this session: gemini --resume (\S+)\s+│\s*$/u.exec(rows[end - 1] ?? "");
  const session = readSessionId(resume?.[1]);
  return session === null ? null : { session, title: null };
}
