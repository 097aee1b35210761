// Which session a pane's session came from, and what made it change. Pure.
//
// [PA1] The parent is what the lineage of all sessions says, so that no two commands can disagree. What was left by
//       `/clear`, as the pane's row tells, counts there like a hook's report. S5 cannot say that a parent is inferred, so
//       none is written there; what it has stays. S5 is asked only where it can tell something.
// [PA2] Arguments speak of the process's first session only: not of one that was cleared, branched or resumed since.
//       What the process wrote names that session. Where it wrote nothing, the pane's session is the first one unless
//       its transcript or a hook shows that the process went on to it.
// [PA3] A change whose cause cannot be told is unknown, and what was there before is not made a parent.
// [PA4] What is older than its process, what a hook saw resumed and what S5 has as another's child was resumed, also
//       where it once began with `/clear`: what was left for it is not its parent.
// [PA5] What the pane's row has was left by `/clear` for certain only if this process was in it, and if no other session
//       of the same title and folder was written to between the two.

import type { ChangeCause } from "../events/event.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import { beginsIn } from "../transcripts/families.js";
import type { Index } from "../transcripts/index.js";
import type { LineageClaim, LineageEdge } from "../transcripts/lineage.js";
import { isOwnBranch } from "../transcripts/own-branch.js";
import type { Transcript } from "../transcripts/transcript.js";
import type { HookChange } from "./hook-claims.js";
import type { FleetPane } from "./panes.js";

export interface ChangeFacts {
  pane: Pick<FleetPane, "id" | "arguments" | "process">;
  uuid: SessionId | null;
  /** What S2 has for the pane. */
  before: SessionId | null;
  index: Pick<Index, "byId">;
  /** What the hooks reported of this pane's process. */
  changes: readonly HookChange[];
  /** What S5 says of a session's parent. */
  recordedParent(uuid: SessionId): SessionId | null;
  /** Whether a session is in another pane. */
  isHeldElsewhere?(uuid: SessionId): boolean;
}

/** Why the pane has another session than before. */
export function causeOf(facts: ChangeFacts): ChangeCause {
  const { uuid, before } = facts;
  const reported = reportedChange(facts)?.cause;
  if (reported !== undefined && reported !== "resume" && reported !== "unknown") return reported;
  const transcript = transcriptOf(facts, uuid);
  if (isFromBefore(facts, transcript)) return "resume";
  // Some versions say `resume` for `/branch` too: there the transcript knows better.
  if (reported === "resume" && transcript?.facts.forkedFrom === null) return "resume";
  if (before !== null && transcript?.facts.forkedFrom?.sessionId === before) return "branch";
  const parent = forkParent(facts);
  if (parent !== null) return parent === before ? "fork" : "unknown";
  if (!transcript?.facts.beginsWithClear) return "unknown";
  return isRecordedOfAnother(facts) ? "resume" : "clear";
}

/** For S5. `edge` is how the lineage of all sessions, without S5, has it come from another. */
export function parentOf(
  { uuid, index, recordedParent }: Pick<ChangeFacts, "uuid" | "index" | "recordedParent">,
  edge: Pick<LineageEdge, "parent" | "inferred"> | null,
): SessionId | null {
  if (uuid === null) return null;
  if (edge !== null && !edge.inferred) return edge.parent;
  // A session that copied nothing and was not cleared into is a root: S5 need not be read for it.
  if (edge === null && !index.byId.get(uuid)?.[0]?.facts.beginsWithClear) return null;
  return recordedParent(uuid);
}

/** That the pane went on to its session by `/clear` can be seen by who knows what it had before. */
export function clearedInto(facts: ChangeFacts): LineageClaim[] {
  const { uuid, before } = facts;
  if (uuid === null || before === null || before === uuid || causeOf(facts) !== "clear") return [];
  if (reportedChange(facts) === undefined && !isNextTo(facts, before, uuid)) return [];
  return [{ parent: before, child: uuid, source: "hook", kind: "clear" }];
}

/** A session that was resumed did not come from the one that was left for it. */
export function isDescent(cause: ChangeCause): boolean {
  return cause === "clear" || cause === "branch" || cause === "compact";
}

