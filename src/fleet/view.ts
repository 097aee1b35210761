// The fleet as users and programs see it: teams with their panes. A pure function of the fleet and the stores.
//
// - Every tmux session is shown with all its panes, registered or not, except our own session that keeps sizes.
// - Every registered team is shown, running or not. Its away agents are shown with their queued messages.
// - An unknown value is null, never a guess.
// - An agent's activity comes from all evidence, including its screen if that was captured.

import type { SeenActivity } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import type { Asked } from "../agents/asked.js";
import { HiveError } from "../base/errors.js";
import { groupBy } from "../base/group-by.js";
import { harmless } from "../base/text/escape-terminal.js";
import { naturalOrder } from "../base/text/natural-order.js";
import { utcSeconds } from "../base/text/utc.js";
import type { AgentId } from "../names/agent-id.js";
import type { PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import { keeperName } from "../names/keeper-name.js";
import type { Kind } from "../names/kind.js";
import type { ManagedId } from "../names/managed-id.js";
import type { RequestId } from "../names/request-id.js";
import type { TeamRow } from "../stores/teams.js";
import type { AgentRow } from "../stores/text/roster-rows.js";
import { byPlace } from "../tmux/listing.js";
import {
  type Activity,
  type ActivityEvidence,
  type ActivityReading,
  activityOf,
} from "./activity/activity.js";
import type { SeenActivities } from "./activity/activity-screens.js";
import { contextIn, contextOfSession, type Windows } from "./activity/context.js";
import { lastTurnIn } from "./activity/last-turn.js";
import { runningState, type SessionState } from "./identity/discover.js";
import type { HookClaim } from "./identity/hook-claims.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";
import type { OpenRequest } from "./requests.js";
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
  /** Since when, if the client says so: `2026-04-22T08:52:40Z`. */
  since: string | null;
  waitingFor: string | null;
  /** What it asks a person, if a hook hands that over. */
  requests: readonly RequestView[];
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
  /** The beginning of its last answer or error. */
  lastWords: string | null;
}

/** A request that waits for a person, without its full text, which may be a whole file. */
export interface RequestView extends Omit<Asked, "session" | "lines"> {
  id: RequestId;
  /** `2026-04-22T08:52:40Z` */
  since: string;
}

/** A conversation that runs without a pane. */
export interface BackgroundView
  extends Pick<AgentView, "waitingFor" | "requests" | "model" | "context" | "cwd"> {
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

export function teamNamed(teams: readonly TeamView[], name: string): TeamView {
  const found = teams.find(({ team }) => team === name);
  if (found !== undefined) return found;
  const known = teams.map(({ team }) => harmless(team)).join(", ");
  throw new HiveError(`there is no team "${name}"`, {
    hint: known ? `there are: ${known}` : "hivemind team list",
  });
}

export function viewBackground(fleet: Fleet, windows: Windows): BackgroundView[] {
  return fleet.background.map(({ agent: { kind }, process, live, parent, requests = [] }) => {
    const { activity, waitingFor } = activityOf({ dead: false, deadStatus: null, kind, live, requests });
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
      requests: requests.map(viewRequest),
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
    ...doingIn(pane, hook, screens.get(pane.id)),
    requests: (pane.requests ?? []).map(viewRequest),
    model,
    context: context && { used: context.used, window: context.window },
    queued: (agent && queued.get(agent.id)) ?? 0,
    cwd: pane.cwd || pane.startPath || null,
    title: titleIn(pane),
    lastWords: lastTurnIn(fleet, pane)?.words || null,
  };
}

/** Parts that its client adds for programs are left out. */
function titleIn({ kind, title }: FleetPane): string | null {
  return agentOfKind(kind)?.titles?.shown?.(title) ?? (title || null);
}

/** The part of the view that changes whenever an agent begins or ends something. */
export type DoingView = Pick<
  AgentView,
  "activity" | "since" | "waitingFor" | "about" | "until" | "activityEvidence"
>;

export function doingIn(
  pane: FleetPane,
  hook: HookClaim | null,
  screen: SeenActivity | null | undefined,
): DoingView {
  const doing = activityOf(pane, hook, screen);
  return {
    activity: doing.activity,
    since: sinceOf(doing, pane),
    waitingFor: doing.waitingFor,
    about: doing.about,
    until: doing.untilMs === null ? null : utcSeconds(doing.untilMs),
    activityEvidence: doing.evidence,
  };
}

function sinceOf({ source }: ActivityReading, { live, requests = [] }: FleetPane): string | null {
  const sinceMs = source === "request" ? requests[0]?.file.atMs : live?.activitySinceMs;
  const isSaid = source === "request" || source === "registry";
  return isSaid && sinceMs !== undefined ? utcSeconds(sinceMs) : null;
}

export function viewRequest({ id, asked, file }: OpenRequest): RequestView {
  const { session: _, lines: __, ...shown } = asked;
  return { id, since: utcSeconds(file.atMs), ...shown };
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
    since: null,
    waitingFor: null,
    requests: [],
    about: null,
    until: null,
    activityEvidence: [],
    model: null,
    context: null,
    queued: queued.get(agent.id) ?? 0,
    cwd: null,
    title: null,
    lastWords: null,
  };
}
