// S7: the team that commands mean when none is given. Whether it is alive is the reader's question.
//
// [AT1] What is no team name is no active team, and is said.

import { basename, dirname } from "node:path";
import { readBytes, removeFile, replaceFile, sweepTemporary } from "../base/atomic-file.js";
import { withLock } from "../base/lock.js";
import { limits } from "../limits.js";
import { type TeamName, teamName } from "../names/gates.js";
import { guard, type Report, storeError } from "./error.js";
import { readTeam } from "./fields.js";
import { lockOf } from "./row-file.js";
import { excerpt } from "./row-lines.js";

export interface ActiveTeam {
  readonly path: string;
  read(): TeamName | null;
  /** Null: there is none any more. */
  write(team: TeamName | null): Promise<void>;
}

export function openActiveTeam(path: string, report?: Report): ActiveTeam {
  return {
    path,
    read() {
      const bytes = guard(path, () => readBytes(path, limits.rowBytes));
      const line = bytes?.toString("utf8").split("\n")[0]?.trim() ?? "";
      const team = readTeam(line);
      if (team === null && line !== "")
        report?.({ path, line: 1, why: `not a team name: "${excerpt(line)}"` });
      return team;
    },
    async write(team) {
      const change = () => {
        if (team === null) removeFile(path);
        else replaceFile(path, `${teamName(team)}\n`);
      };
      try {
        // Looked at first, because a symbolic link in its place would be replaced without a word.
        readBytes(path, limits.rowBytes);
        await withLock(lockOf(path), change, {
          afterDeath: () => sweepTemporary(dirname(path), basename(path)),
        });
      } catch (error) {
        throw storeError(path, error);
      }
    },
  };
}
