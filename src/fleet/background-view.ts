// Conversations that run without a pane, as people and programs see them. Pure.

import type { Kind } from "../agents/agent.js";
import type { SessionId } from "../names/gates.js";
import { type Activity, activityOf } from "./activity.js";
import { contextOfSession, type Windows } from "./context.js";
import { runningState, type SessionState } from "./discover.js";
import type { Fleet } from "./observe.js";

export interface BackgroundView {
  uuid: SessionId;
  /** What the client calls it: `claude attach JOB` shows it. */
  job: string;
  name: string | null;
  kind: Kind;
  pid: number;
  activity: Activity;
  waitingFor: string | null;
  state: SessionState;
  /** The conversation it was forked from. */
  parent: SessionId | null;
  model: string | null;
  context: { used: number; window: number | null } | null;
  cwd: string | null;
}

export function viewBackground(fleet: Fleet, windows: Windows): BackgroundView[] {
  return fleet.background.map(({ agent: { kind }, process, live, parent }) => {
    const { activity, waitingFor } = activityOf({ dead: false, deadStatus: null, kind, live });
    const modifiedAtMs = fleet.index.byId.get(live.sessionId)?.[0]?.modifiedAtMs ?? null;
    const known = contextOfSession(live.sessionId, fleet, windows);
    const context = known?.context ?? null;
    return {
      uuid: live.sessionId,
      job: live.job,
      name: live.name,
      kind,
      pid: process.pid,
      activity,
      waitingFor,
      state: runningState(modifiedAtMs, fleet.takenAtMs),
      parent,
      model: known?.model ?? null,
      context: context && { used: context.used, window: context.window },
      cwd: live.cwd,
    };
  });
}
