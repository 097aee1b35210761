// Team files that were brought up before, found again by what the stores know of them.

import { HiveError } from "../base/errors.js";
import type { TeamName } from "../names/gates.js";
import { loadTeamFile } from "../teamfile/load-team-file.js";
import type { TeamFile } from "../teamfile/team-file.js";
import type { TeamWorld } from "../teams/world.js";

type WrittenWorld = Pick<TeamWorld, "env" | "stores">;

/** As it says now; a project that is nowhere written down is an error. */
export function writtenProject({ env, stores }: WrittenWorld, project: string): TeamFile {
  const row = stores.projects.read().rows.find((each) => each.project === project);
  if (row === undefined) throw new HiveError(`where the project ${project} is written down is not known`);
  return loadTeamFile({ from: row.folder, file: row.folder, env, project });
}

/** Where the file is that has this team, for `--file`; null where none does, or none can be read. */
export function whereWritten(world: WrittenWorld, team: TeamName): string | null {
  for (const { project, folder } of world.stores.projects.read().rows) {
    try {
      if (writtenProject(world, project).team === team) return folder;
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
    }
  }
  return null;
}
