// A dialog is answered: the only keys besides a message's that go into an agent.
//
// [MA1] A key is pressed only while the agent waits and its dialog was seen twice and the same. Arrow keys move the
//       cursor, one look after each. Enter is pressed once, and only when the cursor is seen on the wanted option.
// [MA2] Nothing is pressed in any other state: not while it works, not in copy mode, not in synchronized panes, not
//       into a text field, where a digit would be typed and Enter would send what somebody wrote.
// [MA3] Done is what was seen: the dialog is gone, or another stands there, or the agent has ended.

import { setTimeout as rest } from "node:timers/promises";
import type { Dialog, DialogOption } from "../agents/agent.js";
import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import { sendKeys } from "../tmux/keys.js";
import { type Choice, escapeRefusal, isSameDialog, isSameQuestion, keyTowards, optionFor } from "./choose.js";
import { see } from "./see.js";
import { tooSmall } from "./small-pane.js";
import { doing, type Sight, type Stance } from "./stance.js";
import type { MessageWorld } from "./world.js";

export interface Answered {
  question: string | null;
  label: string;
  /** What stands there now: another dialog, the end of the agent, or nothing of the kind. */
  after: { kind: "dialog"; dialog: Dialog } | { kind: "ended"; why: string } | null;
}

/** It was not answered; the dialog is for a person to look at. */
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
  const look = () => see(world.tmux, () => world.panes(), pane);
  const { dialog, isInConversation, small } = await steadyDialog(pane, look);
  const { question } = dialog;
  if (choice === "dismiss") {
    const why = escapeRefusal(dialog, { isInConversation });
    if (why !== null) throw new Unanswered(`${why}; nothing was pressed`, pane, dialog);
    await sendKeys(world.tmux, pane, ["Escape"]);
    return { question, label: "dismissed", after: await whatCame(look, pane, dialog, "Escape") };
  }
  const wanted = optionFor(dialog, choice);
  if (typeof wanted === "string") {
    const why = small === null ? wanted : `${wanted} that is seen, and ${small}`;
    throw new Unanswered(`${why}; nothing was pressed`, pane, dialog);
  }
  const press = (key: string) => sendKeys(world.tmux, pane, [key]);
  const before = await moveTo(look, press, { pane, dialog, wanted });
  await press("Enter");
  const { number, label } = wanted;
  return {
    question,
    label: number === 0 ? label : `${number}. ${label}`,
    after: await whatCame(look, pane, before, "Enter"),
  };
}

type Look = () => Promise<Sight | Stance>;

/** Seen twice and the same: the client swallows keys while it draws a dialog. */
async function steadyDialog(
  pane: PaneId,
  look: Look,
): Promise<{ dialog: Dialog; isInConversation: boolean; small: string | null }> {
  const end = performance.now() + limits.dialogSteadyMs;
  let before: Dialog | null = null;
  for (;;) {
    const seen = await look();
    const dialog = dialogIn(seen);
    const why = "kind" in seen ? seen.why : whyNotToAnswer(seen);
    if (why !== null) throw new Unanswered(`${why}; nothing was pressed`, pane, dialog);
    if ("pane" in seen && dialog !== null && before !== null && isSameDialog(dialog, before)) {
      const isInConversation = (seen.pane.live?.activity ?? null) !== null;
      return { dialog, isInConversation, small: tooSmall(seen.pane) };
    }
    if (performance.now() > end) {
      const what = dialog === null ? "no dialog is seen" : "its dialog changes";
      throw new Unanswered(`its agent waits, but ${what}; nothing was pressed`, pane, dialog);
    }
    before = dialog;
    await rest(limits.dialogRestMs);
  }
}

/** The dialog with the cursor on the wanted option. An arrow key that was swallowed is pressed again. */
async function moveTo(
  look: Look,
  press: (key: string) => Promise<void>,
  { pane, dialog: first, wanted }: { pane: PaneId; dialog: Dialog; wanted: DialogOption },
): Promise<Dialog> {
  let dialog = first;
  for (let presses = 0; ; presses++) {
    const key = keyTowards(dialog.options, wanted);
    const refuse = (why: string) => new Unanswered(`${why}; Enter was not pressed`, pane, dialog);
    if (key === undefined) throw refuse("no cursor is seen among its options");
    if (key === null) {
      const isText = dialog.options.some(({ isAtCursor, isTextField }) => isAtCursor && isTextField);
      if (isText) throw refuse("that option is a text field, in which somebody may be writing");
      return dialog;
    }
    if (presses > limits.dialogMoves) throw refuse("its cursor does not move to that option");
    await press(key);
    const moved = await whenMoved(look, dialog);
    if (moved === null || !isSameQuestion(moved, first)) throw refuse("its dialog changed");
    dialog = moved;
  }
}

/** Once the cursor has moved, or the time for it is over. */
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
    // A start-up question may be followed by the next one: a moment without any box is not the end of it.
    else if (seen.box.kind !== "none" || tookMs > limits.dialogGoneMs) return null;
    await rest(limits.deliverPollMs);
  }
  throw new Unanswered(
    `${key} was pressed once, and the dialog still stands there; it is not pressed again`,
    pane,
    before,
  );
}

function dialogIn(seen: Sight | Stance): Dialog | null {
  return "box" in seen && seen.box.kind === "dialog" ? seen.box : null;
}

function whyNotToAnswer(seen: Sight): string | null {
  const { pane } = seen;
  if (pane.inMode) return "it is in copy mode, which would take the keys";
  if (pane.synchronized) return "its panes are synchronized: every one of them would get the keys";
  const { activity } = doing(seen);
  return activity === "waiting" ? null : `its agent asks nothing: it is ${activity}`;
}

function hintFor(pane: PaneId, dialog: Dialog | null): string {
  if (dialog === null) return `look: hivemind agent monitor ${pane}`;
  const options = dialog.options.filter(({ number }) => number > 0);
  const instead = `answer it there: hivemind go ${pane}`;
  const isReachable = dialog.options.some(({ isAtCursor }) => isAtCursor);
  if (options.length === 0 || !isReachable) return instead;
  const listed = options.map(({ number, label }) => `${number}. ${label}`).join(" · ");
  return `${instead} – or choose by number, hivemind option ${pane} N: ${listed}`;
}
