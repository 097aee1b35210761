// Which session a pane's session came from, and what caused the change. Pure.
//
// - The parent comes from the lineage of all sessions, so no two commands can disagree. A session that the pane's
//   row had and left by `/clear` counts there like a hook's report.
// - S5 cannot mark a parent as inferred, so an inferred one is not written; a recorded one stays.
// - Arguments describe only the process's first session, not one cleared, branched or resumed since. The process's
//   records name its first session. Without records, it is the pane's session, unless a transcript or a hook shows a
//   later change.
// - If the cause of a change is unclear, it is unknown, and the previous session does not become the parent.
// - A session was resumed if it is older than its process, if a hook saw that, or if S5 has it as another's child,
//   even if it once began with `/clear`. Then the previous session is not its parent.
// - The session in the pane's row was certainly left by `/clear` only if this process was in it and no other session
//   of the same title and folder was written to between the two.

import type { ChangeCause } from "../../events/event.js";
import { limits } from "../../limits.js";
import type { SessionId } from "../../names/gates.js";
import type { Index } from "../../transcripts/index.js";
import { beginsIn } from "../../transcripts/lineage/families.js";
import type { LineageClaim, LineageEdge } from "../../transcripts/lineage/lineage.js";
import { isOwnBranch } from "../../transcripts/lineage/own-branch.js";
import type { Transcript } from "../../transcripts/transcript.js";
import type { HookChange } from "../identity/hook-claims.js";
import type { FleetPane } from "../panes.js";

export interface ChangeFacts {
  pane: Pick<FleetPane, "id" | "arguments" | "process">;
  uuid: SessionId | null;
  /** The session in S2 for the pane. */
  before: SessionId | null;
  index: Pick<Index, "byId">;
  /** The hooks' reports about this pane's process. */
  changes: readonly HookChange[];
  /** The parent of a session in S5. */
  recordedParent(uuid: SessionId): SessionId | null;
  /** Whether a session is in another pane. */
  isHeldElsewhere?(uuid: SessionId): boolean;
}

/** Why the pane's session changed. */
export function causeOf(facts: ChangeFacts): ChangeCause {
  const { uuid, before } = facts;
  const reported = reportedChange(facts)?.cause;
  if (reported !== undefined && reported !== "resume" && reported !== "unknown") return reported;
  const transcript = transcriptOf(facts, uuid);
  if (isFromBefore(facts, transcript)) return "resume";
  // Some versions report `resume` for `/branch` too; the transcript tells them apart.
  if (reported === "resume" && transcript?.facts.forkedFrom === null) return "resume";
  if (before !== null && transcript?.facts.forkedFrom?.sessionId === before) return "branch";
  const parent = forkParent(facts);
  if (parent !== null) return parent === before ? "fork" : "unknown";
  if (!transcript?.facts.beginsWithClear) return "unknown";
  return isRecordedOfAnother(facts) ? "resume" : "clear";
}

/** For S5. `edge` is the session's parent edge in the lineage of all sessions without S5. */
export function parentOf(
  { uuid, index, recordedParent }: Pick<ChangeFacts, "uuid" | "index" | "recordedParent">,
  edge: Pick<LineageEdge, "parent" | "inferred"> | null,
): SessionId | null {
  if (uuid === null) return null;
  if (edge !== null && !edge.inferred) return edge.parent;
  // A session that copied nothing and does not begin with `/clear` is a root: S5 need not be read for it.
  if (edge === null && !index.byId.get(uuid)?.[0]?.facts.beginsWithClear) return null;
  return recordedParent(uuid);
}

/** The claim that the pane came to its session by `/clear`, from the session it had before. */
export function clearedInto(facts: ChangeFacts): LineageClaim[] {
  const { uuid, before } = facts;
  if (uuid === null || before === null || before === uuid || causeOf(facts) !== "clear") return [];
  if (reportedChange(facts) === undefined && !isNextTo(facts, before, uuid)) return [];
  return [{ parent: before, child: uuid, source: "hook", kind: "clear" }];
}

/** A resumed session does not descend from the one before it. */
export function isDescent(cause: ChangeCause): boolean {
  return cause === "clear" || cause === "branch" || cause === "compact";
}

function isFromBefore({ pane }: ChangeFacts, transcript: Transcript | undefined): boolean {
  const [bornAtMs, startedAtMs] = [transcript?.bornAtMs ?? null, pane.process?.startedAtMs ?? null];
  return bornAtMs !== null && startedAtMs !== null && bornAtMs < startedAtMs;
}

/** S5 has it as the child of a session other than the one left now. */
function isRecordedOfAnother({ uuid, before, recordedParent }: ChangeFacts): boolean {
  const recorded = uuid === null ? null : recordedParent(uuid);
  return recorded !== null && recorded !== before;
}

function reportedChange({ uuid, changes }: ChangeFacts): HookChange | undefined {
  return changes.findLast((change) => change.new === uuid);
}

/** From the arguments, if the pane's session is the one that its process began with. */
function forkParent(facts: ChangeFacts): SessionId | null {
  const { forkedFrom = null, began = null } = facts.pane.arguments ?? {};
  if (facts.uuid === null || facts.uuid === forkedFrom) return null;
  return facts.uuid === (began ?? firstSession(facts)) ? forkedFrom : null;
}

/** The session that the pane's process, a fork without a chosen id, began with; null if unknown. */
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
  // A deleted transcript begins again without its first words, and before its first record it has only a title.
  const canTell = own.facts.isRooted && original !== undefined && original.facts.rootMessage !== null;
  // A fork of a cleared session begins with `/clear` too: with the same record.
  if (canTell) return beginsIn(own, original) ? uuid : null;
  return own.facts.beginsWithClear === true ? null : uuid;
}

/** Whether this process can have been in no other session between the two. */
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
