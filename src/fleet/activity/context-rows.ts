// How full the contexts of agents are, as rows for people and programs.

import { exitCodes, HiveError } from "../../base/errors.js";
import { naturalOrder } from "../../base/text/natural-order.js";
import { isSessionId } from "../../names/gates.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";
import { contextIn, contextOfSession, type SessionContext, type Windows } from "./context.js";

export type ContextRow = ReturnType<typeof row>;

/** `typed` names one agent or session. Without it: every running agent. */
export function contextRows(
  fleet: Fleet,
  windows: Windows,
  paneNamed: (typed: string) => FleetPane,
  typed?: string,
): ContextRow[] {
  if (typed === undefined) return everyAgent(fleet, windows).map(row);
  return [row(figured(contextNamed(fleet, windows, paneNamed, typed), fleet))];
}

/** The agent or session with this name. It may have no figure yet. */
export function contextNamed(
  fleet: Fleet,
  windows: Windows,
  paneNamed: (typed: string) => FleetPane,
  typed: string,
): SessionContext {
  const id = typed.toLowerCase();
  const found = isSessionId(id)
    ? contextOfSession(id, fleet, windows)
    : contextIn(withAgent(paneNamed(typed), fleet), fleet, windows);
  if (found === null)
    throw unknown(fleet, `there is no session ${typed}`, "list the running agents: hivemind context");
  if (found.uuid !== null) return found;
  const hint = `see why: hivemind sessions discover ${typed} --explain`;
  throw unknown(fleet, `the session in ${typed} is not known`, hint);
}

function everyAgent(fleet: Fleet, windows: Windows): SessionContext[] {
  return fleet.panes
    .filter(({ process }) => process !== null)
    .sort((a, b) => naturalOrder(a.address, b.address))
    .map((pane) => contextIn(pane, fleet, windows));
}

/** Refuses a pane without a running agent; the context of its last session can be asked for by id. */
function withAgent(pane: FleetPane, { sessions }: Fleet): FleetPane {
  if (pane.process !== null) return pane;
  const last = sessions.get(pane.id)!.uuid;
  throw new HiveError(`no agent runs in ${pane.address}`, {
    hint:
      last === null
        ? "list the running agents: hivemind context"
        : `its last session: hivemind context ${last}`,
  });
}

/** Refuses an agent without a figure. */
function figured(found: SessionContext, fleet: Fleet): SessionContext {
  if (found.isCompacted)
    throw unknown(
      fleet,
      `session ${found.uuid} was compacted; its size is not known yet`,
      "its next answer reports the size",
    );
  if (found.context === null)
    throw unknown(fleet, `session ${found.uuid} has no answer yet`, "its first answer reports the size");
  return found;
}

/** With exit code 3 if some file was unreadable. */
function unknown({ index }: Fleet, message: string, hint: string): HiveError {
  const exitCode = index.problems.length > 0 ? exitCodes.couldNotLook : exitCodes.refused;
  return new HiveError(message, { hint, exitCode });
}

function row({ pane, uuid, model, context, isCompacted }: SessionContext) {
  const nothing = { used: null, window: null, percent: null, source: null, ageSeconds: null };
  const { used, window, percent, source, ageSeconds } = context ?? nothing;
  const figures = { used, window, percent, source, ageSeconds };
  return { pane: pane?.address ?? null, uuid, ...figures, compacted: isCompacted, model };
}
