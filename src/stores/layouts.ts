// S10: the layout of each team, one file a team.
//
// [LF1] A file that says it is of another team than its name is no layout: whoever locks and asks by the one name would
//       make panes under the other.

import { basename, dirname, join } from "node:path";
import { refuseLinkedFolder, removeFile, replaceFile, sweepTemporary } from "../base/atomic-file.js";
import { withLock } from "../base/lock.js";
import { namesIn } from "../base/names-in.js";
import { limits } from "../limits.js";
import { type TeamName, teamName } from "../names/gates.js";
import { readStore } from "./bounded.js";
import { guard, type Report, storeError } from "./error.js";
import { readTeam } from "./fields.js";
import { type Layout, parseLayout, rewriteLayout } from "./layout-text.js";
import { lockOf } from "./row-file.js";

export interface Layouts {
  readonly folder: string;
  fileOf(team: TeamName): string;
  list(): TeamName[];
  /** Null when there is none, or none that says it is this team's. */
  read(team: TeamName): Layout | null;
  /** A layout of another place, such as one that was fetched from another host. */
  readAt(path: string): Layout | null;
  write(layout: Layout): Promise<string>;
  /** False when there was none. */
  remove(team: TeamName): Promise<boolean>;
  /** False when there was none; one of the new name is replaced. */
  rename(old: TeamName, renamed: TeamName): Promise<boolean>;
}

export function openLayouts(folder: string, report?: Report): Layouts {
  const fileOf = (team: TeamName) => join(folder, `${teamName(team)}${ending}`);

  function readAt(path: string): Layout | null {
    const bytes = guard(path, () => {
      refuseLinkedFolder(dirname(path));
      return readStore(path, limits.layoutBytes);
    });
    if (bytes === null) return null;
    const { layout, problems } = parseLayout(path, bytes);
    for (const problem of problems) report?.(problem);
    return layout;
  }

  function read(team: TeamName): Layout | null {
    const path = fileOf(team);
    const layout = readAt(path);
    if (layout === null || layout.team === team) return layout;
    const why = `it is a layout of ${layout.team}; for ${team} its OTMUX_LAYOUT_SESSION must be ${team}`;
    report?.({ path, line: 1, why });
    return null;
  }

  /** `act` gets what is in the file then; null when there is none. */
  async function change<T>(path: string, act: (before: Buffer | null) => T): Promise<T> {
    try {
      refuseLinkedFolder(folder);
      const look = () => readStore(path, limits.layoutBytes);
      look();
      return await withLock(lockOf(path), () => act(look()), {
        afterDeath: () => sweepTemporary(dirname(path), basename(path)),
      });
    } catch (error) {
      throw storeError(path, error);
    }
  }

  /** `lines` are those of another file, which the new one has too. */
  async function write(layout: Layout, lines?: Buffer): Promise<string> {
    const path = fileOf(layout.team);
    await change(path, (before) =>
      replaceFile(path, rewriteLayout(lines ?? before ?? Buffer.alloc(0), layout)),
    );
    return path;
  }

  const remove = (team: TeamName) => change(fileOf(team), () => removeFile(fileOf(team)));

  return {
    folder,
    fileOf,
    list: () => guard(folder, () => teamsIn(folder)),
    read,
    readAt,
    write: (layout) => write(layout),
    remove,
    async rename(old, renamed) {
      const path = fileOf(old);
      const layout = readAt(path);
      if (layout === null) return false;
      const lines = guard(path, () => readStore(path, limits.layoutBytes));
      await write({ ...layout, team: renamed }, lines ?? Buffer.alloc(0));
      return remove(old);
    },
  };
}

const ending = ".layout.env";

function teamsIn(folder: string): TeamName[] {
  refuseLinkedFolder(folder);
  const names = namesIn(folder).filter((name) => name.endsWith(ending));
  return names.flatMap((name) => readTeam(name.slice(0, -ending.length)) ?? []).sort();
}
