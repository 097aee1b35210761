// What `registry refresh` finds: a role and a session for each agent pane, and rows for S5. Pure.
//
// - Looks at the panes of the requested teams. Leaves a team that runs on another server alone. A refresh of all teams
//   also follows the agents of the roster whose tmux session is no team: a person moved them there, or renamed it.
// - A pane with a role that no agent has gets an agent. A pane without a role gets none.
// - The session that a client is in becomes its agent's session, with the reason of the change.
// - Every agent pane adds one row to S5. So does, once, a session that came and went between two refreshes by the
//   hooks' reports, unless S5 has it for the same pane and time.
// - A session in two panes is reported. An agent that did not have it does not get it.
// - A session without a transcript counts as broken. Its agent keeps it.
// - Hook reports may be swept if they are used up and their pane gets rows here, or if they are too old.
// - A second refresh of the same fleet changes nothing.

import { HiveError } from "../../base/errors.js";
import { groupBy } from "../../base/group-by.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { utcSeconds } from "../../base/text/utc.js";
import type { ChangeCause } from "../../events/event.js";
import { type AgentId, newAgentId } from "../../names/agent-id.js";
import { isTeamName, type PaneAddress, type Role, type SessionId, type TeamName } from "../../names/gates.js";
import { isSameServer, type ServerKey } from "../../names/seat.js";
import type { ForkRow } from "../../stores/forks.js";
import type { TeamRow } from "../../stores/teams.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import type { MessageParent } from "../../transcripts/lineage/parent-by-messages.js";
import { edgesOf } from "../lineage/lineage-of.js";
import { type ChangeFacts, causeOf, clearedInto, isDescent, parentOf } from "../lineage/parent-of.js";
import type { Fleet } from "../observe.js";
import type { FleetPane, Panes } from "../panes.js";
import { isAgent, settleRoles } from "./role-of.js";
import { runsElsewhere, standingIn } from "./roster.js";

export interface RefreshStored {
  teams: readonly TeamRow[];
  /** The parent of a session in S5. */
  recordedParent(uuid: SessionId): SessionId | null;
  /** Whether S5 has this session for this pane at this very time (default: no). */
  isRecorded?(at: string, pane: PaneAddress | null, uuid: SessionId): boolean;
  /** Parents found by shared messages, if they were compared. */
  kinship?: ReadonlyMap<SessionId, MessageParent>;
}

export interface RefreshOptions {
  /** Only this team (default: every registered team). */
  team?: TeamName;
  /** A missing team is not an error. */
  mayBeGone?: boolean;
  nowMs: number;
  /** This machine's name: the title of every pane that has no title of its own. */
  hostName: string;
}

export interface RefreshPlan {
  found: FoundAgent[];
  forkRows: ForkRow[];
  /** Names of hook reports to delete once the rows are written. */
  usedUp: string[];
  /** For the user, one line each. */
  warnings: string[];
  /** How many named agents have correct rows afterwards. */
  updated: number;
  broken: number;
  unnamed: UnnamedAgent[];
  /** Tmux sessions with agents that are not registered as teams: nothing is written for them. */
  elsewhere: string[];
}

/** The findings about a pane that runs an agent. */
export interface FoundAgent {
  pane: FleetPane;
  role: Role | null;
  /** Null if the agent may not be given it. */
  session: SessionId | null;
  cause: ChangeCause;
}

export interface UnnamedAgent {
  pane: PaneAddress;
  title: string | null;
  why: string;
}

