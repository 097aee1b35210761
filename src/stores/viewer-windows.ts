// S8: which window of the viewer's screen shows which team.

import type { TeamName } from "../names/gates.js";
import { readCount, readTeam, rowFormat } from "./file/fields.js";

export interface ViewerWindowRow {
  /** GNU screen's window number. */
  window: number;
  team: TeamName;
}

export const viewerWindowFormat = rowFormat<ViewerWindowRow>(
  "a row is screenWindow|team",
  { window: readCount, team: readTeam },
  ({ window }) => String(window),
);
