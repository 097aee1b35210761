// Finds team files that were brought up before, through the stores.

import { HiveError } from "../base/errors.js";
import type { TeamName } from "../names/gates.js";
import { loadTeamFile } from "../teamfile/load-team-file.js";
import type { TeamFile } from "../teamfile/team-file.js";
import type { TeamWorld } from "../teams/world.js";

type WrittenWorld = Pick<TeamWorld, "env" | "stores">;

/** The current team file of a project; an unknown project is an error. */
export function writtenProject({ env, stores }: WrittenWorld, project: string): TeamFile {
  const row = stores.projects.read().rows.find((each) => each.project === project);
  if (row === undefined) throw new HiveError(`no team file is known for the project ${project}`);
  return loadTeamFile({ from: row.folder, file: row.folder, env, project });
}

/** The file of this team, for `--file`; null if none has it or none is readable. */
export function fileOfTeam(world: WrittenWorld, team: TeamName): string | null {
  for (const { project, folder } of world.stores.projects.read().rows) {
    try {
      if (writtenProject(world, project).team === team) return folder;
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
    }
  }
  return null;
}
