// The events of a change: the difference of two rosters. Pure: no event exists only to cause a write.
//
// - An agent that got a seat or a new program was spawned. If it was forked, the event names the parent.
// - An agent that lost its seat was killed: `asked` if a command named it, else `gone`.
// - Panes that changed places give one event: a swap of two, a move of one, or a shift of several.
// - The changes that follow from a renamed team are covered by that one event.
// - An agent that left the roster was forgotten.

import type { ChangeCause, HiveEvent, LastState, Move } from "../../events/event.js";
import type { AgentId } from "../../names/agent-id.js";
import { addressParts, type PaneAddress, type SessionId } from "../../names/gates.js";
import { isSameSeat } from "../../names/seat.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import { type RenamedTeam, withTeam } from "./settle.js";

/** Reasons that the difference itself does not show. */
export interface Reasons {
  renamed?: readonly RenamedTeam[];
  /** Agents for which a program was started, even in the same seat. */
  started?: ReadonlySet<AgentId>;
  /** Agents ended by a command. */
  asked?: ReadonlySet<AgentId>;
  /** The parent of a new, forked session. */
  parents?: ReadonlyMap<AgentId, SessionId>;
  /** Why a running agent has another session. */
  causes?: ReadonlyMap<AgentId, ChangeCause>;
  /** The last known state of a dropped session. */
  dropped?: ReadonlyMap<AgentId, LastState>;
}

export function eventsBetween(
  before: readonly AgentRow[],
  after: readonly AgentRow[],
  reasons: Reasons = {},
): HiveEvent[] {
  const { renamed = [] } = reasons;
  const old = new Map(before.map((agent) => [agent.id, withTeam(agent, renamed)]));
  const remaining = new Set(after.map(({ id }) => id));
  return [
    ...renamed.map(({ from, to }) => ({ name: "team.renamed" as const, old: from, new: to })),
    ...moveEvents(old, after),
    ...after.flatMap((agent) => agentEvents(old.get(agent.id), agent, reasons)),
    ...[...old.values()]
      .filter(({ id }) => !remaining.has(id))
      .map(({ id, role }) => ({ name: "agent.forgotten" as const, agent: id, role })),
  ];
}

function agentEvents(old: AgentRow | undefined, agent: AgentRow, reasons: Reasons): HiveEvent[] {
  const { id, role, session, seat } = agent;
  const pane = agent.address ?? old?.address ?? null;
  if (pane === null) return [];
  const events: HiveEvent[] = [];
  const parent = reasons.parents?.get(id) ?? null;
  const isForked = parent !== null && session !== null && old?.session !== session;
  const hasMoved = !old?.seat || seat === null || !isSameSeat(old.seat, seat);
  const isSeated = seat !== null && (hasMoved || reasons.started?.has(id) === true);
  if (old?.seat && hasMoved) {
    const left = old.address ?? pane;
    const cause = reasons.asked?.has(id) ? ("asked" as const) : ("gone" as const);
    events.push({ name: "agent.killed", pane: left, cause, agent: id });
  }
  if (isForked) events.push({ name: "agent.forked", pane, role, parent, child: session, agent: id });
  else if (isSeated) events.push({ name: "agent.spawned", pane, role, uuid: session, agent: id });
  if (old !== undefined && old.role !== role && !(isSeated && old.role === null))
    events.push({ name: "agent.renamed", pane, old: old.role, new: role, agent: id });
  if (old !== undefined && !isSeated && !isForked && old.session !== session)
    events.push(...sessionEvents(old.session, agent, pane, reasons));
  return events;
}

function sessionEvents(
  old: SessionId | null,
  { id, session }: AgentRow,
  pane: PaneAddress,
  { causes, dropped }: Reasons,
): HiveEvent[] {
  if (session !== null)
    return [
      { name: "session.changed", pane, old, new: session, cause: causes?.get(id) ?? "unknown", agent: id },
    ];
  const state = dropped?.get(id) ?? "unknown";
  return old === null ? [] : [{ name: "session.dropped", pane, uuid: old, state, agent: id }];
}

function moveEvents(old: ReadonlyMap<AgentId, AgentRow>, after: readonly AgentRow[]): HiveEvent[] {
  const moves = after.flatMap(({ id, seat, address: to }): Required<Move>[] => {
    const before = old.get(id);
    const isStill = before?.seat && seat !== null && isSameSeat(before.seat, seat);
    const from = before?.address ?? null;
    return isStill && from !== null && to !== null && from !== to ? [{ from, to, agent: id }] : [];
  });
  const [first, second, ...more] = moves;
  if (first === undefined) return [];
  if (second === undefined)
    return [{ name: "pane.moved", from: first.from, to: first.to, agent: first.agent }];
  const { team } = addressParts(first.from);
  const isSwap = more.length === 0 && first.from === second.to && first.to === second.from;
  return [
    isSwap
      ? { name: "panes.swapped", team, a: first.from, b: first.to }
      : { name: "panes.shifted", team, moves },
  ];
}