function isFromBefore({ pane }: ChangeFacts, transcript: Transcript | undefined): boolean {
  const [bornAtMs, startedAtMs] = [transcript?.bornAtMs ?? null, pane.process?.startedAtMs ?? null];
  return bornAtMs !== null && startedAtMs !== null && bornAtMs < startedAtMs;
}

/** S5 has it as the child of another session than the one that was left now. */
function isRecordedOfAnother({ uuid, before, recordedParent }: ChangeFacts): boolean {
  const recorded = uuid === null ? null : recordedParent(uuid);
  return recorded !== null && recorded !== before;
}

function reportedChange({ uuid, changes }: ChangeFacts): HookChange | undefined {
  return changes.findLast((change) => change.new === uuid);
}

/** By the arguments, if the pane's session is the one that its process began. */
function forkParent(facts: ChangeFacts): SessionId | null {
  const { forkedFrom = null, began = null } = facts.pane.arguments ?? {};
  if (facts.uuid === null || facts.uuid === forkedFrom) return null;
  return facts.uuid === (began ?? firstSession(facts)) ? forkedFrom : null;
}

/** The session that the pane's process, a fork whose id nobody chose, began with; null where nothing tells. */
export function firstSession(
  facts: Pick<ChangeFacts, "pane" | "uuid" | "index" | "changes">,
): SessionId | null {
  const { uuid, pane, changes } = facts;
  const parent = pane.arguments?.forkedFrom ?? null;
  const own = transcriptOf(facts, uuid);
  const startedAtMs = pane.process?.startedAtMs ?? Number.POSITIVE_INFINITY;
  const { writtenAs = null, writtenAsAtMs = null } = own?.facts ?? {};
  if (writtenAs !== null && (writtenAsAtMs ?? 0) >= startedAtMs) return writtenAs;
  if (uuid === null || changes.some((change) => change.pane === pane.id && change.new === uuid)) return null;
  if (own === undefined) return uuid;
  const isOlder = (own.bornAtMs ?? Number.POSITIVE_INFINITY) < startedAtMs - limits.transcriptBirthSlackMs;
  if (isOlder || isOwnBranch(own)) return null;
  const original = transcriptOf(facts, parent);
  // A transcript that was deleted begins again without its first words, and before its first record it has but a title.
  const canTell = own.facts.isRooted && original !== undefined && original.facts.rootMessage !== null;
  // A fork of a cleared session begins with `/clear` too: with that very record.
  if (canTell) return beginsIn(own, original) ? uuid : null;
  return own.facts.beginsWithClear === true ? null : uuid;
}

/** Whether nothing that this process can have been in lies between two sessions. */
function isNextTo(facts: ChangeFacts, before: SessionId, uuid: SessionId): boolean {
  const { pane, index, isHeldElsewhere = () => false } = facts;
  const [left, own] = [transcriptOf(facts, before), transcriptOf(facts, uuid)];
  const startedAtMs = pane.process?.startedAtMs ?? 0;
  const leftAtMs = left?.facts.lastAtMs ?? Number.NEGATIVE_INFINITY;
  const wasHere = left === undefined || pane.arguments?.began === before || leftAtMs >= startedAtMs;
  if (!wasHere) return false;
  const titles = [own?.facts.title, left?.facts.title];
  const isBetween = ({ id, facts: other }: Transcript) => {
    const [lastAtMs, beganAtMs] = [other.lastAtMs ?? 0, own?.facts.firstAtMs ?? Number.POSITIVE_INFINITY];
    const isInTime =
      lastAtMs > Math.max(leftAtMs, startedAtMs) && lastAtMs <= beganAtMs + limits.transcriptTurnMs;
    if (!isInTime || id === before || id === uuid || !titles.includes(other.title)) return false;
    const isOfOther =
      other.writtenAs !== null && (own?.facts.startedAs ?? other.writtenAs) !== other.writtenAs;
    return other.firstCwd === own?.facts.firstCwd && !isOfOther && !isHeldElsewhere(id);
  };
  return ![...index.byId.values()].some(([last]) => last !== undefined && isBetween(last));
}

function transcriptOf({ index }: Pick<ChangeFacts, "index">, uuid: SessionId | null): Transcript | undefined {
  return uuid === null ? undefined : index.byId.get(uuid)?.[0];
}
