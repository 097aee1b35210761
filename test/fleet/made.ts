// Fleets for pure tests, made of the few facts that a test is about.

import { dirname } from "node:path";
import type { SessionState } from "../../src/fleet/identity/discover.js";
import { noHooks } from "../../src/fleet/identity/hook-claims.js";
import type { Fleet } from "../../src/fleet/observe.js";
import type { FleetPane } from "../../src/fleet/panes.js";
import type { RosterNow } from "../../src/fleet/roster/roster.js";
import type { AgentId } from "../../src/names/agent-id.js";
import {
  addressParts,
  type PaneAddress,
  type PaneId,
  type Role,
  type SessionId,
} from "../../src/names/gates.js";
import type { ServerKey } from "../../src/names/seat.js";
import type { AgentRow } from "../../src/stores/text/roster-rows.js";
import { type Facts, noFacts, type Transcript } from "../../src/transcripts/transcript.js";
import { idOf } from "../transcripts/files.js";

/** `transcripts` in index order: of one id the last written first. */
export function fleetOf(
  transcripts: readonly Transcript[],
  found: readonly [FleetPane, SessionId | null, SessionState][] = [],
  /** Agents of the roster without a pane here. */
  absent: readonly AgentRow[] = [],
): Fleet {
  const byId = new Map<SessionId, Transcript[]>();
  for (const each of transcripts) byId.set(each.id, [...(byId.get(each.id) ?? []), each]);
  return {
    takenAtMs: 0,
    background: [],
    clients: [],
    server: null,
    panes: found.map(([each]) => each),
    roster: rosterOf(
      found.map(([each]) => each),
      absent,
    ),
    hooks: noHooks,
    index: { transcripts, byId, problems: [], bytesRead: 0 },
    sessions: new Map(
      found.map(([{ id }, uuid, state]) => [id, { uuid, state, title: null, evidence: [] }] as const),
    ),
  };
}

/** The same with these unreadable paths. */
export function unread(fleet: Fleet, ...paths: readonly string[]): Fleet {
  const problems = paths.map((path) => ({ path, message: "EACCES" }));
  return { ...fleet, index: { ...fleet.index, problems } };
}

/** The tmux server of every made agent that sits in a pane. */
export const madeServer: ServerKey = { socket: "/tmp/tmux", pid: 10, startedAt: 1_700_000_000 };

/** The agents of these panes, and those without one. */
export function rosterOf(panes: readonly FleetPane[], absent: readonly AgentRow[] = []): RosterNow {
  const agents = [...panes.flatMap(({ agent }) => agent ?? []), ...absent];
  return { agents, stored: agents, server: madeServer, renamed: [], doubles: [], roleless: [], refused: [] };
}

/** An agent of the roster, away by default. Its id is made of its role and address. */
export function agentRow(address: string, role: string | null, facts: Partial<AgentRow> = {}): AgentRow {
  const id = `${role ?? ""}${address}`.toLowerCase().replace(/[^a-z2-7]/g, "");
  return {
    id: id.padEnd(10, "a").slice(0, 10) as AgentId,
    team: addressParts(address as PaneAddress).team,
    role: role as Role | null,
    kind: "claude",
    session: null,
    seat: null,
    address: address as PaneAddress,
    epoch: 1_700_000_000,
    ...facts,
  };
}

/** The same, in the pane that `pane` makes for this address. */
export function seated(address: string, role: string | null, facts: Partial<AgentRow> = {}): AgentRow {
  return agentRow(address, role, { seat: { server: madeServer, pane: `%${address}` as PaneId }, ...facts });
}

/** A running agent by default. */
export function pane(address: string, facts: Partial<FleetPane> = {}, startedAtMs = 0): FleetPane {
  const nothing = {
    kind: "claude",
    cwd: "/a",
    startPath: "",
    team: "",
    shell: "",
    label: "",
    teamStatus: "",
    sessionCreatedMs: 0,
    arguments: null,
    live: null,
    agent: null,
  };
  const tmux = { sessionName: address.split(":")[0], sessionId: "$1", team: "$1|was" };
  const made = { id: `%${address}`, address, alsoAt: [], ...tmux, ...nothing };
  return { ...made, process: { startedAtMs }, ...facts } as unknown as FleetPane;
}

export function transcript(
  number: number,
  facts: Partial<Facts> = {},
  file: Partial<Transcript> = {},
): Transcript {
  const id = idOf(number);
  const path = file.path ?? `/projects/-a/${id}.jsonl`;
  return {
    ...{
      id,
      kind: "claude" as const,
      folder: dirname(dirname(dirname(path))),
      path,
      sizeBytes: 1,
      modifiedAtMs: 0,
      bornAtMs: 0,
      ...file,
    },
    facts: { ...noFacts(), firstCwd: "/a", lastCwd: "/a", ...facts },
  };
}
