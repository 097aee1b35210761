// A dialog is answered: the only keys besides a message's that go into an agent.
//
// [MA1] A key is pressed only while the agent waits and its dialog is seen, twice and the same, and it is pressed once.
// [MA2] Nothing is pressed in any other state: not while it works, not in copy mode, not in synchronized panes.
// [MA3] Done is what was seen: the dialog is gone, or another stands there.

import { setTimeout as rest } from "node:timers/promises";
import type { Dialog } from "../agents/agent.js";
import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import { sendKeys } from "../tmux/keys.js";
import { type Choice, isSameDialog, keyFor } from "./choose.js";
import { see } from "./see.js";
import { doing, type Sight, type Stance } from "./stance.js";
import type { MessageWorld } from "./world.js";

export interface Answered {
  question: string | null;
  label: string;
}

export async function answer(world: MessageWorld, pane: PaneId, choice: Choice): Promise<Answered> {
  const look = () => see(world.tmux, () => world.panes(), pane);
  const dialog = await steadyDialog(pane, look);
  const chosen = keyFor(dialog, choice);
  if (typeof chosen === "string") {
    throw new HiveError(`${chosen}; nothing was pressed`, { hint: optionsHint(pane, dialog) });
  }
  await sendKeys(world.tmux, pane, [chosen.key]);
  const end = performance.now() + limits.dialogGoneMs;
  for (;;) {
    const seen = await look();
    const isGone = "kind" in seen || seen.box.kind !== "dialog" || !isSameDialog(seen.box, dialog);
    if (isGone) return { question: dialog.question, label: chosen.label };
    if (performance.now() > end) break;
    await rest(limits.deliverPollMs);
  }
  throw new HiveError(`${chosen.key} was pressed once, and the dialog still stands there`, {
    hint: "it is not pressed again: look at the pane",
  });
}

/** Seen twice and the same: the client swallows keys while it draws a dialog. */
async function steadyDialog(id: PaneId, look: () => Promise<Sight | Stance>): Promise<Dialog> {
  const end = performance.now() + limits.dialogSteadyMs;
  let before: Dialog | null = null;
  for (;;) {
    const seen = await look();
    const why = "kind" in seen ? seen.why : whyNotToAnswer(seen);
    if (why !== null) throw unanswered(id, why);
    const dialog = "box" in seen && seen.box.kind === "dialog" ? seen.box : null;
    if (dialog !== null && before !== null && isSameDialog(dialog, before)) return dialog;
    if (performance.now() > end)
      throw unanswered(
        id,
        `its agent waits, but ${dialog === null ? "no dialog is seen" : "its dialog changes"}`,
      );
    before = dialog;
    await rest(limits.dialogRestMs);
  }
}

function unanswered(id: PaneId, why: string): HiveError {
  return new HiveError(`${why}; nothing was pressed`, { hint: `look: hivemind agent monitor ${id}` });
}

function whyNotToAnswer(seen: Sight): string | null {
  const { pane } = seen;
  if (pane.inMode) return "it is in copy mode, which would take the keys";
  if (pane.synchronized) return "its panes are synchronized: every one of them would get the keys";
  const { activity } = doing(seen);
  return activity === "waiting" ? null : `its agent asks nothing: it is ${activity}`;
}

function optionsHint(id: PaneId, { options }: Dialog): string {
  if (options.length === 0) return `it has no options; to leave it: hivemind dismiss ${id}`;
  return `its options: ${options.map(({ number, label }) => `${number}. ${label}`).join(" · ")}`;
}
