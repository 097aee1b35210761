// S10: the layout of each team, one file per team.
//
// A file whose content names another team than its file name is ignored: a caller that locks one name would
// otherwise create panes under the other.

import { dirname, join } from "node:path";
import { refuseLinkedFolder, removeFile, replaceFile } from "../base/files/atomic-file.js";
import { limits } from "../limits.js";
import { type TeamName, teamName } from "../names/gates.js";
import { guard, type Report } from "./file/error.js";
import { readTeam } from "./file/fields.js";
import { namesInStore, readStore, whileLocked } from "./file/store-file.js";
import { type Layout, parseLayout, rewriteLayout } from "./text/layout-text.js";

export type Layouts = ReturnType<typeof openLayouts>;

export function openLayouts(folder: string, report?: Report) {
  const fileOf = (team: TeamName) => join(folder, `${teamName(team)}${ending}`);

  function bytesAt(path: string): Buffer | null {
    guard(path, () => refuseLinkedFolder(dirname(path)));
    return readStore(path, limits.layoutBytes);
  }

  function readAt(path: string): Layout | null {
    const bytes = bytesAt(path);
    if (bytes === null) return null;
    const { layout, problems } = parseLayout(path, bytes);
    for (const problem of problems) report?.(problem);
    return layout;
  }

  /** Null if the team has no layout, or its file names another team. */
  function read(team: TeamName): Layout | null {
    const path = fileOf(team);
    const layout = readAt(path);
    if (layout === null || layout.team === team) return layout;
    const why = `it is a layout of ${layout.team}; for ${team} its OTMUX_LAYOUT_SESSION must be ${team}`;
    report?.({ path, line: 1, why });
    return null;
  }

  /** `act` gets the bytes of the file; null if there is none. */
  async function change<T>(path: string, act: (before: Buffer | null) => T): Promise<T> {
    bytesAt(path);
    return whileLocked(path, () => act(bytesAt(path)));
  }

  /** `lines` are the lines of another file to keep in the new one. */
  async function write(layout: Layout, lines?: Buffer): Promise<string> {
    const path = fileOf(layout.team);
    await change(path, (before) =>
      replaceFile(path, rewriteLayout(lines ?? before ?? Buffer.alloc(0), layout)),
    );
    return path;
  }

  /** False if there was none. */
  const remove = (team: TeamName) => change(fileOf(team), () => removeFile(fileOf(team)));

  return {
    folder,
    fileOf,
    list(): TeamName[] {
      const names = namesInStore(folder).filter((name) => name.endsWith(ending));
      return names.flatMap((name) => readTeam(name.slice(0, -ending.length)) ?? []).sort();
    },
    read,
    write: (layout: Layout) => write(layout),
    remove,
    /** False if there was none. Replaces a layout of the new name. */
    async rename(old: TeamName, renamed: TeamName): Promise<boolean> {
      const path = fileOf(old);
      const layout = readAt(path);
      if (layout === null) return false;
      await write({ ...layout, team: renamed }, bytesAt(path) ?? Buffer.alloc(0));
      return remove(old);
    },
  };
}

const ending = ".layout.env";
