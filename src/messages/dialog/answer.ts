// Answers a dialog. Apart from messages, these are the only keys that go into an agent.
//
// - A key is pressed only while the agent waits and two looks in a row showed the same dialog.
// - Arrow keys move the cursor, with one look after each. Enter is pressed once, and only when the cursor is visibly
//   on the wanted option.
// - Nothing is pressed while the agent works, in copy mode or in synchronized panes. Nothing is pressed in a text
//   field: a digit would be typed there, and Enter would submit what a person wrote.
// - The result is what was seen afterwards: the dialog is gone, another one is open, or the agent has ended.

import { setTimeout as rest } from "node:timers/promises";
import type { Dialog, DialogOption } from "../../agents/box.js";
import { HiveError } from "../../base/errors.js";
import type { FleetPane } from "../../fleet/panes.js";
import { limits } from "../../limits.js";
import type { PaneId } from "../../names/gates.js";
import { sendKeys } from "../../tmux/keys.js";
import { whyCutOff } from "../cut-off.js";
import { see } from "../see.js";
import { agentName } from "../sent-error.js";
import { doing, type PaneView, type Stance, tooSmall } from "../stance.js";
import type { MessageWorld } from "../world.js";
import { type Choice, escapeRefusal, isSameDialog, isSameQuestion, keyTowards, optionFor } from "./choose.js";

export interface Answered {
  question: string | null;
  label: string;
  /** What is there now: another dialog, an ended agent, or null for neither. */
  after: { kind: "dialog"; dialog: Dialog } | { kind: "ended"; why: string } | null;
}

/** The dialog was not answered; a person has to look at it. */
export class Unanswered extends HiveError {
  override name = "Unanswered";

  constructor(
    why: string,
    readonly pane: PaneId,
    readonly dialog: Dialog | null,
  ) {
    super(why, { hint: hintFor(pane, dialog) });
  }
}

export async function answer(world: MessageWorld, pane: PaneId, choice: Choice): Promise<Answered> {
  const look = () => see(world, pane);
  const needLease = () => {
    const cutOff = whyCutOff(world);
    if (cutOff !== null) throw new Unanswered(`${cutOff}; no key was pressed since`, pane, null);
  };
  const press = (key: string) => {
    needLease();
    return sendKeys(world.tmux, pane, [key]);
  };
  needLease();
  const { dialog, seen } = await steadyDialog(pane, look);
  const { question } = dialog;
  if (choice === "dismiss") {
    const isInConversation = (seen.live?.activity ?? null) !== null;
    const why = escapeRefusal(dialog, { isInConversation });
    if (why !== null) throw new Unanswered(`${why}; nothing was pressed`, pane, dialog);
    await press("Escape");
    return { question, label: "dismissed", after: await whatCame(look, pane, dialog, "Escape") };
  }
  const wanted = optionFor(dialog, choice);
  if (typeof wanted === "string") {
    const small = tooSmall(seen);
    const why = small === null ? wanted : `${wanted} on screen, and ${small}`;
    throw new Unanswered(`${why}; nothing was pressed`, pane, dialog);
  }
  const before = await moveTo(look, press, { pane, dialog, wanted });
  await press("Enter");
  const { number, label } = wanted;
  return {
    question,
    label: number === 0 ? label : `${number}. ${label}`,
    after: await whatCame(look, pane, before, "Enter"),
  };
}

type Look = () => Promise<PaneView | Stance>;

/** A dialog that two looks showed alike: the client swallows keys while it draws a dialog. */
async function steadyDialog(pane: PaneId, look: Look): Promise<{ dialog: Dialog; seen: FleetPane }> {
  const end = performance.now() + limits.dialogSteadyMs;
  let before: Dialog | null = null;
  for (;;) {
    const seen = await look();
    const dialog = dialogIn(seen);
    const why = "kind" in seen ? seen.why : whyNotToAnswer(seen);
    if (why !== null) throw new Unanswered(`${why}; nothing was pressed`, pane, dialog);
    if ("pane" in seen && dialog !== null && before !== null && isSameDialog(dialog, before))
      return { dialog, seen: seen.pane };
    if (performance.now() > end) {
      const what = dialog === null ? "no dialog is visible" : "its dialog keeps changing";
      throw new Unanswered(`it waits, but ${what}; nothing was pressed`, pane, dialog);
    }
    before = dialog;
    await rest(limits.dialogRestMs);
  }
}

