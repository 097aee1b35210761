// S3: the registered teams.

import type { TeamName } from "../names/gates.js";
import { readTeam, readText, rowFormat } from "./file/fields.js";

export interface TeamRow {
  team: TeamName;
  description: string;
}

export const teamFormat = rowFormat<TeamRow>(
  "a row is team|description",
  { team: readTeam, description: readText },
  ({ team }) => team,
  1,
);
