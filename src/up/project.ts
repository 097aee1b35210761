// To which folder a project id belongs: two would share every session id.
//
// [UJ1] The same project id in another folder is refused, and that folder is named.
// [UJ2] A folder that is gone, or has no team file any more, has lost its claim: that is said, and the new one takes it.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { shellWord } from "../base/shell-word.js";
import type { ProjectRow } from "../stores/projects.js";
import { teamFileNames } from "../teamfile/find-team-file.js";
import type { TeamFile } from "../teamfile/team-file.js";
import type { TeamWorld } from "../teams/world.js";

/** What takes the place of the row, and whose claim it was that is gone; refused where that one still stands. */
export function claimed(
  { project, folder, path }: Pick<TeamFile, "project" | "folder" | "path">,
  rows: readonly ProjectRow[],
  hasTeamFile: (folder: string) => boolean,
): { rows: readonly ProjectRow[]; gone: string | null } {
  const known = rows.find((row) => row.project === project);
  if (known?.folder === folder) return { rows, gone: null };
  if (known !== undefined && hasTeamFile(known.folder)) {
    throw new HiveError(`the project ${project} belongs to ${known.folder}, not to ${folder}`, {
      hint: `give it another name in ${shellWord(path)}, or use that one: cd ${shellWord(known.folder)}`,
    });
  }
  const others = rows.filter((row) => row !== known);
  return { rows: [...others, { project, folder }], gone: known?.folder ?? null };
}

/** Checked and written in one step: of two at once the second is refused. */
export async function claimProject({ stores, say }: TeamWorld, file: TeamFile): Promise<void> {
  let gone: string | null = null;
  await stores.projects.update((rows) => {
    const claim = claimed(file, rows, hasTeamFile);
    gone = claim.gone;
    return claim.rows;
  });
  if (gone === null) return;
  say(harmless(`${file.project} was in ${gone}, which has no team file any more: now in ${file.folder}`));
}

/** Without writing: for who only looks. */
export function checkProject({ stores }: Pick<TeamWorld, "stores">, file: TeamFile): void {
  claimed(file, stores.projects.read().rows, hasTeamFile);
}

function hasTeamFile(folder: string): boolean {
  // A folder `.team` is itself the one that its file belongs to.
  return [...teamFileNames, "team-compose.yaml"].some((name) => existsSync(join(folder, name)));
}
