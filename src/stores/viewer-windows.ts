// S8: which window of the viewer's screen shows which team.

import type { TeamName } from "../names/gates.js";
import type { Report } from "./error.js";
import { readCount, readTeam, splitFields } from "./fields.js";
import { type RowFile, rowFile } from "./row-file.js";
import type { RowFormat } from "./row-lines.js";

export interface ViewerWindowRow {
  /** GNU screen's number of it. */
  window: number;
  team: TeamName;
}

export function openViewerWindows(path: string, report?: Report): RowFile<ViewerWindowRow> {
  return rowFile(path, format, report);
}

const format: RowFormat<ViewerWindowRow> = {
  rule: "a row is screenWindow|team",
  parse(line) {
    const fields = splitFields(line, 2);
    const window = readCount(fields?.[0]);
    const team = readTeam(fields?.[1]);
    return window === null || team === null ? this.rule : { window, team };
  },
  format: ({ window, team }) => `${window}|${team}`,
  key: ({ window }) => String(window),
};
