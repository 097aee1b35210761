// The mark a registered pane carries: one pane option, `<pane id>|<address>|<role>`.
// It travels with the pane through swap, move, break, join and respawn, and so tells what to re-key.
//
// [M1] A mark whose pane id is not the pane's own is ignored: formats inherit options from window, session and server,
//      and ids repeat on another server.
// [M2] A mark that does not parse is no mark.
// [M3] The tmux session of a registered pane carries `@hivemind_team`, `<session id>|<team>`: closing its last marked pane
//      does not take back that rows of this team were of marked panes, and a new name does not make it another team's.
//      With the id, for the reason of M1.

import {
  isPaneAddress,
  isRole,
  type PaneAddress,
  type PaneId,
  type Role,
  type TeamName,
} from "../names/gates.js";
import type { TmuxPane, TmuxSessionId } from "../tmux/listing.js";

export const markOption = "@hivemind";
export const teamOption = "@hivemind_team";

export interface Mark {
  /** Where the pane stood when it was registered, or last re-keyed. */
  address: PaneAddress;
  role: Role;
}

export function formatMark(pane: PaneId, { address, role }: Mark): string {
  return `${pane}|${address}|${role}`;
}

export function parseMark(pane: PaneId, value: string): Mark | null {
  const [id, address, role, ...more] = value.split("|");
  if (id !== pane || more.length > 0) return null;
  if (address === undefined || !isPaneAddress(address) || role === undefined || !isRole(role)) return null;
  return { address, role };
}

export function formatTeamMark(tmuxSession: TmuxSessionId, team: TeamName): string {
  return `${tmuxSession}|${team}`;
}

export function isTeamMarked({ sessionId, team }: Pick<TmuxPane, "sessionId" | "team">): boolean {
  return team.startsWith(`${sessionId}|`);
}
