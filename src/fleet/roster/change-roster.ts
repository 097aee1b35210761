// The only way to change the roster.
//
// [RCH1] A change looks at tmux, takes in foreign edits and settles where each agent is, before its own work. One
//        atomic replace of S0 commits all of it: killed at any moment, the change happened fully or not at all.
// [RCH2] The lineage of a new session, and the messages of a forgotten agent, are recorded before the commit.
// [RCH3] Events are the difference of the two rosters. After the commit they are logged; then the other stores, the
//        queue links and the tmux options follow. If killed in between, the next change finishes this.
// [RCH4] While an earlier version of hivemind watches these stores, changes are refused. The error names its
//        process.

import { HiveError } from "../../base/errors.js";
import { readLock } from "../../base/files/lock.js";
import type { ProcessReader } from "../../base/system/process.js";
import { fateOf } from "../../base/system/process-identity.js";
import type { HiveEvent } from "../../events/event.js";
import type { AgentId } from "../../names/agent-id.js";
import { earlierWatchLockPath, type StorePaths } from "../../stores/file/folder.js";
import { type NewFork, rowWriter } from "../../stores/file/row-writer.js";
import { type HoldRow, withAgents } from "../../stores/holds.js";
import { receipt } from "../../stores/receipts.js";
import type { RosterState } from "../../stores/roster.js";
import { recordSessionOverride } from "../../stores/session-overrides.js";
import type { Stores } from "../../stores/stores.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { Tmux } from "../../tmux/tmux.js";
import { type Panes, rejoined } from "../panes.js";
import { optionChanges, writeOptions } from "./pane-options.js";
import { agentsByPane, lookOf, type RosterNow, rosterNow, seatedSince } from "./roster.js";
import { eventsBetween, type Reasons } from "./roster-events.js";
import { lastOwnersOf, seatsOf, viewsOf } from "./roster-views.js";

export interface RosterWork extends Reasons {
  agents: readonly AgentRow[];
  /** S5 already has the new sessions. */
  isRecorded?: boolean;
  /** The caller emits the events of its own change later. Events found on the way are emitted now. */
  isQuiet?: boolean;
}

/** Takes the roster as this change finds it and returns the new one. */
export type Work = (roster: RosterNow) => RosterWork;

export interface ChangeWorld {
  tmux: Tmux;
  stores: Stores;
  /** Those of the latest look. */
  processesSeen(): Pick<ProcessReader, "findProcess">;
  look(): Promise<Panes>;
  /** Logs the events and updates the other stores. */
  emitAll(events: readonly HiveEvent[]): Promise<void>;
}

const nothing: Work = ({ agents }) => ({ agents });

/** `seen` is an earlier look to use instead of a new one. */
export async function changeRoster<Seen extends Panes>(
  world: ChangeWorld,
  work: Work = nothing,
  seen?: Seen,
): Promise<Seen> {
  const { stores, tmux } = world;
  refuseEarlierVersion(stores.paths);
  // An empty roster with nothing to add creates no file, not even a lock.
  if (work === nothing && seen === undefined) {
    const stored = stores.roster.read();
    if (stored.agents.length === 0 && !hasEdits(stored)) return world.look() as Promise<Seen>;
  }
  return stores.roster.update(async (state) => {
    const panes = seen ?? ((await world.look()) as Seen);
    const look = lookOf(panes, world.processesSeen());
    const now = rosterNow(state, seen ? { ...look, isSeatedLater: seatedSince(seen.roster) } : look);
    const { agents, isRecorded = false, isQuiet = false, ...reasons } = work(now);
    const renamed = [...now.renamed, ...(reasons.renamed ?? [])];
    const events = eventsBetween(now.stored, agents, { ...reasons, renamed });
    await beforeCommit(stores, events, { isRecorded, known: now.agents });
    const running = new Set(panes.panes.map(({ sessionName }) => sessionName));
    const roster = { ...now, agents };
    const afterCommit = async () => {
      await world.emitAll(isQuiet ? eventsBetween(now.stored, now.agents, { renamed }) : events);
      await followOwners(stores, seatsOf(agents), lastOwnersOf(agents));
      await writeOptions(tmux, optionChanges(panes.panes, [...now.stored, ...agents], agentsByPane(roster)));
      return rejoined(panes, roster);
    };
    return { agents, views: viewsOf(agents, running), afterCommit };
  });
}

/** Another program wrote into the views, and no change has taken it in yet. */
export function hasEdits({ edits }: RosterState): boolean {
  return edits.roles.length + edits.sessions.length > 0;
}

async function beforeCommit(
  stores: Stores,
  events: readonly HiveEvent[],
  { isRecorded, known }: { isRecorded: boolean; known: readonly AgentRow[] },
): Promise<void> {
  for (const event of events) if (event.name === "agent.forgotten") await forget(stores, event.agent);
  const changed = events.filter(({ name }) => name === "session.changed" || name === "agent.forked");
  const dropped = events.filter(({ name }) => name === "session.dropped");
  const rows = rowWriter(stores);
  await rows.addForks([...(isRecorded ? [] : changed), ...dropped].map(forkOf(known)));
  for (const event of events)
    if (event.name === "session.changed") await recordSessionOverride(stores, event);
}

function forkOf(known: readonly AgentRow[]): (event: HiveEvent) => NewFork {
  const roles = new Map(known.map(({ id, role }) => [id, role]));
  return (event) => {
    if (event.name === "agent.forked")
      return { pane: event.pane, role: event.role, uuid: event.child, parent: event.parent };
    if (event.name === "session.changed")
      return { pane: event.pane, role: roles.get(event.agent!) ?? null, uuid: event.new, parent: event.old };
    if (event.name !== "session.dropped") throw new Error(`${event.name} is not an event of a session`);
    // S5 records where sessions were seen. A stale session was not seen in that pane.
    const pane = event.state === "stale" ? null : event.pane;
    const { uuid, state } = event;
    return { pane, role: roles.get(event.agent!) ?? null, uuid, parent: null, state };
  };
}

/** Moves its messages to `dead/` and removes its hold and its launch row. */
async function forget({ queues, receipts, holds, launches }: Stores, agent: AgentId): Promise<void> {
  const { messages } = queues.read(agent);
  if (messages.length > 0) {
    const why = "its agent was forgotten";
    await receipts.append(messages.map(({ id }) => receipt(id, null, "cleared", why)));
    await queues.bury(messages.map(({ id }) => id));
  }
  await holds.update((rows) => rows.filter((row) => row.agent !== agent));
  await launches.update((rows) => rows.filter((row) => row.agent !== agent));
}

async function followOwners(
  { queues, holds }: Stores,
  owners: ReturnType<typeof seatsOf>,
  last: ReturnType<typeof lastOwnersOf>,
): Promise<void> {
  await queues.link(owners, last);
  const keyed = (rows: readonly HoldRow[]) => withAgents(rows, (pane) => owners.get(pane) ?? last.get(pane));
  const { rows } = holds.read();
  if (keyed(rows) !== rows) await holds.update(keyed);
}

/** The earlier version's `watch` would overwrite our rows with rows keyed by address. */
export function refuseEarlierVersion(paths: StorePaths): void {
  const standing = readLock(earlierWatchLockPath(paths));
  if (standing?.holder == null || fateOf(standing.holder) === "dead") return;
  const { pid } = standing.holder;
  throw new HiveError(`an earlier version of hivemind watches these stores: process ${pid}`, {
    hint: `end it and start this version's: kill ${pid} && hivemind watch`,
  });
}
