// To which folder a project id belongs: two would share every session id.
//
// [UJ1] The same project id in another folder is refused, and that folder is named, or the file where its name tells which.
// [UJ2] A folder that is gone, or has no team file any more, has lost its claim, and so has a file that is gone: that is
//       said, and the new one takes it.

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { shellWord } from "../base/shell-word.js";
import type { ProjectRow } from "../stores/projects.js";
import { teamFileNames } from "../teamfile/find-team-file.js";
import type { TeamFile } from "../teamfile/team-file.js";
import type { TeamWorld } from "../teams/world.js";

/** What is at the place that a row names: the team file itself, a folder that has one, or neither. */
export type Standing = "file" | "folder" | null;

/** What takes the place of the row, and whose claim it was that is gone; refused where that one still stands. */
export function claimed(
  { project, folder, written, path }: Pick<TeamFile, "project" | "folder" | "written" | "path">,
  rows: readonly ProjectRow[],
  standingAt: (place: string) => Standing,
): { rows: readonly ProjectRow[]; gone: string | null } {
  const known = rows.find((row) => row.project === project);
  if (known?.folder === written) return { rows, gone: null };
  const standing = known === undefined ? null : standingAt(known.folder);
  const isFileHere = standing === "file" && dirname(known!.folder) === folder;
  const isSame = known?.folder === folder || isFileHere;
  if (known !== undefined && !isSame && standing !== null) {
    throw new HiveError(`the project ${project} belongs to ${known.folder}, not to ${written}`, {
      hint: `give it another name in ${shellWord(path)}, or use that one: hivemind up --file ${shellWord(known.folder)}`,
    });
  }
  const others = rows.filter((row) => row !== known);
  const gone = known === undefined || isSame ? null : known.folder;
  return { rows: [...others, { project, folder: written }], gone };
}

/** Checked and written in one step: of two at once the second is refused. */
export async function claimProject({ stores, say }: TeamWorld, file: TeamFile): Promise<void> {
  let gone: string | null = null;
  await stores.projects.update((rows) => {
    const claim = claimed(file, rows, standingAt);
    gone = claim.gone;
    return claim.rows;
  });
  if (gone === null) return;
  const now = `now in ${file.written}`;
  say(harmless(`${file.project} was in ${gone}, where there is no team file any more: ${now}`));
}

/** Without writing: for who only looks. */
export function checkProject({ stores }: Pick<TeamWorld, "stores">, file: TeamFile): void {
  claimed(file, stores.projects.read().rows, standingAt);
}

function standingAt(place: string): Standing {
  try {
    if (statSync(place, { throwIfNoEntry: false })?.isFile()) return "file";
  } catch {
    // What nobody may look at is not gone.
    return "folder";
  }
  // A folder `.team` is itself the one that its file belongs to.
  const names = [...teamFileNames, "team-compose.yaml"];
  return names.some((name) => existsSync(join(place, name))) ? "folder" : null;
}
