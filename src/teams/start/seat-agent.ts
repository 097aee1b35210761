// Seats an agent in the roster before its program runs, and undoes that if the program does not come up.
//
// - After a kill at any moment, no agent runs that the roster does not know.
// - Events are logged once the program is up: a failed start is no event.

import type { SessionStart } from "../../agents/launch.js";
import { utcSeconds } from "../../base/text/utc.js";
import { findPaneIn, rowAddress } from "../../fleet/find-pane.js";
import type { Panes } from "../../fleet/panes.js";
import { eventsBetween, type Reasons } from "../../fleet/roster/roster-events.js";
import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress, PaneId, Role, TeamName } from "../../names/gates.js";
import { type LaunchRow, launchRow, toolsLaunch } from "../../stores/launches.js";
import type { Stores } from "../../stores/stores.js";
import type { TeamWorld } from "../world.js";
import { type Seated, seat, unseat } from "./seating.js";

export interface Registration {
  pane: PaneId;
  team: TeamName;
  role: Role | null;
  kind: string;
  session: SessionStart | null;
  /** The agent that comes back. */
  agent?: AgentId;
  /** Its folder; none for a shell. */
  cwd?: string;
  /** Its launch settings, for `up` to compare. */
  launch?: string | null;
  hasTools?: boolean;
}

export interface Registered {
  agent: AgentId;
  address: PaneAddress;
  /** The program came up. */
  done(): Promise<void>;
  /** The program did not come up: restores the roster. */
  undo(): Promise<void>;
}

/** `seen` is a recent look. */
export async function seatAgent(
  world: TeamWorld,
  registration: Registration,
  seen?: Panes,
): Promise<Registered> {
  const { pane: id, session, cwd = null, hasTools = false } = registration;
  const launch = registration.launch ?? (hasTools ? toolsLaunch : null);
  let seated!: Seated;
  const now = seen ?? (await world.panes());
  const pane = findPaneIn(now, id);
  const address = rowAddress(pane, world.tmux.server);
  await world.change((roster) => {
    seated = seat(
      roster,
      { ...registration, pane: { id, address }, session: session?.id ?? null },
      Date.now(),
    );
    return { agents: seated.agents, isQuiet: true, ...reasonsOf(seated, session) };
  }, now);
  const { before, after } = seated;
  const agent = after.id;
  const launchBefore = launchOf(world.stores, agent);
  await noteLaunch(world.stores, launchRow(agent, cwd, launch));

  return {
    agent,
    address,
    async done() {
      const events = eventsBetween(before === null ? [] : [before], [after], reasonsOf(seated, session));
      for (const event of events) await world.emit(event);
    },
    async undo() {
      if (session?.how === "fork") {
        const { id: uuid, parent } = session;
        const fork = { at: utcSeconds(Date.now()), pane: address, role: after.role, uuid, parent };
        await world.stores.forks.append([{ ...fork, state: "broken" }]);
      }
      await world.change((roster) => ({ agents: unseat(roster, seated), isQuiet: true }));
      await noteLaunch(world.stores, launchBefore);
    },
  };
}

function reasonsOf({ after: { id } }: Seated, session: SessionStart | null): Reasons {
  const parents = new Map(session?.how === "fork" ? [[id, session.parent] as const] : []);
  return { started: new Set([id]), parents };
}

function launchOf({ launches }: Pick<Stores, "launches">, agent: AgentId): LaunchRow {
  return launches.read().rows.find((row) => row.agent === agent) ?? launchRow(agent, null, null);
}

async function noteLaunch(stores: Pick<Stores, "launches">, row: LaunchRow): Promise<void> {
  const { agent, cwd, launch } = row;
  const before = launchOf(stores, agent);
  if (before.cwd === cwd && before.launch === launch) return;
  const isKept = cwd !== null || launch !== null;
  await stores.launches.update((rows) => [
    ...rows.filter((each) => each.agent !== agent),
    ...(isKept ? [row] : []),
  ]);
}
