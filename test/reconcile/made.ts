// What an audit knows, made of the few facts a test is about.

import type { LiveSession } from "../../src/agents/agent.js";
import { nameInTitle } from "../../src/agents/all.js";
import type { Discovery, SessionState } from "../../src/fleet/discover.js";
import { noHooks } from "../../src/fleet/hook-claims.js";
import type { Fleet } from "../../src/fleet/observe.js";
import type { FleetPane } from "../../src/fleet/panes.js";
import { findShifts } from "../../src/fleet/shifts.js";
import type { PaneAddress, PaneId, Role, SessionId, TeamName } from "../../src/names/gates.js";
import { audit } from "../../src/reconcile/audit.js";
import { type Facts, factsOf } from "../../src/reconcile/facts.js";
import type { Stored, StoredQueue } from "../../src/reconcile/stored.js";
import type { SnapshotRead } from "../../src/stores/snapshot-text.js";
import { noFacts, type Transcript } from "../../src/transcripts/transcript.js";

export const id = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000` as SessionId;

export interface GivenPane {
  title?: string;
  /** `address role`; without it the pane has no mark. */
  mark?: string;
  uuid?: SessionId;
  state?: SessionState;
  kind?: FleetPane["kind"];
  live?: Partial<LiveSession>;
}

export interface Given {
  panes?: Record<string, GivenPane>;
  roles?: Record<string, string>;
  sessions?: Record<string, string>;
  teams?: string[];
  windows?: Record<number, string>;
  queues?: Record<string, Partial<StoredQueue>>;
  /** Sessions that had not said a word when they were saved. */
  silent?: string[];
  /** Address → session of the newest snapshot. */
  saved?: Record<string, SessionId>;
  /** Teams that a snapshot, layout or team file has. */
  kept?: string[];
  /** A folder that may have any team is away. */
  isBlind?: boolean;
  transcripts?: SessionId[];
  /** Paths of what could not be read of the transcripts. */
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

export function fleetGiven({
  panes = {},
  transcripts = [],
  unreadable = [],
  hasServer = true,
}: Given): Fleet {
  const seen = Object.entries(panes).map(([address, pane], at) => made(address, pane, at));
  const sessions = Object.values(panes).map(({ uuid, state }, at) => {
    const found = { uuid: uuid ?? null, state: state ?? (uuid ? "stable" : "unknown") } as const;
    return [`%${at}` as PaneId, { ...found, title: null, evidence: [] }] as [PaneId, Discovery];
  });
  const files = transcripts.map((each) => ({ id: each, path: `/p/${each}.jsonl`, facts: noFacts() }));
  return {
    takenAtMs: 0,
    background: [],
    clients: [],
    server: hasServer ? ({ startedAtMs: 0 } as Fleet["server"]) : null,
    panes: seen,
    shifts: findShifts(seen),
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

function made(
  address: string,
  { title = "", mark, kind = "claude", live }: GivenPane,
  at: number,
): FleetPane {
  const [marked, role] = mark?.split(" ") ?? [];
  const process = kind === "shell" ? null : { pid: at + 1, startedAtMs: 0 };
  const tmux = { sessionName: address.split(":")[0], sessionId: "$1", team: "$1|was" };
  const place = { id: `%${at}`, address, ...tmux, alsoAt: [] };
  const seen = { title, name: nameInTitle(title), kind, process, live: live ?? null, arguments: null };
  return {
    ...place,
    ...seen,
    mark: mark === undefined ? null : { address: marked, role },
  } as unknown as FleetPane;
}

function storedGiven(given: Given): Stored {
  const {
    roles = {},
    sessions = {},
    teams = ["a"],
    windows = {},
    queues = {},
    saved,
    silent = [],
    parents = {},
  } = given;
  const entries = <Value>(rows: Record<string, Value>) => Object.entries(rows) as [PaneAddress, Value][];
  return {
    roles: entries(roles).map(([pane, role]) => ({ pane, role: role as Role, epoch: null })),
    sessions: entries(sessions).map(([pane, uuid]) => ({ pane, uuid: uuid as SessionId })),
    teams: teams.map((team) => ({ team: team as TeamName, description: "" })),
    windows: Object.entries(windows).map(([window, team]) => ({
      window: Number(window),
      team: team as TeamName,
    })),
    queues: entries(queues).map(([pane, queue]) => ({
      ...{ pane, owner: undefined, waiting: 0, isExpired: true, isBlank: false },
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
