// S7: the default team of commands. The reader checks whether it runs.
//
// A value that is not a team name counts as none and is reported.

import { readBytes, removeFile, replaceFile } from "../base/files/atomic-file.js";
import { limits } from "../limits.js";
import { type TeamName, teamName } from "../names/gates.js";
import { guard, type Report } from "./file/error.js";
import { readTeam } from "./file/fields.js";
import { excerpt } from "./file/row-lines.js";
import { whileLocked } from "./file/store-file.js";

export function openActiveTeam(path: string, report?: Report) {
  return {
    path,
    read(): TeamName | null {
      const bytes = guard(path, () => readBytes(path, limits.rowBytes));
      const line = bytes?.toString("utf8").split("\n")[0]?.trim() ?? "";
      const team = readTeam(line) ?? null;
      if (team === null && line !== "")
        report?.({ path, line: 1, why: `not a team name: "${excerpt(line)}"` });
      return team;
    },
    /** Null removes it. */
    async write(team: TeamName | null): Promise<void> {
      // Read first: the replace would silently remove a symbolic link.
      guard(path, () => readBytes(path, limits.rowBytes));
      await whileLocked(path, () => {
        if (team === null) removeFile(path);
        else replaceFile(path, `${teamName(team)}\n`);
      });
    },
  };
}
