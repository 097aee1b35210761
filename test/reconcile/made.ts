// The facts of an audit, made from the few that a test is about.

import type { LiveSession } from "../../src/agents/agent.js";
import { nameInTitle } from "../../src/agents/all.js";
import type { Discovery, SessionState } from "../../src/fleet/identity/discover.js";
import { noHooks } from "../../src/fleet/identity/hook-claims.js";
import type { Fleet } from "../../src/fleet/observe.js";
import type { FleetPane } from "../../src/fleet/panes.js";
import { agentsByPane, type RosterNow, rosterNow } from "../../src/fleet/roster/roster.js";
import { viewsOf } from "../../src/fleet/roster/roster-views.js";
import type { Look } from "../../src/fleet/roster/settle.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../../src/names/gates.js";
import { audit } from "../../src/reconcile/audit.js";
import { type Facts, factsOf } from "../../src/reconcile/facts.js";
import type { Stored, StoredQueue } from "../../src/reconcile/stored.js";
import type { Views } from "../../src/stores/roster.js";
import type { AgentRow } from "../../src/stores/text/roster-rows.js";
import type { SnapshotRead } from "../../src/stores/text/snapshot-text.js";
import { noFacts, type Transcript } from "../../src/transcripts/transcript.js";

import { agentRow, madeServer } from "../fleet/made.js";

