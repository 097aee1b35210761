// S2: the session last seen in each pane. A view of the roster, for other programs.

import type { PaneAddress, SessionId } from "../names/gates.js";
import { readPane, readSession, rowFormat } from "./file/fields.js";

export interface SessionRow {
  pane: PaneAddress;
  uuid: SessionId;
}

export const sessionFormat = rowFormat<SessionRow>(
  "a row is pane|uuid",
  { pane: readPane, uuid: readSession },
  ({ pane }) => pane,
);
