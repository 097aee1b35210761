// The changes that events make to the stores of teams and forks. They write, but emit no events.
//
// A change for one team leaves the rows of all others unchanged. A row that is already right is not written again.

import { utcSeconds } from "../../base/text/utc.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../../names/gates.js";
import type { ForkState } from "../forks.js";
import type { Stores } from "../stores.js";
import type { RowFile } from "./row-file.js";

export interface NewFork {
  pane: PaneAddress | null;
  role: Role | null;
  uuid: SessionId;
  parent: SessionId | null;
  /** Default "stable": an agent that just began runs and has no message yet. */
  state?: ForkState;
}

export function rowWriter({
  teams,
  forks,
  activeTeam,
  viewerWindows,
  sizeLocks,
  layouts,
}: Pick<Stores, "teams" | "forks" | "activeTeam" | "viewerWindows" | "sizeLocks" | "layouts">) {
  return {
    async addForks(rows: readonly NewFork[]): Promise<void> {
      const at = utcSeconds(Date.now());
      await forks.append(rows.map((row) => ({ state: "stable", ...row, at })));
    },

    /** With an empty description, the team keeps the one it has. */
    async setTeam(team: TeamName, description: string): Promise<void> {
      await teams.update((rows) => {
        const known = rows.find((row) => row.team === team);
        if (known !== undefined && (description === "" || known.description === description)) return rows;
        return [...rows.filter((row) => row !== known), { team, description }];
      });
    },
    removeTeam: removing(teams),
    renameTeam: renaming(teams),
    removeViewerWindow: removing(viewerWindows),
    renameViewerWindow: renaming(viewerWindows),
    renameSizeLock: renaming(sizeLocks),
    async renameLayout(old: TeamName, renamed: TeamName): Promise<void> {
      await layouts.rename(old, renamed);
    },
    async renameActiveTeam(old: TeamName, renamed: TeamName): Promise<void> {
      if (activeTeam.read() === old) await activeTeam.write(renamed);
    },
  };
}

type TeamRows<Row extends { team: TeamName }> = Pick<RowFile<Row>, "update">;

function removing<Row extends { team: TeamName }>(store: TeamRows<Row>) {
  return async (team: TeamName): Promise<void> => {
    await store.update((rows) => rows.filter((row) => row.team !== team));
  };
}

function renaming<Row extends { team: TeamName }>(store: TeamRows<Row>) {
  return async (old: TeamName, renamed: TeamName): Promise<void> => {
    await store.update((rows) => {
      if (!rows.some(({ team }) => team === old)) return rows;
      const others = rows.filter(({ team }) => team !== renamed);
      return others.map((row) => (row.team === old ? { ...row, team: renamed } : row));
    });
  };
}
