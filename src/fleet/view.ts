// The fleet as users and programs see it: teams with their panes. A pure function of the fleet and the stores.
//
// - Every tmux session is shown with all its panes, registered or not, except our own session that keeps sizes.
// - Every registered team is shown, running or not. Its away agents are shown with their queued messages.
// - An unknown value is null, never a guess.
// - An agent's activity comes from all evidence, including its screen if that was captured.

import type { Kind } from "../agents/agent.js";
import { groupBy } from "../base/group-by.js";
import { naturalOrder } from "../base/text/natural-order.js";
import { utcSeconds } from "../base/text/utc.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import { keeperName } from "../names/keeper-name.js";
import type { ManagedId } from "../names/managed-id.js";
import type { TeamRow } from "../stores/teams.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { byPlace } from "../tmux/listing.js";
import { type Activity, type ActivityEvidence, activityOf } from "./activity/activity.js";
import type { SeenActivities } from "./activity/activity-screens.js";
import { contextIn, contextOfSession, type Windows } from "./activity/context.js";
import { runningState, type SessionState } from "./identity/discover.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";
import { nameNow } from "./roster/refresh.js";
import { isAgent } from "./roster/role-of.js";
import { standingIn } from "./roster/roster.js";
import type { Standing } from "./roster/settle.js";
import type { HeldManaged } from "./sessions/managed-list.js";

export interface TeamView {
  team: string;
  running: boolean;
  registered: boolean;
  active: boolean;
  description: string | null;
  agents: AgentView[];
}

export interface AgentView {
  /** Null for a pane without a known agent. */
  agent: AgentId | null;
  /** Null for a pane without a known agent. */
  standing: Standing | null;
  /** The agent's address, or its last one. */
  pane: string;
  paneId: string | null;
  role: Role | null;
  kind: Kind | null;
  /** The session's id: a UUID, except for claw, which has its own form of ids. */
  uuid: SessionId | ManagedId | null;
  state: SessionState | null;
  activity: Activity | null;
  waitingFor: string | null;
  /** Which limit was hit, or the text of the error. */
  about: string | null;
  /** When the limit ends: `2026-04-22T08:52:40Z`. */
  until: string | null;
  activityEvidence: readonly ActivityEvidence[];
  model: string | null;
  /** `window` is null if it is unknown. */
  context: { used: number; window: number | null } | null;
  queued: number;
  cwd: string | null;
  title: string | null;
}

/** A conversation that runs without a pane. */
export interface BackgroundView extends Pick<AgentView, "waitingFor" | "model" | "context" | "cwd"> {
  uuid: SessionId;
  /** The client's name for the job: `claude attach JOB` shows it. */
  job: string;
  name: string | null;
  kind: Kind;
  pid: number;
  activity: Activity;
  state: SessionState;
  /** The conversation it was forked from. */
  parent: SessionId | null;
}

/** What a view needs from the stores. */
export interface Stored {
  teams: readonly TeamRow[];
  activeTeam: TeamName | null;
  /** How many messages are queued for each agent. */
  queued: ReadonlyMap<AgentId, number>;
  windows: Windows;
  /** The sessions of agents whose ids are not UUIDs. */
  managed?: ReadonlyMap<PaneId, HeldManaged>;
}

export function viewTeams(fleet: Fleet, stored: Stored, screens: SeenActivities = new Map()): TeamView[] {
  const named = nameNow(fleet);
  const descriptions = new Map(stored.teams.map(({ team, description }) => [named(team), description]));
  const active = stored.activeTeam === null ? null : named(stored.activeTeam);
  const shown = fleet.panes.filter(({ sessionName }) => sessionName !== keeperName);
  const running = groupBy(shown, ({ sessionName }) => sessionName);
  const absent = absentByTeam(fleet);
  const names = new Set<string>([...descriptions.keys(), ...running.keys(), ...absent.keys()]);
  return [...names].sort(naturalOrder).map((team) => {
    const panes = [...(running.get(team) ?? [])].sort(byPlace);
    return {
      team,
      running: running.has(team),
      registered: descriptions.has(team as TeamName),
      active: team === active,
      description: descriptions.get(team as TeamName) ?? null,
      agents: [
        ...panes.map((pane) => livePane(pane, fleet, screens, stored)),
        ...(absent.get(team) ?? []).map((agent) => absentAgent(agent, fleet, stored)),
      ],
    };
  });
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

/** The agents without a pane on this server, by team, in order of their last address. */
function absentByTeam({ roster }: Fleet): Map<string, AgentRow[]> {
  const absent = roster.agents.filter((agent) => standingIn(roster, agent) !== "present");
  const place = ({ address, id }: AgentRow) => address ?? id;
  const sorted = absent.toSorted((a, b) => naturalOrder(place(a), place(b)));
  return groupBy(sorted, ({ team }): string => team);
}

function livePane(
  pane: FleetPane,
  fleet: Fleet,
  screens: SeenActivities,
  { windows, queued, managed }: Stored,
): AgentView {
  const { address, agent } = pane;
  const hook = fleet.hooks.claims.get(pane.id) ?? null;
  const doing = activityOf(pane, hook, screens.get(pane.id));
  const { uuid, state } = fleet.sessions.get(pane.id)!;
  const held = managed?.get(pane.id) ?? null;
  const { model, context } = contextIn(pane, fleet, windows);
  return {
    agent: agent?.id ?? null,
    standing: agent === null ? null : "present",
    pane: address,
    paneId: pane.id,
    role: agent?.role ?? null,
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
    queued: (agent && queued.get(agent.id)) ?? 0,
    cwd: pane.cwd || pane.startPath || null,
    title: pane.title || null,
  };
}

/** The stored facts about an agent without a pane here. */
function absentAgent(agent: AgentRow, { roster }: Fleet, { queued }: Stored): AgentView {
  return {
    agent: agent.id,
    standing: standingIn(roster, agent),
    pane: agent.address ?? "",
    paneId: null,
    role: agent.role,
    kind: (agent.kind || null) as Kind | null,
    uuid: agent.session,
    state: null,
    activity: null,
    waitingFor: null,
    about: null,
    until: null,
    activityEvidence: [],
    model: null,
    context: null,
    queued: queued.get(agent.id) ?? 0,
    cwd: null,
    title: null,
  };
}
