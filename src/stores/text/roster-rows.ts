// S0, the roster: one row per known agent. Everything stored about an agent refers to its id.

import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress, Role, SessionId, TeamName } from "../../names/gates.js";
import { formatSeat, parseSeat, type Seat } from "../../names/seat.js";
import {
  optional,
  readAgent,
  readCount,
  readPane,
  readRole,
  readSession,
  readTeam,
  rowFormat,
} from "../file/fields.js";
import type { RowFormat } from "../file/row-lines.js";

export interface AgentRow {
  id: AgentId;
  team: TeamName;
  role: Role | null;
  /** Its kind when it last ran, such as "claude"; empty if it was never seen. */
  kind: string;
  /** The conversation it was last seen in. */
  session: SessionId | null;
  /** Where it sits or last sat; null for an agent known only from a file. */
  seat: Seat | null;
  /** The last address of its pane; null while no row can store it. */
  address: PaneAddress | null;
  /** When it got its seat or its role, in seconds. */
  epoch: number;
}

export const agentFormat: RowFormat<AgentRow> = {
  ...rowFormat<AgentRow>(
    "a row is agent|team|role|kind|session|seat|address|epoch",
    {
      id: readAgent,
      team: readTeam,
      role: optional(readRole),
      kind: (text) => (/^[a-z]{0,20}$/.test(text) ? text : undefined),
      session: optional(readSession),
      seat: optional((text) => parseSeat(text) ?? undefined),
      address: optional(readPane),
      epoch: readCount,
    },
    ({ id }) => id,
  ),
  format: ({ id, team, role, kind, session, seat, address, epoch }) =>
    [id, team, role ?? "", kind, session ?? "", seat && formatSeat(seat), address ?? "", epoch].join("|"),
};
