// Turns a pasted text into an accepted message: one look, one Enter, then proof.
//
// [DY4] Enter is pressed once, in its own call, and only while the box shows exactly this message.
// [DY5] A message is accepted if the transcript or the agent's registry proves it and the message has left the box.
//       Everything else is unconfirmed and never repeated.
// [DY6] Text in the box is never cleared, except a command of ours that the client does not know.

import { setTimeout as rest } from "node:timers/promises";
import type { LiveSession } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import type { ShapedText } from "../agents/box.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import { sendKeys } from "../tmux/keys.js";
import { type Mark, proofBehind } from "./proof.js";
import { see } from "./see.js";
import { type PaneView, type Say, type Stance, stanceOf } from "./stance.js";
import type { PaneReader } from "./world.js";

export type Entry =
  | { outcome: "accepted"; by: "transcript" | "registry" | "key" }
  /** It was typed, but it is unknown whether the agent took it. Not entered: it is still in the box. */
  | { outcome: "unconfirmed"; isEntered: boolean; why: string }
  /** It was typed and removed again: the client would have done something else. */
  | { outcome: "withdrawn"; why: string };

export interface Typed extends PaneReader {
  pane: PaneId;
  shaped: ShapedText;
  /** How long the box has to show the message before Enter (default: not at all). */
  restMs?: number;
  /** The agent's state before the message was typed. */
  before: { live: LiveSession | null; mark: Mark | null };
  say: Say;
  /** Enter waits until this moment of the monotonic clock. */
  notBefore?: number;
}

export async function enter(typed: Typed): Promise<Entry> {
  const { tmux, pane, restMs = 0, notBefore = 0 } = typed;
  let shown = await untilShown(typed);
  if (shown === true && restMs > 0) {
    await rest(restMs);
    shown = await untilShown(typed);
  }
  if (typeof shown === "string")
    return (await takeBack(typed)) ? { outcome: "withdrawn", why: shown } : notEntered(shown);
  if (shown !== true) return shown;
  const earlyMs = notBefore - performance.now();
  if (earlyMs > 0) await rest(earlyMs);
  await sendKeys(tmux, pane, ["Enter"]);
  return confirm(typed);
}

/** True if Enter would send the message; a string says why not. */
function untilShown(typed: Typed): Promise<Entry | true | string> {
  return until<Entry | true>(limits.deliverEchoMs, async () => {
    const now = await see(typed, typed.pane);
    if ("kind" in now) return notEntered(now.why);
    return whyNotToEnter(now, typed.shaped, typed.say) ?? true;
  });
}

export function notEntered(why: string): Entry {
  return unconfirmed(why, { isEntered: false });
}

/** Every reason against typing is a reason against Enter, except that our own message is in the box now. */
export function whyNotToEnter(seen: PaneView, shaped: ShapedText, say: Say): string | null {
  const { box, pane } = seen;
  if (box.kind === "dialog") return "a dialog opened";
  const stance = stanceBeside(seen, say);
  if (stance.kind !== "ready") return stance.why;
  if (box.kind !== "draft") return "its input box does not show the message";
  if (!isShown(seen, shaped)) return "its input box shows something else";
  return agentOfKind(pane.kind)?.keyboard?.whyNotEntered(box, shaped) ?? null;
}

/** How ready the agent is for a message that is already in its box. */
export function stanceBeside(seen: PaneView, say: Say): Stance {
  return stanceOf({ ...seen, box: seen.box.kind === "draft" ? { kind: "empty" } : seen.box }, say);
}

function isShown({ pane, box }: PaneView, { text }: ShapedText): boolean {
  return box.kind === "draft" && agentOfKind(pane.kind)?.keyboard?.shownAs(box.text, text) != null;
}

function unconfirmed(why: string, { isEntered }: { isEntered: boolean }): Entry {
  return { outcome: "unconfirmed", isEntered, why };
}

/** Clears the box row by row, and only while it holds nothing but our own command. */
async function takeBack(typed: Typed): Promise<boolean> {
  const { tmux, pane, shaped } = typed;
  for (let press = 0; press < limits.takeBackPresses; press++) {
    const now = await see(typed, pane);
    if ("kind" in now) return false;
    if (now.box.kind === "empty" || now.box.kind === "suggestion") return press > 0;
    const isOurs = press === 0 ? isMisunderstood(now, shaped) : isRest(now, shaped);
    if (!isOurs) return false;
    await sendKeys(tmux, pane, ["C-u"]);
    await rest(limits.deliverRestMs);
  }
  return false;
}

function isMisunderstood(seen: PaneView, shaped: ShapedText): boolean {
  const { box, pane } = seen;
  if (box.kind !== "draft" || !isShown(seen, shaped)) return false;
  return agentOfKind(pane.kind)?.keyboard?.whyNotEntered(box, shaped) != null;
}

/** What one C-u leaves of a command that spans several rows. */
function isRest({ box }: PaneView, { text }: ShapedText): boolean {
  const joined = (words: string) => words.replace(/\s+/g, "");
  return box.kind === "draft" && joined(text).startsWith(joined(box.text));
}

async function confirm(typed: Typed): Promise<Entry> {
  const { pane, shaped, before } = typed;
  const { mark } = before;
  const isWritten = async () => mark !== null && (await proofBehind(mark)) !== "nothing";
  const accepted: Entry = { outcome: "accepted", by: "transcript" };
  // A client records most messages at once, without a look at its pane. Some commands leave no record.
  const mayBeWritten = mark !== null && !shaped.isCommand;
  const isSoon = async () => (await isWritten()) || "not written yet";
  if (mayBeWritten && (await until<true>(limits.deliverRestMs, isSoon)) === true) return accepted;
  const answer = await until<Entry>(limits.deliverProofMs, async () => {
    const now = await see(typed, pane);
    if (await isWritten()) return accepted;
    // An ended agent writes nothing more.
    if ("kind" in now) return unconfirmed(now.why, { isEntered: true });
    if (isShown(now, shaped)) return "the message is still in the input box";
    return hasTurned(before.live, now.pane.live)
      ? { outcome: "accepted", by: "registry" }
      : "the message left the input box, but nothing proves that the agent took it";
  });
  return typeof answer === "string" ? unconfirmed(answer, { isEntered: true }) : answer;
}

/** The agent listened before. If it works or asks now, or has another session or name, the message caused that. */
function hasTurned(before: LiveSession | null, now: LiveSession | null): boolean {
  if (before === null || now === null) return false;
  const isSilent = before.activity === null && now.activity === null;
  const isListening = isSilent || now.activity === "idle" || now.isInBackground === true;
  return !isListening || now.sessionId !== before.sessionId || now.name !== before.name;
}

/**
 * The first result that is no string, or the last string once the time is up. Setting the clock back delays nothing.
 */
async function until<T>(timeoutMs: number, seen: () => Promise<T | string>): Promise<T | string> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const found = await seen();
    if (typeof found !== "string" || performance.now() > end) return found;
    await rest(limits.deliverPollMs);
  }
}
