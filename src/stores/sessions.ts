// S2: which session was last seen in which pane.

import type { PaneAddress, SessionId } from "../names/gates.js";
import type { Report } from "./error.js";
import { readPane, readSession, splitFields } from "./fields.js";
import { type RowFile, rowFile } from "./row-file.js";
import type { RowFormat } from "./row-lines.js";

export interface SessionRow {
  pane: PaneAddress;
  uuid: SessionId;
}

export function openSessions(path: string, report?: Report): RowFile<SessionRow> {
  return rowFile(path, sessionFormat, report);
}

export const sessionFormat: RowFormat<SessionRow> = {
  rule: "a row is pane|uuid",
  parse(line) {
    const fields = splitFields(line, 2);
    const pane = readPane(fields?.[0]);
    const uuid = readSession(fields?.[1]);
    return pane === null || uuid === null ? this.rule : { pane, uuid };
  },
  format: ({ pane, uuid }) => `${pane}|${uuid}`,
  key: ({ pane }) => pane,
};
