// S3: the registered teams.

import type { TeamName } from "../names/gates.js";
import type { Report } from "./error.js";
import { readTeam, readText, splitFields } from "./fields.js";
import { type RowFile, rowFile } from "./row-file.js";
import type { RowFormat } from "./row-lines.js";

export interface TeamRow {
  team: TeamName;
  description: string;
}

export function openTeams(path: string, report?: Report): RowFile<TeamRow> {
  return rowFile(path, teamFormat, report);
}

export const teamFormat: RowFormat<TeamRow> = {
  rule: "a row is team|description",
  parse(line) {
    const fields = splitFields(line, 1, 2);
    const team = readTeam(fields?.[0]);
    const description = readText(fields?.[1] ?? "");
    return team === null || description === null ? this.rule : { team, description };
  },
  format: ({ team, description }) => `${team}|${description}`,
  key: ({ team }) => team,
};
