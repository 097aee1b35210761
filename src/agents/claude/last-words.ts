// What the client prints when it ends in order: how to go on with its conversation. 2.1.197 names it by its title, if
// it has one; 2.1.325 by its id.

import { readSessionId } from "../../names/gates.js";
import type { LastWords } from "../agent.js";

/** Only the very last words count: what stands above them may be anybody's. */
export function readLastWords(rows: readonly string[]): LastWords | null {
  const words = rows.map((row) => row.trim()).filter((row) => row !== "" && !row.startsWith("Pane is dead"));
  const [before, last = ""] = words.slice(-2);
  if (before !== "Resume this session with:") return null;
  // Options that it was started with may stand before.
  const named = /^claude (?:.* )?--resume (\S+|".*")$/.exec(last)?.[1];
  const session = readSessionId(named);
  const title = /^"(.*)"$/.exec(named ?? "")?.[1]?.replaceAll(/\\(.)/g, "$1") ?? null;
  return session === null && title === null ? null : { session, title };
}