/**
 * The dialog with the cursor on the wanted option. If the client swallows an arrow key, the key is pressed again.
 */
async function moveTo(
  look: Look,
  press: (key: string) => Promise<void>,
  { pane, dialog: first, wanted }: { pane: PaneId; dialog: Dialog; wanted: DialogOption },
): Promise<Dialog> {
  let dialog = first;
  for (let presses = 0; ; presses++) {
    const key = keyTowards(dialog.options, wanted);
    const refuse = (why: string) => new Unanswered(`${why}; Enter was not pressed`, pane, dialog);
    if (key === undefined) throw refuse("no cursor is visible among its options");
    if (key === null) {
      const isText = dialog.options.some(({ isAtCursor, isTextField }) => isAtCursor && isTextField);
      if (isText) throw refuse("that option is a text field, and a person may be typing in it");
      return dialog;
    }
    if (presses > limits.dialogMoves) throw refuse("the cursor does not reach that option");
    await press(key);
    const moved = await whenMoved(look, dialog);
    if (moved === null || !isSameQuestion(moved, first)) throw refuse("the dialog changed");
    dialog = moved;
  }
}

/** Returns once the cursor has moved or the time is up. */
async function whenMoved(look: Look, before: Dialog): Promise<Dialog | null> {
  const end = performance.now() + limits.dialogMovedMs;
  const cursor = ({ options }: Dialog) => options.findIndex(({ isAtCursor }) => isAtCursor);
  for (;;) {
    const dialog = dialogIn(await look());
    if (dialog === null || cursor(dialog) !== cursor(before) || performance.now() > end) return dialog;
    await rest(limits.deliverPollMs);
  }
}

async function whatCame(look: Look, pane: PaneId, before: Dialog, key: string): Promise<Answered["after"]> {
  const begun = performance.now();
  for (;;) {
    const seen = await look();
    if ("kind" in seen) return { kind: "ended", why: seen.why };
    const dialog = dialogIn(seen);
    const tookMs = performance.now() - begun;
    if (dialog !== null && isSameDialog(dialog, before)) {
      if (tookMs > limits.dialogGoneMs) break;
    } else if (dialog !== null) return { kind: "dialog", dialog };
    // Start-up questions follow one another: a moment without any box does not mean that the last one is over.
    else if (seen.box.kind !== "none" || tookMs > limits.dialogGoneMs) return null;
    await rest(limits.deliverPollMs);
  }
  throw new Unanswered(`pressed ${key} once; the dialog is still open`, pane, before);
}

function dialogIn(seen: PaneView | Stance): Dialog | null {
  return "box" in seen && seen.box.kind === "dialog" ? seen.box : null;
}

function whyNotToAnswer(seen: PaneView): string | null {
  const { pane } = seen;
  if (pane.inMode) return "it is in copy mode, which would take the keys";
  if (pane.synchronized) return "its panes are synchronized: every one of them would get the keys";
  const { activity } = doing(seen);
  return activity === "waiting" ? null : `${agentName(pane)} asks nothing: it is ${activity}`;
}

function hintFor(pane: PaneId, dialog: Dialog | null): string {
  if (dialog === null) return `look: hivemind agent monitor ${pane}`;
  const options = dialog.options.filter(({ number }) => number > 0);
  const instead = `answer it in its pane: hivemind go ${pane}`;
  const isReachable = dialog.options.some(({ isAtCursor }) => isAtCursor);
  if (options.length === 0 || !isReachable) return instead;
  const listed = options.map(({ number, label }) => `${number}. ${label}`).join(" · ");
  return `${instead} – or choose by number, hivemind option ${pane} N: ${listed}`;
}
