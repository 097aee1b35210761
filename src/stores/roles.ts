// S1: which pane has which role in its team.

import type { PaneAddress, Role } from "../names/gates.js";
import type { Report } from "./error.js";
import { readCount, readPane, readRole, splitFields } from "./fields.js";
import { type RowFile, rowFile } from "./row-file.js";
import type { RowFormat } from "./row-lines.js";

export interface RoleRow {
  pane: PaneAddress;
  role: Role;
  /** Seconds; when it was written. It never expires a row. */
  epoch: number | null;
}

export function openRoles(path: string, report?: Report): RowFile<RoleRow> {
  return rowFile(path, roleFormat, report);
}

export const roleFormat: RowFormat<RoleRow> = {
  rule: "a row is pane|role|epoch",
  parse(line) {
    const fields = splitFields(line, 2, 3);
    const pane = readPane(fields?.[0]);
    const role = readRole(fields?.[1]);
    const epoch = readCount(fields?.[2]);
    if (pane === null || role === null || (epoch === null && (fields?.[2] ?? "") !== "")) return this.rule;
    return { pane, role, epoch };
  },
  format: ({ pane, role, epoch }) => (epoch === null ? `${pane}|${role}` : `${pane}|${role}|${epoch}`),
  key: ({ pane }) => pane,
};
