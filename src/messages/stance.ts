// How ready an agent is for a message, from one look at its pane: a pure table.
//
// [MT1] An agent is ready only if it reports that it is idle and its input box is visibly empty. A suggestion counts
//       as empty.
// [MT2] An agent that works, or does not report what it does, gets the message later. An agent that asks something
//       needs an answer, not a message.
// [MT3] If a person is involved (a draft, copy mode, synchronized panes, a hold), the message waits for that person.
// [MT4] After a failed turn the message waits until the agent has answered something again or a person releases it.
// [MT5] A letter in the inbox needs no idle agent and no empty box. It waits only for a hold, a failed turn or a limit.
// [MT6] A host that is cut off from its fleet types and posts nothing: the message waits.

import { agentOfKind } from "../agents/all.js";
import type { Box } from "../agents/box.js";
import { type ActivityReading, activityOf } from "../fleet/activity/activity.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { LastTurn } from "../transcripts/transcript.js";

export interface Stance {
  kind: "ready" | "working" | "failed" | "asking" | "held" | "absent";
  /** The reason, for people; empty when it is ready. */
  why: string;
}

export interface PaneView {
  pane: FleetPane;
  /** The visible screen with its colours; empty if no agent runs. */
  lines: readonly string[];
  box: Box;
  /** How its conversation ends, if that is on disk. */
  turn?: LastTurn | null;
}

export interface Say {
  /** The operator who put the pane on hold. */
  heldBy?: string | null;
  /** A person wants the next message delivered despite the failed turn. */
  isReleased?: boolean;
  /** Why this host may type nothing now; null if it may. Asked at each use: the process may have stood still since. */
  cutOff?: () => string | null;
}

export function stanceOf(
  sight: PaneView,
  { heldBy = null, isReleased = false, cutOff = mayType }: Say = {},
): Stance {
  const { pane, box } = sight;
  const absence = whyAbsent(pane);
  if (absence !== null) return { kind: "absent", why: absence };
  const off = cutOff();
  if (off !== null) return { kind: "working", why: off };
  if (pane.showsList) return { kind: "working", why: listed };
  const reading = doing(sight);
  const { activity, waitingFor, about } = reading;
  if (activity === "waiting" || box.kind === "dialog") return { kind: "asking", why: asked(waitingFor, box) };
  const person = personIn(pane, box, heldBy);
  // While the agent works, that is the reason; a draft becomes the reason when the agent is done.
  const isFailed = activity === "error";
  if (person !== null && (box.kind !== "draft" || isFailed || listens(reading)))
    return { kind: "held", why: person };
  const small = box.kind === "none" && isUnseen(reading) ? tooSmall(pane) : null;
  if (small !== null) return { kind: "working", why: `no input box is visible: ${small}` };
  // Without the client's registry file nothing would prove that a message arrived.
  if (pane.live === null) return { kind: "working", why: silent };
  if (activity === "unknown") return { kind: "working", why: about ?? silent };
  if (isFailed && !isReleased) return { kind: "failed", why: failed(about, pane) };
  if (!isFailed && !listens(reading)) return { kind: "working", why: working(activity, about) };
  if (box.kind === "none") return { kind: "working", why: "no input box is visible" };
  return { kind: "ready", why: "" };
}

/** How ready it is for a letter in its inbox. */
export function inboxStance(
  sight: PaneView,
  { heldBy = null, isReleased = false, cutOff = mayType }: Say = {},
): Stance {
  const { pane } = sight;
  const absence = whyAbsent(pane);
  if (absence !== null) return { kind: "absent", why: absence };
  const off = cutOff();
  if (off !== null) return { kind: "working", why: off };
  if (heldBy !== null) return { kind: "held", why: onHold(heldBy) };
  if (pane.live === null) return { kind: "working", why: silent };
  const { activity, about } = doing(sight);
  if (activity === "error" && !isReleased) return { kind: "failed", why: failed(about, pane) };
  if (activity === "limited") return { kind: "working", why: working(activity, about) };
  return { kind: "ready", why: "" };
}

const mayType = () => null;

function whyAbsent({ dead, process, isSuspended }: FleetPane): string | null {
  if (dead) return "its program has ended";
  if (process === null) return "no agent runs in it";
  return isSuspended ? suspended : null;
}

/** The only place in this folder that reads an agent's activity. */
export function doing({ pane, lines, turn }: Pick<PaneView, "pane" | "lines" | "turn">): ActivityReading {
  return activityOf(
    pane,
    null,
    agentOfKind(pane.kind)?.screen?.readActivity(lines, Date.now(), turn) ?? null,
  );
}

/** An agent with low context, or with only a background command running, still listens. */
export function listens({ activity, isInBackground }: ActivityReading): boolean {
  return activity === "idle" || activity === "context-low" || isInBackground;
}

const suspended = "its agent is suspended, and its shell would take the keys: type fg there";
const listed = "its pane shows the list of agents, not its conversation: press Escape there";
const silent = "its agent does not report whether it is idle";

function working(activity: string, about: string | null): string {
  return `its agent is ${activity}${about ? `: ${about}` : ""}`;
}

function onHold(heldBy: string): string {
  return `${heldBy} put it on hold`;
}

function failed(about: string | null, { address }: FleetPane): string {
  const what = about === null ? "its last turn failed" : `its last turn failed (${about})`;
  return `${what}; the message is delivered after the agent's next answer, or with: hivemind release ${address}`;
}

/** Only its box could show whether it listens. */
function isUnseen(reading: ActivityReading): boolean {
  return listens(reading) || reading.activity === "unknown";
}

function asked(waitingFor: string | null, box: Box): string {
  const question = box.kind === "dialog" ? box.question : null;
  return `its agent is waiting for an answer: ${question ?? waitingFor ?? "a dialog is open"}`;
}

function personIn(pane: FleetPane, box: Box, heldBy: string | null): string | null {
  if (heldBy !== null) return onHold(heldBy);
  if (pane.inMode) return "it is in copy mode, which would take the keys";
  if (pane.synchronized) return "its panes are synchronized: all of them would get the keys";
  return box.kind === "draft" ? "its input box holds an unsent draft" : null;
}

/**
 * For a pane that is too small to show the client's input box or all options of a dialog: the reason, with the
 * command that enlarges it. Null for a pane that is large enough.
 */
export function tooSmall(pane: FleetPane): string | null {
  const { sessionName, width, height, windowWidth, windowHeight } = pane;
  if (!(height < limits.boxRows || width < limits.boxColumns)) return null;
  // A pane grows in proportion to its window.
  const grown = (window: number, own: number, wanted: number, least: number) =>
    Math.max(least, Math.ceil((window * wanted) / Math.max(1, own)));
  const columns = grown(windowWidth, width, limits.floorWidth, limits.birthWidth);
  const rows = grown(windowHeight, height, limits.roomyRows, limits.birthHeight);
  const size = `${Math.min(columns, limits.layoutSide)}x${Math.min(rows, limits.layoutSide)}`;
  return `its pane is too small, ${width}x${height}: hivemind size lock ${sessionName} ${size}`;
}
