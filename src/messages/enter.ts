// From a text that was pasted to a message that was taken: a look, one Enter, proof.
//
// [DY4] Enter is pressed once, in its own call, and only while the box shows exactly this message.
// [DY5] Accepted is what the transcript or the agent's registry proves, with the message gone from its box; all else is
//       unconfirmed, and never repeated.
// [DY6] What stands in the box is never cleared, but for a command of ours that the client does not know.

import { setTimeout as rest } from "node:timers/promises";
import type { LiveSession, ShapedText } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import type { Panes } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import { sendKeys } from "../tmux/keys.js";
import type { Tmux } from "../tmux/tmux.js";
import { type Mark, proofBehind } from "./proof.js";
import { see } from "./see.js";
import { type Say, type Sight, type Stance, stanceOf } from "./stance.js";

export type Entry =
  | { outcome: "accepted"; by: "transcript" | "registry" | "key" }
  /** It was typed; whether the agent took it is not known. Not entered: it still stands in the box. */
  | { outcome: "unconfirmed"; isEntered: boolean; why: string }
  /** It was typed and taken back: the client would have done something else. */
  | { outcome: "withdrawn"; why: string };

/** How an agent stood before a message was typed. */
export interface Stand {
  live: LiveSession | null;
  mark: Mark | null;
}

export interface Typed {
  tmux: Tmux;
  /** Lists the panes afresh, each time it is called. */
  look: () => Promise<Panes>;
  pane: PaneId;
  shaped: ShapedText;
  before: Stand;
  say: Say;
}

export async function enter(typed: Typed): Promise<Entry> {
  const { tmux, look, pane, shaped, say } = typed;
  const shown = await until<Entry | true>(limits.deliverEchoMs, async () => {
    const now = await see(tmux, look, pane);
    if ("kind" in now) return unconfirmed(now.why, { isEntered: false });
    return whyNotToEnter(now, shaped, say) ?? true;
  });
  if (typeof shown === "string")
    return (await takeBack(typed)) ? { outcome: "withdrawn", why: shown } : notEntered(shown);
  if (shown !== true) return shown;
  await sendKeys(tmux, pane, ["Enter"]);
  return confirm(typed);
}

export function notEntered(why: string): Entry {
  return unconfirmed(why, { isEntered: false });
}

/** Everything that kept us from typing keeps us from entering, but the message that stands in the box now. */
export function whyNotToEnter(seen: Sight, shaped: ShapedText, say: Say): string | null {
  const { box, pane } = seen;
  if (box.kind === "dialog") return "a dialog opened";
  const stance = stanceBeside(seen, say);
  if (stance.kind !== "ready") return stance.why;
  if (box.kind !== "draft") return "its input box does not show it";
  if (!isShown(seen, shaped)) return "its input box shows something else";
  return agentOfKind(pane.kind)?.whyNotEntered(box, shaped) ?? null;
}

/** How the agent stands to a message that is in its box already. */
export function stanceBeside(seen: Sight, say: Say): Stance {
  return stanceOf({ ...seen, box: seen.box.kind === "draft" ? { kind: "empty" } : seen.box }, say);
}

function isShown({ pane, box }: Sight, { text }: ShapedText): boolean {
  return box.kind === "draft" && agentOfKind(pane.kind)?.shownAs(box.text, text) != null;
}

function unconfirmed(why: string, { isEntered }: { isEntered: boolean }): Entry {
  return { outcome: "unconfirmed", isEntered, why };
}

/** Row by row, and only while nothing but our own command stands there. */
async function takeBack({ tmux, look, pane, shaped }: Typed): Promise<boolean> {
  for (let press = 0; press < limits.takeBackPresses; press++) {
    const now = await see(tmux, look, pane);
    if ("kind" in now) return false;
    if (now.box.kind === "empty" || now.box.kind === "suggestion") return press > 0;
    const isOurs = press === 0 ? isMisunderstood(now, shaped) : isRest(now, shaped);
    if (!isOurs) return false;
    await sendKeys(tmux, pane, ["C-u"]);
    await rest(limits.deliverRestMs);
  }
  return false;
}

function isMisunderstood(seen: Sight, shaped: ShapedText): boolean {
  const { box, pane } = seen;
  if (box.kind !== "draft" || !isShown(seen, shaped)) return false;
  return agentOfKind(pane.kind)?.whyNotEntered(box, shaped) != null;
}

/** What one C-u leaves of a command that takes several rows. */
function isRest({ box }: Sight, { text }: ShapedText): boolean {
  const joined = (words: string) => words.replace(/\s+/g, "");
  return box.kind === "draft" && joined(text).startsWith(joined(box.text));
}

async function confirm({ tmux, look, pane, shaped, before }: Typed): Promise<Entry> {
  const isWritten = async () => before.mark !== null && (await proofBehind(before.mark)) !== "nothing";
  const answer = await until<Entry>(limits.deliverProofMs, async () => {
    const now = await see(tmux, look, pane);
    if (await isWritten()) return { outcome: "accepted", by: "transcript" };
    // What has ended writes nothing any more.
    if ("kind" in now) return unconfirmed(now.why, { isEntered: true });
    if (isShown(now, shaped)) return "it still stands in the input box";
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
