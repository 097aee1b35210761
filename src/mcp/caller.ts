// Who calls a tool: the conversation whose client started this server. The ancestors of the process decide, at each
// call: after `/clear` the same client has another conversation.
//
// [MCP1] Without a client above this process, or with one that has no conversation of its own, every call is refused.

import { HiveError } from "../base/errors.js";
import { forOneLook } from "../base/system/processes.js";
import type { Client } from "../fleet/identity/clients.js";
import { runningState } from "../fleet/identity/discover.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { whoIs } from "../fleet/who-is.js";
import type { Hive } from "../hive/hive.js";
import { senderOf } from "../hive/sender-of.js";
import { limits } from "../limits.js";
import type { Sender } from "../messages/sender.js";
import type { SessionId } from "../names/gates.js";

export type Caller = {
  /** As other agents see it. */
  sender: Sender;
} & ({ pane: FleetPane } | { pane: null; session: SessionId; title: string | null });

export function callerIn(hive: Pick<Hive, "caller" | "stores">, panes: Panes): Caller {
  const sender = senderOf(hive, panes);
  if (sender === null)
    throw new HiveError("refused: no agent runs this server, so nobody is known to call it", {
      hint: "an agent's own client has to start it: hivemind mcp install",
    });
  const pane = hive.caller(panes)?.pane ?? null;
  if (pane !== null) return { sender, pane };
  const live = nearestClient(panes)?.live ?? null;
  if (live === null || live.isTool === true || live.isSpare === true)
    throw new HiveError(
      "refused: the client that runs this server has no conversation that others can answer",
      {
        hint: "only agents in panes and in the background can use these tools",
      },
    );
  return { sender, pane: null, session: live.sessionId, title: live.name };
}

/** The same facts as `whoami --json`; an agent in the background has no pane. */
export function whoCalls(caller: Caller, fleet: Fleet): ReturnType<typeof whoIs> | BackgroundFacts {
  if (caller.pane !== null) return whoIs(caller.pane, fleet);
  const modifiedAtMs = fleet.index.byId.get(caller.session)?.[0]?.modifiedAtMs ?? null;
  const state = runningState(modifiedAtMs, fleet.takenAtMs);
  const nowhere = { agent: null, pane: null, paneId: null, role: null, team: null };
  return { ...nowhere, uuid: caller.session, state, title: caller.title };
}

type BackgroundFacts = { [Key in keyof ReturnType<typeof whoIs>]: ReturnType<typeof whoIs>[Key] | null };

/** The name under which commands find the caller: its pane, else its session. */
export function refOf(caller: Caller): string {
  return caller.pane === null ? caller.session : caller.pane.id;
}

/** The nearest ancestor with a registry file. */
function nearestClient({ clients }: Pick<Panes, "clients">): Client | null {
  const byPid = new Map(clients.map((client) => [client.process.pid, client]));
  const { findProcess } = forOneLook();
  let above = findProcess(process.pid);
  for (let count = 0; above !== null && count < limits.ancestors; count++) {
    const found = byPid.get(above.pid);
    if (found !== undefined) return found;
    above = above.ppid > 1 ? findProcess(above.ppid) : null;
  }
  return null;
}
