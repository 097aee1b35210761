// How an agent stands to a message, from one look at its pane: a pure table.
//
// [MT1] Ready is only who says that it is idle, with an input box that is seen empty; a suggestion counts as empty.
// [MT2] Who works, or does not say what it does, gets it later; who asks something wants an answer, not a message.
// [MT3] Where a person has a hand in it (a draft, copy mode, synchronized panes, a hold) it waits for that person.
// [MT4] An agent whose last turn failed gets its message when it has answered something again, or a person released it.

import type { Box } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import { type ActivityReading, activityOf } from "../fleet/activity.js";
import type { FleetPane } from "../fleet/panes.js";
import type { LastTurn } from "../transcripts/transcript.js";
import { tooSmall } from "./small-pane.js";

export interface Stance {
  kind: "ready" | "working" | "failed" | "asking" | "held" | "absent";
  /** In words for a person; empty when it is ready. */
  why: string;
}

export interface Sight {
  pane: FleetPane;
  /** The visible screen with its colours; empty where no agent runs. */
  lines: readonly string[];
  box: Box;
  /** How its conversation ends, as far as that is on disk. */
  turn?: LastTurn | null;
}

export interface Say {
  /** The operator who holds the pane. */
  heldBy?: string | null;
  /** A person wants the next message delivered although the last turn failed. */
  isReleased?: boolean;
}

export function stanceOf(sight: Sight, { heldBy = null, isReleased = false }: Say = {}): Stance {
  const { pane, box } = sight;
  if (pane.dead) return { kind: "absent", why: "its program has ended" };
  if (pane.process === null) return { kind: "absent", why: "no agent runs in it" };
  if (pane.isSuspended)
    return {
      kind: "absent",
      why: "its agent is stopped behind a shell, which would take the keys: type fg there",
    };
  if (pane.showsList)
    return {
      kind: "working",
      why: "its pane shows the list of agents, not its conversation: press Escape there",
    };
  const reading = doing(sight);
  const { activity, waitingFor, about } = reading;
  if (activity === "waiting" || box.kind === "dialog") return { kind: "asking", why: asked(waitingFor, box) };
  const person = personIn(pane, box, heldBy);
  // A draft beside a working agent is told once it is done.
  const isFailed = activity === "error";
  if (person !== null && (box.kind !== "draft" || isFailed || listens(reading)))
    return { kind: "held", why: person };
  const small = box.kind === "none" && isUnseen(reading) ? tooSmall(pane) : null;
  if (small !== null) return { kind: "working", why: `no input box is seen: ${small}` };
  // Without its registry nothing would prove that a message arrived.
  if (pane.live === null) return { kind: "working", why: silent };
  if (activity === "unknown") return { kind: "working", why: about ?? silent };
  if (isFailed && !isReleased) return { kind: "failed", why: failed(about, pane) };
  if (!isFailed && !listens(reading))
    return { kind: "working", why: `its agent is ${activity}${about ? `: ${about}` : ""}` };
  if (box.kind === "none") return { kind: "working", why: "no input box is seen" };
  return { kind: "ready", why: "" };
}

/** The one place here that asks what an agent is doing. */
export function doing({ pane, lines, turn }: Pick<Sight, "pane" | "lines" | "turn">): ActivityReading {
  return activityOf(pane, null, agentOfKind(pane.kind)?.readActivity(lines, Date.now(), turn) ?? null);
}

/** Low context, or a command in its background, does not keep an agent from listening. */
export function listens({ activity, isInBackground }: ActivityReading): boolean {
  return activity === "idle" || activity === "context-low" || isInBackground;
}

const silent = "its agent does not say whether it is idle";

function failed(about: string | null, { address }: FleetPane): string {
  const what = about === null ? "its last turn failed" : `its last turn failed (${about})`;
  return `${what}; it is delivered when the agent has answered again, or by: hivemind release ${address}`;
}

/** Nothing but its box could tell whether it listens. */
function isUnseen(reading: ActivityReading): boolean {
  return listens(reading) || reading.activity === "unknown";
}

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
