// Which folder a project id belongs to: two folders with one id would share every session id.
//
// - The same project id in another folder is refused, with that folder in the error, or the file if it has another
//   name.
// - A folder without a team file, or a file that is gone, has lost its claim. The new one takes it, and the output
//   says so.

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { shellWord } from "../base/text/shell-word.js";
import type { ProjectRow } from "../stores/projects.js";
import { teamFileNames } from "../teamfile/find-team-file.js";
import type { TeamFile } from "../teamfile/team-file.js";
import type { TeamWorld } from "../teams/world.js";

/** What is at the place in a row: the team file itself, a folder that has one, or neither. */
export type Standing = "file" | "folder" | null;

/** The new rows, and the old claim if it was lost. Refused if the old claim is still valid. */
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

/** Checks and writes in one step: of two at once the second is refused. */
export async function claimProject({ stores, say }: TeamWorld, file: TeamFile): Promise<void> {
  let gone: string | null = null;
  await stores.projects.update((rows) => {
    const claim = claimed(file, rows, standingAt);
    gone = claim.gone;
    return claim.rows;
  });
  if (gone === null) return;
  const now = `now in ${file.written}`;
  say(harmless(`${file.project} was in ${gone}, which no longer has a team file: ${now}`));
}

/** Without writing, for commands that only look. */
export function checkProject({ stores }: Pick<TeamWorld, "stores">, file: TeamFile): void {
  claimed(file, stores.projects.read().rows, standingAt);
}

function standingAt(place: string): Standing {
  try {
    if (statSync(place, { throwIfNoEntry: false })?.isFile()) return "file";
  } catch {
    // An unreadable place does not count as gone.
    return "folder";
  }
  // The folder `.team` is the one that its file belongs to.
  const names = [...teamFileNames, "team-compose.yaml"];
  return names.some((name) => existsSync(join(place, name))) ? "folder" : null;
}