export function planRefresh(fleet: Fleet, stored: RefreshStored, options: RefreshOptions): RefreshPlan {
  if (options.team !== undefined && options.mayBeGone !== true) refuseUnknown(fleet, stored, options.team);
  const { roster } = fleet;
  const named = options.team === undefined ? stored.teams.map(({ team }) => team) : [options.team];
  const asked = named.map(nameNow(fleet));
  const teams = new Set<string>(asked.filter((team) => !runsElsewhere(roster, team)));

  const away = roster.agents.filter((agent) => standingIn(roster, agent) === "away");
  const findings = settleRoles(fleet.panes, options.hostName, away);
  const doubles = sessionsInTwoPanes(fleet);
  const factsOf = (pane: FleetPane): ChangeFacts => ({
    pane,
    uuid: fleet.sessions.get(pane.id)!.uuid,
    before: pane.agent?.session ?? null,
    index: fleet.index,
    changes: fleet.hooks.changes.filter((change) => change.pane === pane.id),
    recordedParent: stored.recordedParent,
    isHeldElsewhere: (uuid) => [...fleet.sessions].some(([id, held]) => held.uuid === uuid && id !== pane.id),
  });
  const cleared = fleet.panes.filter(isAgent).map(factsOf).flatMap(clearedInto);
  // S5 may be long, so it is asked afterwards and only for the sessions that need it.
  const nothing = { parents: new Map<SessionId, SessionId>() };
  const known = edgesOf(fleet, stored.kinship ?? new Map(), nothing, [...fleet.hooks.lineage, ...cleared]);
  const edges = new Map(known.map((edge) => [edge.child, edge]));
  const plan: RefreshPlan = {
    found: [],
    forkRows: [],
    usedUp: [],
    warnings: rosterWarnings(fleet),
    updated: 0,
    broken: 0,
    unnamed: [],
    elsewhere: [],
  };
  const record = (pane: FleetPane, role: Role | null) => {
    const { uuid, state } = fleet.sessions.get(pane.id)!;
    const facts = factsOf(pane);
    const mayGet = uuid !== null && (!doubles.has(uuid) || facts.before === uuid);
    plan.found.push({ pane, role, session: mayGet ? uuid : null, cause: causeOf(facts) });
    const address = isTeamName(pane.sessionName) ? pane.address : null;
    plan.forkRows.push(...passedThrough(address, role, facts, stored));
    const parent = parentOf(facts, edges.get(uuid!) ?? null);
    plan.forkRows.push({ at: utcSeconds(options.nowMs), pane: address, role, uuid, state, parent });
  };
  for (const pane of fleet.panes.filter(({ sessionName }) => teams.has(sessionName))) {
    const { state, title } = fleet.sessions.get(pane.id)!;
    if (state === "broken") plan.broken += 1;
    if (!isAgent(pane)) continue;
    const { role, why } = findings.get(pane.id)!;
    record(pane, role);
    if (role === null) plan.unnamed.push({ pane: pane.address, title, why: why ?? "" });
    else if (state !== "broken") plan.updated += 1;
  }
  if (options.team === undefined)
    for (const pane of fleet.panes)
      if (!teams.has(pane.sessionName) && isAgent(pane) && pane.agent !== null) record(pane, pane.agent.role);

  plan.usedUp = sweepable(fleet, plan.found);
  plan.warnings.push(...doubleWarnings(doubles, teams));
  if (options.team === undefined) plan.elsewhere = unregistered(fleet, teams);
  return plan;
}

/** The current name of a team whose tmux session was renamed before the stores followed. */
export function nameNow({ roster }: Pick<Panes, "roster">): (team: TeamName) => TeamName {
  const names = new Map(roster.renamed.map(({ from, to }) => [from, to]));
  return (team) => names.get(team) ?? team;
}

/**
 * The tmux sessions with a client that reports another session than the roster has. The report is lost with the client
 * unless it is recorded.
 */
export function placesWithNews({ panes }: Pick<Panes, "panes">): string[] {
  const news = panes.filter(
    ({ agent, live }) => agent !== null && live !== null && agent.session !== live.sessionId,
  );
  return [...new Set(news.map(({ sessionName }) => sessionName))];
}

