// S1: which pane has which role in its team. A view of the roster, for other programs.

import type { PaneAddress, Role } from "../names/gates.js";
import { optional, readCount, readPane, readRole, rowFormat } from "./file/fields.js";
import type { RowFormat } from "./file/row-lines.js";

export interface RoleRow {
  pane: PaneAddress;
  role: Role;
  /** When it was written, in seconds. A row never expires. */
  epoch: number | null;
}

export const roleFormat: RowFormat<RoleRow> = {
  ...rowFormat<RoleRow>(
    "a row is pane|role|epoch",
    { pane: readPane, role: readRole, epoch: optional(readCount) },
    ({ pane }) => pane,
    2,
  ),
  format: ({ pane, role, epoch }) => (epoch === null ? `${pane}|${role}` : `${pane}|${role}|${epoch}`),
};
