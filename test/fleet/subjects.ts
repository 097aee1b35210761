// Panes and transcripts as discovery sees them, in short form. Times are minutes ago.

import { expect, test } from "vitest";
import type { LiveSession } from "../../src/agents/agent.js";
import { type Discovery, discoverAll, type Subject } from "../../src/fleet/identity/discover.js";
import type { PaneId, SessionId } from "../../src/names/gates.js";
import { type Facts, noFacts, type Transcript } from "../../src/transcripts/transcript.js";

export const nowMs = 1_000_000_000;
export const minute = 60_000;
export const id = (letter: string) => `${letter.repeat(8)}-0000-4000-8000-000000000000` as SessionId;
export const [a, b, c, d] = ["a", "b", "c", "d"].map(id) as [SessionId, SessionId, SessionId, SessionId];

/** Times are minutes ago. */
interface Written extends Partial<Facts> {
  born?: number;
  written?: number;
}

export function transcript(uuid: SessionId, { born = 30, written = 5, ...facts }: Written = {}): Transcript {
  const at = (minutesAgo: number) => nowMs - minutesAgo * minute;
  const known = {
    title: "po",
    firstCwd: "/w",
    lastCwd: "/w",
    rootMessage: `root ${uuid}`,
    firstAtMs: at(born),
    lastAtMs: at(written),
  };
  return {
    id: uuid,
    path: `/p/${uuid}.jsonl`,
    sizeBytes: 1,
    modifiedAtMs: at(written),
    kind: "claude",
    folder: "/config",
    bornAtMs: at(born),
    facts: { ...noFacts(), ...known, ...facts },
  };
}

interface Pane extends Partial<Omit<Subject, "live" | "startedAtMs">> {
  live?: SessionId;
  /** How a client without a registry tells its session. */
  how?: LiveSession["how"];
  updated?: number;
  /** Minutes ago; null if no agent runs. */
  started?: number | null;
}

let count = 0;
export function pane({ live, how, updated = 1, started = 60, ...facts }: Pane = {}): Subject {
  const registry = {
    sessionId: live,
    name: null,
    cwd: "/w",
    version: null,
    activity: "idle",
    waitingFor: null,
    updatedAtMs: nowMs - updated * minute,
    ...(how === undefined ? {} : { how }),
  };
  count += 1;
  return {
    id: `%${count}` as PaneId,
    address: `t:0.${count}`,
    title: "po",
    cwd: "/w",
    startedAtMs: started === null ? null : nowMs - started * minute,
    live: live === undefined ? null : (registry as LiveSession),
    hook: null,
    began: null,
    forkedFrom: null,
    cached: null,
    registeredAtMs: null,
    endedAtMs: null,
    left: [],
    saidTitle: null,
    maybe: [],
    member: null,
    ...facts,
  };
}

export function look(subjects: Subject[], transcripts: Transcript[]): Discovery[] {
  return [...discoverAll(subjects, transcripts, nowMs).values()];
}

export const check = (
  title: string,
  subjects: Subject[],
  transcripts: Transcript[],
  ...expected: [SessionId | null, string?, string?][]
) =>
  test(title, () => {
    const found = look(subjects, transcripts);
    const chosen = found.map(({ uuid, state, evidence }) => [
      uuid,
      state,
      evidence.find((each) => each.chosen)?.source,
    ]);
    expect(chosen.map((row, at) => row.slice(0, expected[at]!.length))).toEqual(expected);
    for (const { evidence, uuid } of found)
      expect(evidence.filter((each) => each.chosen).map((each) => each.uuid)).toEqual(uuid ? [uuid] : []);
  });