/** The roster with the findings. The agent as read under the lock counts, not as seen in the look. */
export function withFound(
  agents: readonly AgentRow[],
  found: readonly FoundAgent[],
  { server, nowMs, newId = newAgentId }: { server: ServerKey | null; nowMs: number; newId?: () => AgentId },
): { agents: readonly AgentRow[]; causes: ReadonlyMap<AgentId, ChangeCause> } {
  const now = new Map(agents.map((agent) => [agent.id, agent]));
  const causes = new Map<AgentId, ChangeCause>();
  const isSitter = (pane: FleetPane) => (agent: AgentRow) =>
    server !== null && agent.seat?.pane === pane.id && isSameServer(agent.seat.server, server);
  for (const { pane, role, session, cause } of found) {
    const sitter = [...now.values()].find(isSitter(pane));
    const isTaken = [...now.values()].some(
      (each) => each.id !== sitter?.id && each.role === role && each.team === pane.sessionName,
    );
    const given = isTaken ? null : role;
    if (sitter !== undefined) {
      now.set(sitter.id, { ...sitter, role: sitter.role ?? given, session: session ?? sitter.session });
      causes.set(sitter.id, cause);
    } else if (given !== null && server !== null && isTeamName(pane.sessionName)) {
      const id = newId();
      now.set(id, {
        id,
        team: pane.sessionName,
        role: given,
        kind: pane.kind,
        session,
        seat: { server, pane: pane.id },
        address: pane.address,
        epoch: Math.floor(nowMs / 1000),
      });
    }
  }
  return { agents: [...now.values()], causes };
}

/** Problems in the roster that only the user can solve. */
function rosterWarnings({ panes, roster }: Fleet): string[] {
  const addressOfPane = new Map(panes.map(({ id, address }) => [id, address]));
  return [
    ...roster.refused.map(({ pane, why }) => `ignored the row of ${pane}: ${why}`),
    ...roster.roleless.map(
      ({ agent, role, holder }) =>
        `${agent.address ?? `@${agent.id}`} lost the role ${role} to ${holder.address ?? `@${holder.id}`}: ` +
        `hivemind agent rename @${agent.id} NAME`,
    ),
    ...roster.doubles.map(
      ({ session, pane, holder }) =>
        `${harmless(addressOfPane.get(pane) ?? pane)} shows session ${session}, which belongs to ${holder.role ?? `@${holder.id}`}`,
    ),
  ];
}

/** Sessions that a pane had and left between two refreshes, by the hooks' reports. Only S5 will remember them. */
function passedThrough(
  pane: PaneAddress | null,
  role: Role | null,
  facts: ChangeFacts,
  { isRecorded = () => false }: RefreshStored,
): ForkRow[] {
  return facts.changes.flatMap(({ new: uuid, old, cause, atMs }): ForkRow[] => {
    const at = utcSeconds(atMs);
    if (uuid === facts.uuid || isRecorded(at, pane, uuid)) return [];
    return [{ at, pane, role, uuid, state: "stale", parent: isDescent(cause) ? old : null }];
  });
}

/** Reports of a pane without rows stay: what they say is not recorded yet. */
function sweepable({ hooks }: Fleet, found: readonly FoundAgent[]): string[] {
  const recorded = new Set(found.map(({ pane }) => pane.id));
  return hooks.usedUp.filter(({ pane }) => pane === null || recorded.has(pane)).map(({ name }) => name);
}

function refuseUnknown(fleet: Fleet, { teams }: RefreshStored, team: TeamName): void {
  const running = [...new Set(fleet.panes.map(({ sessionName }) => sessionName))];
  const known = [...new Set([...running, ...teams.map((row) => row.team)])].sort();
  if (known.includes(team)) return;
  throw new HiveError(`there is no team "${team}"`, {
    hint: known.length > 0 ? `teams: ${known.join(", ")}` : "hivemind team list",
  });
}

/** Sessions that more than one running agent is in. */
export function sessionsInTwoPanes(fleet: Fleet): Map<SessionId, FleetPane[]> {
  const holders = groupBy(fleet.panes.filter(isAgent), ({ id }) => fleet.sessions.get(id)!.uuid);
  return new Map([...holders].filter(([, panes]) => panes.length > 1));
}

function doubleWarnings(
  doubles: ReadonlyMap<SessionId, readonly FleetPane[]>,
  teams: ReadonlySet<string>,
): string[] {
  return [...doubles]
    .filter(([, panes]) => panes.some(({ sessionName }) => teams.has(sessionName)))
    .map(([uuid, panes]) => {
      const places = panes.map(({ address }) => harmless(address)).join(" and ");
      return `one session is in two panes: ${uuid} is in ${places}; end all but one of them`;
    });
}

function unregistered(fleet: Fleet, teams: ReadonlySet<string>): string[] {
  const names = fleet.panes.filter(isAgent).map(({ sessionName }) => sessionName);
  return [...new Set(names)].filter((name) => !teams.has(name) && isTeamName(name)).sort();
}
