// A message on its way into an agent's input box: what queues and receipts stand on.
//
// [DY1] Nothing is typed unless the agent says that it is idle, and its box is seen empty; a suggestion counts as empty.
// [DY2] Text that goes into no box is refused before anything is looked at.
// [DY3] A slash command is typed, everything else is one bracketed paste: lines are one message.
// [DY4] Enter is pressed once, in its own call, and only while the box shows exactly this message. No other key is pressed.
// [DY5] Accepted is what the transcript or the agent's registry proves, with the message gone from its box; all else is
//       unconfirmed, and never repeated.
// [DY6] What stands in the box is never cleared.

import { setTimeout as rest } from "node:timers/promises";
import type { LiveSession } from "../agents/agent.js";
import { LockedError } from "../base/lock.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { PaneAddress, PaneId } from "../names/gates.js";
import { TmuxError } from "../tmux/error.js";
import { pasteText, sendKeys, sendText } from "../tmux/keys.js";
import type { Tmux } from "../tmux/tmux.js";
import { type Mark, markTranscript, proofBehind } from "./proof.js";
import { see } from "./see.js";
import { type Say, type Sight, type Stance, stanceOf } from "./stance.js";
import { isSlashCommand, textRefusal } from "./text.js";
import type { MessageWorld } from "./world.js";

export type Delivery =
  /** Nothing was typed. */
  | { outcome: "refused"; why: string; stance: Stance }
  | { outcome: "accepted"; by: "transcript" | "registry" | "key" }
  /** It was typed; whether the agent took it is not known. Not entered: it still stands in the box. */
  | { outcome: "unconfirmed"; isEntered: boolean; why: string };

/** `look` lists the panes afresh, each time it is called. `begin` runs when nothing is typed yet, and all is clear. */
export async function deliver(
  tmux: Tmux,
  look: () => Promise<Panes>,
  pane: PaneId,
  text: string,
  begin: (mark: Mark | null) => Promise<void> = async () => {},
  release: Pick<Say, "isReleased"> = {},
): Promise<Delivery> {
  const unfit = textRefusal(text);
  if (unfit !== null) return refused({ kind: "absent", why: unfit });
  const seen = await see(tmux, look, pane);
  if ("kind" in seen) return refused(seen);
  const stance = stanceOf(seen, release);
  if (stance.kind !== "ready") return refused(stance);

  const before = standOf(seen.pane, text);
  await begin(before.mark);
  try {
    if (isSlashCommand(text)) await sendText(tmux, pane, text);
    else await pasteText(tmux, pane, text);
  } catch (error) {
    if (!(error instanceof TmuxError)) throw error;
    return unconfirmed(error.message, { isEntered: false });
  }
  await rest(limits.deliverRestMs);
  const shown = await until<Delivery | true>(limits.deliverEchoMs, async () => {
    const now = await see(tmux, look, pane);
    if ("kind" in now) return unconfirmed(now.why, { isEntered: false });
    return whyNotToEnter(now, text, release) ?? true;
  });
  if (typeof shown === "string") return unconfirmed(shown, { isEntered: false });
  if (shown !== true) return shown;
  await sendKeys(tmux, pane, ["Enter"]);
  return confirm(tmux, look, pane, text, before);
}

/** What no queue holds, a command of our own. While somebody else types there it is refused: their words would mix. */
export async function deliverInTurn(
  { stores, tmux, panes }: MessageWorld,
  address: PaneAddress,
  pane: PaneId,
  text: string,
): Promise<Delivery> {
  const work = () => deliver(tmux, panes, pane, text);
  try {
    return await stores.queues.whileDraining(address, work, limits.sendLockMs);
  } catch (error) {
    if (!(error instanceof LockedError)) throw error;
    const who = error.holder === null ? "something else" : `process ${error.holder.pid}`;
    return refused({ kind: "working", why: `${who} says something to it` });
  }
}

function unconfirmed(why: string, { isEntered }: { isEntered: boolean }): Delivery {
  return { outcome: "unconfirmed", isEntered, why };
}

function refused(stance: Stance): Delivery {
  return { outcome: "refused", why: stance.why, stance };
}

/**
 * Whether this draft is this message. Where lines wrap, the screen does not tell a blank from a break; a long paste is
 * shown as a mark for it; a box that is lower than its text shows the end of it.
 */
export function isShownAs(draft: string, text: string): boolean {
  const [shown, whole] = [withoutBlanks(draft), withoutBlanks(text)];
  if (shown === whole || /^\[Pastedtext#\d+(?:\+\d+lines)?\]$/.test(shown)) return true;
  return shown.length >= limits.deliverTailLength && whole.endsWith(shown);
}

function withoutBlanks(text: string): string {
  return text.replace(/[\s\u00a0]+/g, "");
}

/** Everything that kept us from typing keeps us from entering, but the message that stands in the box now. */
function whyNotToEnter(seen: Sight, text: string, release: Pick<Say, "isReleased">): string | null {
  const { box } = seen;
  if (box.kind === "dialog") return "a dialog opened";
  const stance = stanceOf({ ...seen, box: { kind: "empty" } }, release);
  if (stance.kind !== "ready") return stance.why;
  if (box.kind === "draft") return isShownAs(box.text, text) ? null : "its input box shows something else";
  return "its input box does not show it";
}

interface Stand {
  live: LiveSession | null;
  mark: Mark | null;
}

function standOf({ live, folder }: FleetPane, text: string): Stand {
  return {
    live,
    mark: live === null || folder === null ? null : markTranscript(folder, live.sessionId, text),
  };
}

async function confirm(
  tmux: Tmux,
  look: () => Promise<Panes>,
  pane: PaneId,
  text: string,
  before: Stand,
): Promise<Delivery> {
  const isWritten = async () => before.mark !== null && (await proofBehind(before.mark)) !== "nothing";
  const answer = await until<Delivery>(limits.deliverProofMs, async () => {
    const now = await see(tmux, look, pane);
    if (await isWritten()) return { outcome: "accepted", by: "transcript" };
    // What has ended writes nothing any more.
    if ("kind" in now) return unconfirmed(now.why, { isEntered: true });
    if (now.box.kind === "draft" && isShownAs(now.box.text, text)) return "it still stands in the input box";
    return hasTurned(before.live, now.pane.live)
      ? { outcome: "accepted", by: "registry" }
      : "it left the input box, but nothing shows that it arrived";
  });
  return typeof answer === "string" ? unconfirmed(answer, { isEntered: true }) : answer;
}

/** It listened before: that it works, asks, or has another session or name now came of the message. */
function hasTurned(before: LiveSession | null, now: LiveSession | null): boolean {
  if (before === null || now === null) return false;
  const isListening = now.activity === "idle" || now.isInBackground === true;
  return !isListening || now.sessionId !== before.sessionId || now.name !== before.name;
}

/** What is waited for as soon as it is seen, else the words for why it was not. A clock that is set back delays nothing. */
async function until<T>(timeoutMs: number, seen: () => Promise<T | string>): Promise<T | string> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await seen();
    if (typeof found !== "string" || performance.now() > end) return found;
    await rest(limits.deliverPollMs);
  }
}
