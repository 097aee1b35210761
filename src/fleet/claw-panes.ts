// Which session each running claw of one workspace is in. Pure.
//
// claw keeps no registry. It makes a session as it starts, or takes the one that `--resume ID` names, and writes to it at
// each turn; `/clear`, `/resume` and `/session` lead it to another one without a word outside.
//
// [SM2] A claw is in the session that its arguments name, or in the only one of its folder that was made as it started, or,
//       where neither tells and it is the only claw of its folder, in the only one written since.
// [SM3] Where another session was written later, which no other claw there began in, claw may have gone on to it: unknown.

import type { ManagedSummary } from "../agents/claw/managed-store.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import type { ManagedId } from "../names/managed-id.js";
import { openWorkspace, type Workspace } from "../names/workspace.js";
import type { ProcessInfo } from "../processes/process.js";
import type { FleetPane } from "./panes.js";
import { folderOf, isRunning } from "./session-list.js";

export interface Claw {
  pane: PaneId;
  /** The earliest moment that it can have started. */
  startedAtMs: number;
  /** What `--resume` names. */
  named: ManagedId | null;
}

type Saved = Pick<ManagedSummary, "id" | "createdAtMs" | "updatedAtMs">;

/** `sessions` are all of the workspace in which these claws run. */
export function sessionsOfClaws(
  claws: readonly Claw[],
  sessions: readonly Saved[],
): ReadonlyMap<PaneId, ManagedId> {
  const begun = new Map(claws.map((claw) => [claw.pane, begunBy(claw, claws, sessions)]));
  return new Map(
    claws.flatMap((claw): [PaneId, ManagedId][] => {
      const since = sessions.filter(({ updatedAtMs }) => updatedAtMs >= claw.startedAtMs);
      const own = begun.get(claw.pane) ?? null;
      if (own === null) {
        const isTold = claw.named === null && claws.length === 1 && since.length === 1;
        return isTold ? [[claw.pane, since[0]!.id]] : [];
      }
      const ofOthers = new Set([...begun].flatMap(([pane, each]) => (pane === claw.pane ? [] : each?.id)));
      const isLater = ({ id, updatedAtMs }: Saved) =>
        id !== own.id && updatedAtMs > own.updatedAtMs && !ofOthers.has(id);
      return since.some(isLater) ? [] : [[claw.pane, own.id]];
    }),
  );
}

export function clawsIn(panes: readonly FleetPane[], workspace: Workspace): Claw[] {
  return panes.flatMap((pane) => {
    const folder = clawFolder(pane);
    if (folder === null || openWorkspace(folder).path !== workspace.path) return [];
    return {
      pane: pane.id,
      startedAtMs: earliestStart(pane.process!),
      named: pane.arguments?.managed ?? null,
    };
  });
}

/** Where a running claw works; null for every other pane. */
export function clawFolder(pane: FleetPane): string | null {
  return pane.kind === "claw" && isRunning(pane) ? folderOf(pane) : null;
}

function begunBy(claw: Claw, claws: readonly Claw[], sessions: readonly Saved[]): Saved | null {
  if (claw.named !== null) return sessions.find(({ id }) => id === claw.named) ?? null;
  const isRival = (other: Claw) =>
    other !== claw && Math.abs(other.startedAtMs - claw.startedAtMs) <= limits.clawStartMs;
  if (claws.some(isRival)) return null;
  const [only, second] = sessions.filter(({ createdAtMs }) => {
    const sinceStartMs = (createdAtMs ?? 0) - claw.startedAtMs;
    return sinceStartMs >= 0 && sinceStartMs <= limits.clawStartMs;
  });
  return second === undefined ? (only ?? null) : null;
}

function earliestStart({ startedAtMs }: ProcessInfo): number {
  return startedAtMs - limits.processStartSlackMs;
}
