// The fleet as people and programs see it: teams with their panes. A pure function of the fleet and the stores.
//
// [VI1] Every tmux session is shown with all its panes, registered or not, but for our own that keeps sizes; every
//       registered team, running or not.
// [VI2] Rows of panes that moved are shown where their panes are now, before any store is written.
// [VI3] What is not known is null, never a guess.
// [VI4] What an agent does is what all evidence says, its screen too where that was looked at.

import type { Kind } from "../agents/agent.js";
import { naturalOrder } from "../base/natural-order.js";
import { utcSeconds } from "../base/utc.js";
import {
  addressParts,
  type PaneAddress,
  type PaneId,
  type Role,
  type SessionId,
  type TeamName,
} from "../names/gates.js";
import { keeperName } from "../names/keeper-name.js";
import type { ManagedId } from "../names/managed-id.js";
import { rekeyRows } from "../stores/rekey.js";
import type { RoleRow } from "../stores/roles.js";
import type { SessionRow } from "../stores/sessions.js";
import type { TeamRow } from "../stores/teams.js";
import { byPlace } from "../tmux/listing.js";
import { type Activity, type ActivityEvidence, activityOf } from "./activity.js";
import type { SeenActivities } from "./activity-screens.js";
import { contextIn, type Windows } from "./context.js";
import type { SessionState } from "./discover.js";
import type { HeldManaged } from "./managed-list.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";
import { shownRoles } from "./resolve.js";
import { isAgent } from "./role-of.js";

export interface TeamView {
  team: string;
  running: boolean;
  registered: boolean;
  active: boolean;
  description: string | null;
  agents: AgentView[];
}

export interface AgentView {
  pane: string;
  paneId: string | null;
  role: Role | null;
  kind: Kind | null;
  /** The session's id: a UUID but for claw, which names its sessions in its own way. */
  uuid: SessionId | ManagedId | null;
  state: SessionState | null;
  activity: Activity | null;
  waitingFor: string | null;
  /** Which limit was hit, or what the error says. */
  about: string | null;
  /** When a limit ends: `2026-04-22T08:52:40Z`. */
  until: string | null;
  activityEvidence: readonly ActivityEvidence[];
  model: string | null;
  /** The window is null where it is not known. */
  context: { used: number; window: number | null } | null;
  queued: number;
  cwd: string | null;
  title: string | null;
}

/** What the stores say, as far as a view needs it. */
export interface Stored {
  roles: readonly RoleRow[];
  sessions: readonly SessionRow[];
  teams: readonly TeamRow[];
  activeTeam: TeamName | null;
  /** What waits for a pane, where that stands now. */
  queued: ReadonlyMap<PaneAddress, readonly unknown[]>;
  windows: Windows;
  /** The sessions of agents whose ids are no UUIDs. */
  managed?: ReadonlyMap<PaneId, HeldManaged>;
}

export function viewTeams(fleet: Fleet, stored: Stored, screens: SeenActivities = new Map()): TeamView[] {
  const moved = fleet.shifts.moved;
  const renamed = new Map(fleet.shifts.renamedTeams.map(({ from, to }) => [from, to]));
  const roles = new Map(rekeyRows(stored.roles, moved).map(({ pane, role }) => [pane, role]));
  const sessions = new Map(rekeyRows(stored.sessions, moved).map(({ pane, uuid }) => [pane, uuid]));
  const { queued } = stored;
  const roleOf = shownRoles(fleet, stored);
  const descriptions = new Map(
    stored.teams.map(({ team, description }) => [renamed.get(team) ?? team, description]),
  );
  const active = stored.activeTeam === null ? null : (renamed.get(stored.activeTeam) ?? stored.activeTeam);

  const running = new Map<string, FleetPane[]>();
  for (const pane of fleet.panes)
    if (pane.sessionName !== keeperName)
      running.set(pane.sessionName, [...(running.get(pane.sessionName) ?? []), pane]);

  const rowsOf = byTeam([...roles.keys(), ...sessions.keys()]);
  const names = new Set<string>([...descriptions.keys(), ...running.keys()]);
  return [...names].sort(naturalOrder).map((team) => {
    const panes = running.get(team);
    const agents = panes
      ? [...panes].sort(byPlace).map((pane) => livePane(pane, fleet, screens, stored, roleOf(pane)))
      : (rowsOf.get(team) ?? [])
          .sort(naturalOrder)
          .map((address) => storedPane(address, roles, sessions, queued));
    return {
      team,
      running: panes !== undefined,
      registered: descriptions.has(team as TeamName),
      active: team === active,
      description: descriptions.get(team as TeamName) ?? null,
      agents,
    };
  });
}

type ByPane<T> = ReadonlyMap<PaneAddress, T>;

function livePane(
  pane: FleetPane,
  fleet: Fleet,
  screens: SeenActivities,
  { windows, queued, managed }: Stored,
  role: Role | null,
): AgentView {
  const { address } = pane;
  const hook = fleet.hooks.claims.get(pane.id) ?? null;
  const doing = activityOf(pane, hook, screens.get(pane.id));
  const { uuid, state } = fleet.sessions.get(pane.id)!;
  const held = managed?.get(pane.id) ?? null;
  const { model, context } = contextIn(pane, fleet, windows);
  return {
    pane: address,
    paneId: pane.id,
    role,
    kind: pane.kind,
    uuid: uuid ?? held?.id ?? null,
    state: !isAgent(pane) && uuid === null ? null : (held?.state ?? state),
    activity: doing.activity,
    waitingFor: doing.waitingFor,
    about: doing.about,
    until: doing.untilMs === null ? null : utcSeconds(doing.untilMs),
    activityEvidence: doing.evidence,
    model,
    context: context && { used: context.used, window: context.window },
    queued: queued.get(address)?.length ?? 0,
    cwd: pane.cwd || pane.startPath || null,
    title: pane.title || null,
  };
}

/** A pane of a team that does not run: what would bring it back. */
function storedPane(
  address: PaneAddress,
  roles: ByPane<Role>,
  sessions: ByPane<SessionId>,
  queued: Stored["queued"],
): AgentView {
  return {
    pane: address,
    paneId: null,
    role: roles.get(address) ?? null,
    kind: null,
    uuid: sessions.get(address) ?? null,
    state: null,
    activity: null,
    waitingFor: null,
    about: null,
    until: null,
    activityEvidence: [],
    model: null,
    context: null,
    queued: queued.get(address)?.length ?? 0,
    cwd: null,
    title: null,
  };
}

/** In one pass: a store may have as many teams as it has rows. */
function byTeam(addresses: Iterable<PaneAddress>): Map<string, PaneAddress[]> {
  const found = new Map<string, PaneAddress[]>();
  for (const address of new Set(addresses)) {
    const { team } = addressParts(address);
    const own = found.get(team);
    if (own === undefined) found.set(team, [address]);
    else own.push(address);
  }
  return found;
}
