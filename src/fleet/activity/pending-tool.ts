// What a waiting agent asks, from the end of its conversation: for clients whose hooks hand nothing over.

import { agentOfKind } from "../../agents/all.js";
import type { Asked } from "../../agents/asked.js";
import type { FleetPane } from "../panes.js";
import { readTails } from "./last-turn.js";

type Pane = Pick<FleetPane, "kind" | "process" | "folder" | "live">;

/** Null unless exactly one tool has no result yet: of several, the dialog may be about any. */
export function readPending(pane: Pane): Asked | null {
  const forms = agentOfKind(pane.kind)?.requests;
  const isAsking = pane.live?.activity === "waiting" && pane.live.waitingFor !== panelOpen;
  if (forms === undefined || !isAsking) return null;
  for (const lines of readTails(pane)) {
    const pending = forms.pendingIn(lines.toString("utf8"));
    if (pending.length > 0) return pending.length === 1 ? pending[0]! : null;
  }
  return null;
}

/** The client's word for a panel that the user opened. */
const panelOpen = "dialog open";
