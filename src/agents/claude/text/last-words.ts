// What the client prints when it exits normally: how to resume its conversation. 2.1.197 names it by its title, if
// it has one; 2.1.325 by its id.

import { readSessionId } from "../../../names/gates.js";
import type { LastWords } from "../../agent.js";

/** Only the last lines count: text above them may be from anything. */
export function readLastWords(rows: readonly string[]): LastWords | null {
  const words = rows.map((row) => row.trim()).filter((row) => row !== "" && !row.startsWith("Pane is dead"));
  const [before, last = ""] = words.slice(-2);
  if (before !== "Resume this session with:") return null;
  // The options that the client was started with may come first.
  const named = /^claude (?:.* )?--resume (\S+|".*")$/.exec(last)?.[1];
  const session = readSessionId(named);
  const title = /^"(.*)"$/.exec(named ?? "")?.[1]?.replaceAll(/\\(.)/g, "$1") ?? null;
  return session === null && title === null ? null : { session, title };
}
