// How an agent stands to a message, from one look at its pane: a pure table.
//
// [MT1] Ready is only who says that it is idle, with an input box that is seen empty; a suggestion counts as empty.
// [MT2] Who works, or does not say what it does, gets it later; who asks something wants an answer, not a message.
// [MT3] Where a person has a hand in it (a draft, copy mode, synchronized panes, a hold) it waits for that person.

import type { Box } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import { type Activity, type ActivityReading, activityOf } from "../fleet/activity.js";
import type { FleetPane } from "../fleet/panes.js";
import { tooSmall } from "./small-pane.js";

export interface Stance {
  kind: "ready" | "working" | "asking" | "held" | "absent";
  /** In words for a person; empty when it is ready. */
  why: string;
}

export interface Sight {
  pane: FleetPane;
  /** The visible screen with its colours; empty where no agent runs. */
  lines: readonly string[];
  box: Box;
}

/** `heldBy` is the operator who holds the pane. */
export function stanceOf(sight: Sight, heldBy: string | null = null): Stance {
  const { pane, box } = sight;
  if (pane.dead) return { kind: "absent", why: "its program has ended" };
  if (pane.process === null) return { kind: "absent", why: "no agent runs in it" };
  const reading = doing(sight);
  const { activity, waitingFor, about } = reading;
  if (activity === "waiting" || box.kind === "dialog") return { kind: "asking", why: asked(waitingFor, box) };
  const person = personIn(pane, box, heldBy);
  // A draft beside a working agent is told once it is done.
  if (person !== null && (box.kind !== "draft" || listens(reading))) return { kind: "held", why: person };
  const small = box.kind === "none" && isUnseen(reading) ? tooSmall(pane) : null;
  if (small !== null) return { kind: "working", why: `no input box is seen: ${small}` };
  // Without its registry nothing would prove that a message arrived.
  if (pane.live === null || activity === "unknown")
    return { kind: "working", why: "its agent does not say whether it is idle" };
  if (!listens(reading))
    return {
      kind: "working",
      why: `its agent is ${inWords[activity] ?? activity}${about ? `: ${about}` : ""}`,
    };
  if (box.kind === "none") return { kind: "working", why: "no input box is seen" };
  return { kind: "ready", why: "" };
}

/** The one place here that asks what an agent is doing. */
export function doing({ pane, lines }: Pick<Sight, "pane" | "lines">): ActivityReading {
  return activityOf(pane, null, agentOfKind(pane.kind)?.readActivity(lines, Date.now()) ?? null);
}

/** Low context, or a command in its background, does not keep an agent from listening. */
export function listens({ activity, isInBackground }: ActivityReading): boolean {
  return activity === "idle" || activity === "context-low" || isInBackground;
}

/** Nothing but its box could tell whether it listens. */
function isUnseen(reading: ActivityReading): boolean {
  return listens(reading) || reading.activity === "unknown";
}

const inWords: Partial<Record<Activity, string>> = { error: "stopped by an error" };

function asked(waitingFor: string | null, box: Box): string {
  const question = box.kind === "dialog" ? box.question : null;
  return `its agent waits: ${question ?? waitingFor ?? "a dialog is open"}`;
}

function personIn(pane: FleetPane, box: Box, heldBy: string | null): string | null {
  if (heldBy !== null) return `it is held by ${heldBy}`;
  if (pane.inMode) return "it is in copy mode, which would take the keys";
  if (pane.synchronized) return "its panes are synchronized: every one of them would get the keys";
  return box.kind === "draft" ? "somebody's draft stands in its input box" : null;
}
