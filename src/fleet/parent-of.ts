// Which session a pane's session came from, and what made it change. Pure.
//
// [PA1] The parent is what the lineage of all sessions says, so that no two commands can disagree. What was left by
//       `/clear`, as the pane's row tells, counts there like a hook's report. What S5 says stands between the rest and
//       the session its process had begun with, and is asked only where it can tell something.
// [PA2] Arguments speak of the process's first session only: not of one that was cleared or resumed since.
// [PA3] A change whose cause cannot be told is unknown, and what was there before is not made a parent.

import type { ChangeCause } from "../events/event.js";
import type { SessionId } from "../names/gates.js";
import { beginsIn } from "../transcripts/families.js";
import type { Index } from "../transcripts/index.js";
import type { LineageClaim, LineageEdge } from "../transcripts/lineage.js";
import type { Transcript } from "../transcripts/transcript.js";
import type { HookChange } from "./hook-claims.js";
import type { FleetPane } from "./panes.js";

export interface ChangeFacts {
  pane: Pick<FleetPane, "arguments" | "process">;
  uuid: SessionId | null;
  /** What S2 has for the pane. */
  before: SessionId | null;
  index: Pick<Index, "byId">;
  /** What the hooks reported of this pane's process. */
  changes: readonly HookChange[];
}

/** Why the pane has another session than before. */
export function causeOf(facts: ChangeFacts): ChangeCause {
  const { pane, before } = facts;
  const reported = reportedChange(facts)?.cause;
  // Some versions say `resume` for `/branch` too: there the transcript knows better.
  if (reported !== undefined && reported !== "resume" && reported !== "unknown") return reported;
  const transcript = transcriptOf(facts, facts.uuid);
  if (transcript?.facts.beginsWithClear) return "clear";
  if (before !== null && transcript?.facts.forkedFrom?.sessionId === before) return "branch";
  if (before !== null && forkParent(facts) === before) return "fork";
  const [bornAtMs, startedAtMs] = [transcript?.bornAtMs ?? null, pane.process?.startedAtMs ?? null];
  return bornAtMs !== null && startedAtMs !== null && bornAtMs < startedAtMs ? "resume" : "unknown";
}

/** `edge` is how the lineage of all sessions, without S5, has it come from another. */
export function parentOf(
  { uuid, index }: Pick<ChangeFacts, "uuid" | "index">,
  edge: Pick<LineageEdge, "parent" | "source"> | null,
  recordedParent: (uuid: SessionId) => SessionId | null,
): SessionId | null {
  if (uuid === null) return null;
  if (edge !== null && edge.source !== "startedAs") return edge.parent;
  // A session that copied nothing and was not cleared into is a root: S5 need not be read for it.
  if (edge === null && !index.byId.get(uuid)?.[0]?.facts.beginsWithClear) return null;
  return recordedParent(uuid) ?? edge?.parent ?? null;
}

/** That the pane went on to its session by `/clear` can be seen by who knows what it had before. */
export function clearedInto(facts: ChangeFacts): LineageClaim[] {
  const { uuid, before } = facts;
  if (uuid === null || before === null || before === uuid || causeOf(facts) !== "clear") return [];
  return [{ parent: before, child: uuid, source: "hook", kind: "clear" }];
}

/** A session that was resumed did not come from the one that was left for it. */
export function isDescent(cause: ChangeCause): boolean {
  return cause === "clear" || cause === "branch" || cause === "compact";
}

function reportedChange({ uuid, changes }: ChangeFacts): HookChange | undefined {
  return changes.findLast((change) => change.new === uuid);
}

/** By the arguments, if the pane's session can be the one that its process began. */
export function forkParent(facts: Pick<ChangeFacts, "pane" | "uuid" | "index">): SessionId | null {
  const parent = facts.pane.arguments?.forkedFrom ?? null;
  if (parent === null || facts.uuid === parent) return null;
  const began = facts.pane.arguments?.began ?? null;
  if (began !== null) return began === facts.uuid ? parent : null;
  const [own, original] = [transcriptOf(facts, facts.uuid), transcriptOf(facts, parent)];
  return own === undefined || original === undefined || beginsIn(own, original) ? parent : null;
}

function transcriptOf({ index }: Pick<ChangeFacts, "index">, uuid: SessionId | null): Transcript | undefined {
  return uuid === null ? undefined : index.byId.get(uuid)?.[0];
}
