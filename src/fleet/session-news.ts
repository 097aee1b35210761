// Where a client says that it is in another session than its row has. Pure.

import { agentOfKind } from "../agents/all.js";
import { isTeamName, type TeamName } from "../names/gates.js";
import type { SessionRow } from "../stores/sessions.js";
import type { TeamRow } from "../stores/teams.js";
import type { Panes } from "./panes.js";

interface Stored {
  sessions: readonly SessionRow[];
  teams: readonly TeamRow[];
}

/** The registered teams with such an agent: what it says is lost with it unless somebody writes it down. */
export function teamsWithNews({ panes }: Pick<Panes, "panes">, stored: Stored): TeamName[] {
  const sessionAt = new Map<string, string>(stored.sessions.map(({ pane, uuid }) => [pane, uuid]));
  const registered = new Set<string>(stored.teams.map(({ team }) => team));
  const news = panes.filter(
    ({ mark, live, kind, address, sessionName }) =>
      mark !== null &&
      live !== null &&
      agentOfKind(kind)?.hasUuids === true &&
      registered.has(sessionName) &&
      sessionAt.get(address) !== live.sessionId,
  );
  return [...new Set(news.map(({ sessionName }) => sessionName))].filter(isTeamName);
}
