// Fleets for pure tests, made of the few facts a test is about.

import type { SessionState } from "../../src/fleet/discover.js";
import { noHooks } from "../../src/fleet/hook-claims.js";
import type { Fleet } from "../../src/fleet/observe.js";
import type { FleetPane } from "../../src/fleet/panes.js";
import { findShifts } from "../../src/fleet/shifts.js";
import type { SessionId } from "../../src/names/gates.js";
import { type Facts, noFacts, type Transcript } from "../../src/transcripts/transcript.js";
import { idOf } from "../transcripts/files.js";

/** `transcripts` in the order of the index: of one id the last written first. */
export function fleetOf(
  transcripts: readonly Transcript[],
  found: readonly [FleetPane, SessionId | null, SessionState][] = [],
): Fleet {
  const byId = new Map<SessionId, Transcript[]>();
  for (const each of transcripts) byId.set(each.id, [...(byId.get(each.id) ?? []), each]);
  return {
    takenAtMs: 0,
    background: [],
    clients: [],
    server: null,
    panes: found.map(([each]) => each),
    shifts: findShifts([]),
    hooks: noHooks,
    index: { transcripts, byId, problems: [], bytesRead: 0 },
    sessions: new Map(
      found.map(([{ id }, uuid, state]) => [id, { uuid, state, title: null, evidence: [] }] as const),
    ),
  };
}

/** The same where these paths could not be read. */
export function unread(fleet: Fleet, ...paths: readonly string[]): Fleet {
  const problems = paths.map((path) => ({ path, message: "EACCES" }));
  return { ...fleet, index: { ...fleet.index, problems } };
}

/** An agent that runs, unless told otherwise. */
export function pane(address: string, facts: Partial<FleetPane> = {}, startedAtMs = 0): FleetPane {
  const nothing = {
    kind: "claude",
    cwd: "/a",
    startPath: "",
    launch: "",
    team: "",
    shell: "",
    sessionCreatedMs: 0,
    arguments: null,
    live: null,
    mark: null,
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
  const path = `/projects/-a/${id}.jsonl`;
  return {
    ...{ id, path, sizeBytes: 1, modifiedAtMs: 0, bornAtMs: 0, ...file },
    facts: { ...noFacts(), firstCwd: "/a", lastCwd: "/a", ...facts },
  };
}
