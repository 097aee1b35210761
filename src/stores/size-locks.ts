// S9: the least size a team's windows may have.

import type { TeamName } from "../names/gates.js";
import type { Report } from "./error.js";
import { readTeam, splitFields } from "./fields.js";
import { type RowFile, rowFile } from "./row-file.js";
import type { RowFormat } from "./row-lines.js";

export interface SizeLockRow {
  team: TeamName;
  width: number;
  height: number;
}

export function openSizeLocks(path: string, report?: Report): RowFile<SizeLockRow> {
  return rowFile(path, format, report);
}

const format: RowFormat<SizeLockRow> = {
  rule: "a row is team|W×H, both from 1 to 9999",
  parse(line) {
    const fields = splitFields(line, 2);
    const team = readTeam(fields?.[0]);
    // People type x.
    const size = /^([1-9]\d{0,3})[x×]([1-9]\d{0,3})$/.exec(fields?.[1] ?? "");
    return team === null || size === null
      ? this.rule
      : { team, width: Number(size[1]), height: Number(size[2]) };
  },
  format: ({ team, width, height }) => `${team}|${width}×${height}`,
  key: ({ team }) => team,
};
