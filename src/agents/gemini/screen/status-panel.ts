// The panel that `/stats` prints: it names the session that the process is in now. `/clear` and `/resume` clear the
// screen, so a panel that is visible is not older than either.

import { readSessionId } from "../../../names/gates.js";
import type { ShownStatus } from "../../agent.js";
import { rowsOf } from "./input-box.js";

export function readStatus(lines: readonly string[]): ShownStatus | null {
  const ids = rowsOf(lines).flatMap((row) => {
    const id = readSessionId(/^│\s+Session ID:\s+(\S+)\s*│$/u.exec(row)?.[1]);
    return id === null ? [] : [id];
  });
  const id = ids.at(-1);
  return id === undefined ? null : { id, name: null };
}
