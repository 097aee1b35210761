// One agent read again after it wrote its registry file, without a look at the fleet.
//
// - The answer is the one that a look gives, as far as the registry and the end of the conversation decide it. What only a
//   screen or another process shows comes with the next look.
// - Where more than the registry decides, there is no answer: open requests, another conversation, an agent that is
//   stopped, or one that shows conversations of the background.

import type { LiveSession } from "../../agents/agent.js";
import { agentOfKind } from "../../agents/all.js";
import type { HookClaim } from "../identity/hook-claims.js";
import type { Fleet } from "../observe.js";
import type { FleetPane } from "../panes.js";
import { type DoingView, doingIn } from "../view.js";
import { readLastTurn } from "./last-turn.js";
import { readPending } from "./pending-tool.js";

/** An agent in a pane that has a registry file, as it was last read. */
export interface Reporter {
  pane: FleetPane;
  hook: HookClaim | null;
}

/** What changed. `lastWords` is absent if the agent has not ended its turn. */
export type Reread = DoingView & { lastWords?: string | null };

/** Unclear: only a look can tell. */
export type RereadResult =
  | { is: "same" }
  | { is: "unclear" }
  | { is: "new"; reporter: Reporter; doing: Reread };

export function reportersIn({ panes, hooks }: Pick<Fleet, "panes" | "hooks">): Map<string, Reporter> {
  return new Map(
    panes.flatMap((pane) => {
      const reports = agentOfKind(pane.kind)?.registry?.reports;
      if (pane.live === null || pane.process === null || pane.folder === null || !reports) return [];
      const file = reports.file(pane.folder, pane.process.pid);
      return [[file, { pane, hook: hooks.claims.get(pane.id) ?? null }] as const];
    }),
  );
}

export function reread({ pane, hook }: Reporter, nowMs: number): RereadResult {
  const agent = agentOfKind(pane.kind);
  const { process, folder, live: before } = pane;
  if (agent === null || process === null || folder === null || before === null) return { is: "unclear" };
  const live = agent.registry?.liveSession(folder, process) ?? null;
  if (live === null || !isSameConversation(before, live) || isOthersToSay(pane, hook))
    return { is: "unclear" };
  if (isSameReport(before, live)) return { is: "same" };
  const { pending: _, ...facts } = pane;
  const now: FleetPane = { ...facts, live };
  const pending = readPending(now);
  const read: FleetPane = pending === null ? now : { ...now, pending };
  const reporter = { pane: read, hook };
  if (live.activity !== "idle") return { is: "new", reporter, doing: doingIn(read, hook, undefined) };
  const turn = readLastTurn(read);
  const seen = agent.screen?.readActivity(null, nowMs, turn) ?? undefined;
  return { is: "new", reporter, doing: { ...doingIn(read, hook, seen), lastWords: turn?.words || null } };
}

function isSameConversation(before: LiveSession, now: LiveSession): boolean {
  return (
    now.activity !== null &&
    now.job === undefined &&
    now.sessionId === before.sessionId &&
    now.name === before.name &&
    now.job === before.job &&
    now.parkedJob === before.parkedJob
  );
}

function isSameReport(before: LiveSession, now: LiveSession): boolean {
  return (
    now.activity === before.activity &&
    now.waitingFor === before.waitingFor &&
    now.isInBackground === before.isInBackground &&
    now.activitySinceMs === before.activitySinceMs
  );
}

function isOthersToSay(
  { requests, isSuspended, showsList, maybe, live }: FleetPane,
  hook: HookClaim | null,
): boolean {
  const isElsewhere = hook !== null && hook.sessionId !== live?.sessionId;
  return requests !== undefined || isSuspended || showsList || maybe.length > 0 || isElsewhere;
}
