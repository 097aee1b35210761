// Who is in a pane: its agent, role, team and conversation, as `whoami --json` prints it. Pure.

import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";

export function whoIs({ agent, address, id: paneId, sessionName: team }: FleetPane, { sessions }: Fleet) {
  const { uuid, state, title } = sessions.get(paneId)!;
  const [id, role] = [agent?.id ?? null, agent?.role ?? null];
  return { agent: id, pane: address, paneId, role, team, uuid, state, title };
}
