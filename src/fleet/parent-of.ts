// Which session a pane's session came from, as far as a glance tells, and what made it change. Pure.
//
// [PA1] Strongest first: what a hook says it followed; what was left for it by `/clear`, `/branch` or a fork; its own
//       copied records; the arguments of a process that began as a fork; what was recorded before; the session its
//       process had begun with.
// [PA2] Arguments speak of the process's first session only: not of one that was cleared or resumed since.
// [PA3] A change whose cause cannot be told is unknown, and what was there before is not made a parent.

import type { ChangeCause } from "../events/event.js";
import type { SessionId } from "../names/gates.js";
import { beginsIn } from "../transcripts/families.js";
import type { Index } from "../transcripts/index.js";
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

export function parentOf(
  facts: ChangeFacts,
  recordedParent: (uuid: SessionId) => SessionId | null,
): SessionId | null {
  const { uuid, before } = facts;
  if (uuid === null) return null;
  const reported = reportedChange(facts);
  if (reported !== undefined && isDescent(reported.cause)) return reported.old;
  const isChange = before !== null && before !== uuid;
  if (isChange && ["clear", "branch", "fork"].includes(causeOf(facts))) return before;
  const known = transcriptOf(facts, uuid)?.facts;
  const found = known?.forkedFrom?.sessionId ?? forkParent(facts);
  if (found !== null) return found;
  const startedAs = known?.startedAs ?? null;
  // A session that copied nothing and was not cleared into is a root: S5 need not be read for it.
  if (!known?.beginsWithClear && (startedAs === null || startedAs === uuid)) return null;
  return recordedParent(uuid) ?? (startedAs === uuid ? null : startedAs);
}

/** A session that was resumed did not come from the one that was left for it. */
export function isDescent(cause: ChangeCause): boolean {
  return cause === "clear" || cause === "branch" || cause === "compact";
}

function reportedChange({ uuid, changes }: ChangeFacts): HookChange | undefined {
  return changes.findLast((change) => change.new === uuid);
}

/** By the arguments, if the pane's session can be the one that its process began. */
function forkParent(facts: ChangeFacts): SessionId | null {
  const parent = facts.pane.arguments?.forkedFrom ?? null;
  if (parent === null || facts.uuid === parent) return null;
  const began = facts.pane.arguments?.began ?? null;
  if (began !== null) return began === facts.uuid ? parent : null;
  const [own, original] = [transcriptOf(facts, facts.uuid), transcriptOf(facts, parent)];
  return own === undefined || original === undefined || beginsIn(own, original) ? parent : null;
}

function transcriptOf({ index }: ChangeFacts, uuid: SessionId | null): Transcript | undefined {
  return uuid === null ? undefined : index.byId.get(uuid)?.[0];
}