export const id = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000` as SessionId;

export interface GivenPane {
  title?: string;
  /** The role of the agent that the roster has in this pane, `-` for none; undefined for an unknown agent. */
  agent?: string;
  /** Its session in the roster (default: the found one). */
  had?: SessionId;
  /** Its address in the roster. */
  was?: string;
  uuid?: SessionId;
  state?: SessionState;
  kind?: FleetPane["kind"];
  live?: Partial<LiveSession>;
}

export interface Given {
  panes?: Record<string, GivenPane>;
  /** Agents of the roster whose panes are gone: address → role and session. */
  gone?: Record<string, [role: string, session?: SessionId]>;
  /** S1 and S2 (default: what the roster last wrote). */
  roles?: Record<string, string>;
  sessions?: Record<string, string>;
  teams?: string[];
  windows?: Record<number, string>;
  /** By agent id, or by the pane of another program's file. */
  queues?: Record<string, Partial<StoredQueue>>;
  /** Sessions without a conversation when they were saved. */
  silent?: string[];
  /** Address → session of the newest snapshot. */
  saved?: Record<string, SessionId>;
  /** Teams that a snapshot, layout or team file has. */
  kept?: string[];
  /** A folder that may have any team is missing. */
  isBlind?: boolean;
  transcripts?: SessionId[];
  /** Unreadable paths of transcripts. */
  unreadable?: string[];
  /** Sessions of live processes outside. */
  held?: SessionId[];
  isSearchable?: boolean;
  parents?: Record<string, SessionId>;
  hasServer?: boolean;
  only?: string;
  /** What `monitor verify` finds. */
  viewer?: Facts["viewer"];
}

export function factsGiven(given: Given): Facts {
  const { only = null, held = [], viewer = [], isSearchable = true } = given;
  const unsearched = isSearchable ? [] : ["/projects"];
  const facts = factsOf(fleetGiven(given), storedGiven(given), {
    only: only as TeamName | null,
    hostName: "box",
    isHeld: (session) => held.includes(session),
    unsearched,
  });
  return { ...facts, viewer };
}

/** As a diff row: `high I1 S1 remove a:0.7 – old`. */
export function found(given: Given): string[] {
  return audit(factsGiven(given)).map(({ severity, invariant, store, op, key, expected, actual }) =>
    [severity, invariant, store, op, key, expected ?? "–", actual ?? "–"].join(" "),
  );
}

export function fleetGiven(given: Given): Fleet {
  const { panes = {}, transcripts = [], unreadable = [], hasServer = true } = given;
  const seen = Object.entries(panes).map(([address, pane], at) => made(address, pane, at));
  const sessions = Object.values(panes).map(({ uuid, state }, at) => {
    const found = { uuid: uuid ?? null, state: state ?? (uuid ? "stable" : "unknown") } as const;
    return [`%${at}` as PaneId, { ...found, title: null, evidence: [] }] as [PaneId, Discovery];
  });
  const files = transcripts.map((each) => ({ id: each, path: `/p/${each}.jsonl`, facts: noFacts() }));
  const roster = rosterGiven(given, seen);
  const sitters = agentsByPane(roster);
  return {
    takenAtMs: 0,
    background: [],
    clients: [],
    server: hasServer ? ({ startedAtMs: 0 } as Fleet["server"]) : null,
    panes: seen.map((pane) => ({ ...pane, agent: sitters.get(pane.id) ?? null })),
    roster,
    hooks: noHooks,
    index: {
      transcripts: files as unknown as Transcript[],
      byId: new Map(files.map((each) => [each.id, [each as unknown as Transcript]])),
      problems: unreadable.map((path) => ({ path, message: "EACCES" })),
      bytesRead: 0,
    },
    sessions: new Map(sessions),
  };
}

/** Settled by a real look, with rows of other programs imported. */
function rosterGiven(given: Given, seen: readonly FleetPane[]): RosterNow {
  const { panes = {}, hasServer = true } = given;
  const agents = agentsGiven(given);
  const ours = viewsOf(agents, new Set());
  const disk = viewsGiven(given);
  const isNew = <Row>(rows: readonly Row[]) => {
    const known = new Set(rows.map((row) => JSON.stringify(row)));
    return (row: Row) => !known.has(JSON.stringify(row));
  };
  const edits = {
    roles: disk.roles.filter(isNew(ours.roles)),
    sessions: disk.sessions.filter(isNew(ours.sessions)),
  };
  const look: Look = {
    server: hasServer ? madeServer : null,
    nowMs: 0,
    isLiving: () => false,
    panes: Object.entries(panes).map(([address, { uuid = null, kind = "claude", was = address }], at) => ({
      id: seen[at]!.id,
      address: address as PaneAddress,
      team: address.split(":")[0] as TeamName,
      carriedTeam: was.split(":")[0] as TeamName,
      sessionCreatedAt: 0,
      kind: kind === "shell" ? "" : kind,
      session: kind === "shell" ? null : uuid,
    })),
  };
  return rosterNow({ agents, edits }, look);
}

/** The roster as it is stored. */
function agentsGiven({ panes = {}, gone = {} }: Given): AgentRow[] {
  const present = Object.entries(panes).flatMap(([address, { agent, had, was, uuid }], at) => {
    if (agent === undefined) return [];
    const seat = { server: madeServer, pane: `%${at}` as PaneId };
    const session = had ?? uuid ?? null;
    return agentRow(was ?? address, agent === "-" ? null : agent, { seat, session });
  });
  const lost = Object.entries(gone).map(([address, [role, session = null]], at) => {
    const seat = { server: madeServer, pane: `%${at + 100}` as PaneId };
    return agentRow(address, role, { seat, session });
  });
  return [...present, ...lost];
}

/** S1 and S2 as they are on disk. */
function viewsGiven(given: Given): Views {
  const { roles, sessions } = given;
  const ours = viewsOf(agentsGiven(given), new Set());
  const epochOf = (pane: string, role: string) =>
    ours.roles.find((row) => row.pane === pane && row.role === role)?.epoch ?? null;
  const entries = (rows: Record<string, string>) => Object.entries(rows) as [PaneAddress, string][];
  return {
    roles: roles
      ? entries(roles).map(([pane, role]) => ({ pane, role: role as Role, epoch: epochOf(pane, role) }))
      : ours.roles,
    sessions: sessions
      ? entries(sessions).map(([pane, uuid]) => ({ pane, uuid: uuid as SessionId }))
      : ours.sessions,
  };
}

function made(address: string, { title = "", kind = "claude", live }: GivenPane, at: number): FleetPane {
  const process = kind === "shell" ? null : { pid: at + 1, startedAtMs: 0 };
  const tmux = { sessionName: address.split(":")[0], sessionId: "$1", team: "" };
  const place = { id: `%${at}`, address, ...tmux, alsoAt: [] };
  const seen = { title, name: nameInTitle(title), kind, process, live: live ?? null, arguments: null };
  return { ...place, ...seen, agent: null } as unknown as FleetPane;
}

function storedGiven(given: Given): Stored {
  const { teams = ["a"], windows = {}, queues = {}, saved, silent = [], parents = {} } = given;
  return {
    ...viewsGiven(given),
    teams: teams.map((team) => ({ team: team as TeamName, description: "" })),
    windows: Object.entries(windows).map(([window, team]) => ({
      window: Number(window),
      team: team as TeamName,
    })),
    queues: Object.entries(queues).map(([owner, queue]) => ({
      ...{ owner: owner as StoredQueue["owner"], waiting: 0, isExpired: true, isBlank: false },
      ...queue,
    })),
    newest: saved === undefined ? null : { ...snapshotOf(saved), silent: new Set(silent as SessionId[]) },
    isKept: (team) => (given.kept ?? []).includes(team),
    isBlind: () => given.isBlind ?? false,
    recordedParent: (session) => parents[session] ?? null,
  };
}

function snapshotOf(saved: Record<string, SessionId>): SnapshotRead {
  const rows = Object.entries(saved).map(([address, uuid]) => {
    const [team, place] = address.split(":") as [string, string];
    const [window, pane] = place.split(".").map(Number);
    return { team, window, pane, role: null, uuid, title: "", cwd: "", model: "", kind: "claude" };
  });
  return { path: "/s", savedAt: "", isAutosave: false, problems: [], rows } as unknown as SnapshotRead;
}
