import { expect, it } from "vitest";
import { fleetOf, pane } from "../../../test/fleet/made.js";
import { idOf } from "../../../test/transcripts/files.js";
import type { LiveSession } from "../../agents/agent.js";
import type { SessionArguments } from "../../agents/launch.js";
import type { ProcessInfo } from "../../base/system/process.js";
import type { FleetPane } from "../panes.js";
import type { EvidenceSource } from "./discover.js";
import { holderOf } from "./holders.js";

const session = idOf(1);
const nobody = { folders: [], processes: { findProcess: () => null } };

function fleetWith(found: FleetPane, source: EvidenceSource) {
  const fleet = fleetOf([], [[found, session, "stable"]]);
  const evidence = [{ source, uuid: session, chosen: true, ambiguous: false, reason: "" }];
  return { ...fleet, sessions: new Map([[found.id, { ...fleet.sessions.get(found.id)!, evidence }]]) };
}

it.each<[string, Partial<FleetPane>, EvidenceSource, string | null]>([
  ["by its registry", { process: { pid: 7 } as ProcessInfo }, "registry", "t:0.0"],
  ["by its arguments", { process: { pid: 7 } as ProcessInfo }, "args", "t:0.0"],
  ["not by the stores alone", { process: { pid: 7 } as ProcessInfo }, "cache", null],
  ["not after its end", { process: null }, "title", null],
])("a running agent holds its session: %s", (_, facts, source, expected) => {
  const holder = holderOf(session, fleetWith(pane("t:0.0", facts), source), nobody);
  expect(holder?.pane ?? null).toBe(expected);
  expect(holderOf(idOf(2), fleetWith(pane("t:0.0", facts), source), nobody)).toBeNull();
});

it("a process outside tmux holds the session in its registry file, if that very process lives (incident 22)", () => {
  const alive = { pid: 7 } as ProcessInfo;
  let shared: Pick<LiveSession, "shared"> = {};
  const registry = {
    registeredPids: (folder: string) => (folder === "/second" ? [6, 7] : []),
    liveSession: (_: string, { pid }: ProcessInfo) =>
      pid === 7 ? ({ sessionId: session, ...shared } as LiveSession) : null,
  };
  const folders = ["/first", "/second"].map((folder) => ({ kind: "claude" as const, folder }));
  const argumentsOf = () => ({ began: idOf(3) }) as SessionArguments;
  const world = { agentOfKind: () => ({ registry, argumentsOf }), folders };
  const find = (found: ProcessInfo | null) => ({
    ...world,
    processes: { findProcess: (pid: number) => (pid === 7 ? found : null) },
  });
  expect(holderOf(session, fleetOf([]), find(alive))).toEqual({
    session,
    pid: 7,
    pane: null,
    how: "registry",
  });
  expect(holderOf(idOf(2), fleetOf([]), find(alive))).toBeNull();
  expect(holderOf(session, fleetOf([]), find(null))).toBeNull();
  expect(holderOf(session, fleetOf([]), { ...find(alive), except: 7 })).toBeNull();
  expect(holderOf(idOf(3), fleetOf([]), find(alive))).toBeNull();
  // If another client may have written the file, the process may still have the session that it was started with.
  shared = { shared: { activity: null } };
  expect(holderOf(session, fleetOf([]), find(alive))?.pid).toBe(7);
  expect(holderOf(idOf(3), fleetOf([]), find(alive))?.pid).toBe(7);
});
