// S9: the minimum size of each team's windows.

import type { TeamName } from "../names/gates.js";
import { readTeam } from "./file/fields.js";
import type { RowFormat } from "./file/row-lines.js";

export interface SizeLockRow {
  team: TeamName;
  width: number;
  height: number;
}

export const sizeLockFormat: RowFormat<SizeLockRow> = {
  rule: "a row is team|W×H, both from 1 to 9999",
  parse(line) {
    // Users type x instead of ×.
    const [, name = "", width, height] = /^([^|]*)\|([1-9]\d{0,3})[x×]([1-9]\d{0,3})$/.exec(line) ?? [];
    const team = readTeam(name);
    return team === undefined ? this.rule : { team, width: Number(width), height: Number(height) };
  },
  format: ({ team, width, height }) => `${team}|${width}×${height}`,
  key: ({ team }) => team,
};
