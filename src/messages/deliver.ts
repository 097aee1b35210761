// A message on its way into an agent's input box: what queues and receipts stand on.
//
// [DY1] Nothing is typed unless the agent says that it is idle, and its box is seen empty; a suggestion counts as empty.
// [DY2] Text that is empty, or that could act as keys or swallow the Enter behind it, is refused before anything is looked at.
// [DY3] A slash command is typed, everything else is one bracketed paste: lines are one message.
// [DY4] Enter is pressed once, in its own call, and only while the box shows exactly this message. No other key is pressed.
// [DY5] Accepted is what the transcript or the agent's registry proves, with the message gone from its box; all else is
//       unconfirmed, and never repeated.
// [DY6] What stands in the box is never cleared.

import { setTimeout as rest } from "node:timers/promises";
import type { Agent, Box, LiveSession } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { refusalOf } from "../fleet/probe.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import { capturePanes } from "../tmux/capture.js";
import { pasteText, sendKeys, sendText } from "../tmux/keys.js";
import type { Tmux } from "../tmux/tmux.js";
import { isProvenBehind, markTranscript, type TranscriptMark } from "./proof.js";

export type Delivery =
  /** Nothing was typed. */
  | { outcome: "refused"; why: string }
  | { outcome: "accepted"; by: "transcript" | "registry" }
  /** It was typed; whether the agent took it is not known. Not entered: it still stands in the box. */
  | { outcome: "unconfirmed"; isEntered: boolean; why: string };

/** `look` lists the panes afresh, each time it is called. */
export async function deliver(
  tmux: Tmux,
  look: () => Promise<Panes>,
  pane: PaneId,
  text: string,
): Promise<Delivery> {
  const unfit = textRefusal(text);
  if (unfit !== null) return { outcome: "refused", why: unfit };
  const seen = await see(tmux, look, pane);
  if (typeof seen === "string") return { outcome: "refused", why: seen };
  const why = refusalOf(seen.pane, seen.box);
  if (why !== null) return { outcome: "refused", why };

  const before = standOf(seen.pane);
  if (isSlashCommand(text)) await sendText(tmux, pane, text);
  else await pasteText(tmux, pane, text);
  await rest(limits.deliverRestMs);
  const shown = await until(
    limits.deliverEchoMs,
    async () => whyNotToEnter(await see(tmux, look, pane), text) ?? true,
  );
  if (shown !== true) return { outcome: "unconfirmed", isEntered: false, why: shown };
  await sendKeys(tmux, pane, ["Enter"]);
  return confirm(tmux, look, pane, text, before);
}

/** Why this text goes into no box, or null. */
export function textRefusal(text: string): string | null {
  if (text.trim() === "") return "it is empty";
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(text)) return "it has control characters";
  // The client takes a backslash before Enter for "go on in the next line".
  if (text.trimEnd().endsWith("\\")) return "it ends in a backslash, behind which Enter is only a new line";
  return null;
}

/** One line whose first word is a slash and a name: a path is prose. */
export function isSlashCommand(text: string): boolean {
  return /^\/[A-Za-z][A-Za-z0-9:_-]*(?: [^\n\t]*)?$/.test(text) && text.length <= limits.slashCommandLength;
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

interface Seen {
  pane: FleetPane;
  agent: Agent;
  box: Box;
}

/** The pane and its box at one moment, or why there is nothing to type into. */
async function see(tmux: Tmux, look: () => Promise<Panes>, id: PaneId): Promise<Seen | string> {
  const pane = (await look()).panes.find((each) => each.id === id);
  if (pane === undefined) return "its pane is gone";
  const agent = agentOfKind(pane.kind);
  if (agent === null) return pane.dead ? "its program has ended" : "no agent runs in it";
  const screen = (await capturePanes(tmux, [id], { escapes: true })).get(id);
  if (screen === undefined) return "its pane is gone";
  return { pane, agent, box: agent.readBox(screen.replace(/\n$/, "").split("\n")) };
}

/** Everything that kept us from typing keeps us from entering, but the message that stands in the box now. */
function whyNotToEnter(seen: Seen | string, text: string): string | null {
  if (typeof seen === "string") return seen;
  const why = refusalOf(seen.pane, { kind: "empty" });
  if (why !== null) return why;
  const { box } = seen;
  if (box.kind === "draft") return isShownAs(box.text, text) ? null : "its input box shows something else";
  return box.kind === "dialog" ? "a dialog opened" : "its input box does not show it";
}

interface Stand {
  live: LiveSession | null;
  mark: TranscriptMark | null;
}

function standOf({ live, folder }: FleetPane): Stand {
  return { live, mark: live === null || folder === null ? null : markTranscript(folder, live.sessionId) };
}

async function confirm(
  tmux: Tmux,
  look: () => Promise<Panes>,
  pane: PaneId,
  text: string,
  before: Stand,
): Promise<Delivery> {
  const answer = await until<Delivery>(limits.deliverProofMs, async () => {
    if (before.mark !== null && (await isProvenBehind(before.mark, text)))
      return { outcome: "accepted", by: "transcript" };
    const now = await see(tmux, look, pane);
    if (typeof now === "string") return now;
    if (now.box.kind === "draft" && isShownAs(now.box.text, text)) return "it still stands in the input box";
    return hasTurned(before.live, now.pane.live)
      ? { outcome: "accepted", by: "registry" }
      : "it left the input box, but nothing shows that it arrived";
  });
  return typeof answer === "string" ? { outcome: "unconfirmed", isEntered: true, why: answer } : answer;
}

/** It was idle before: that it works, asks, or has another session or name now came of the message. */
function hasTurned(before: LiveSession | null, now: LiveSession | null): boolean {
  if (before === null || now === null) return false;
  return now.activity !== "idle" || now.sessionId !== before.sessionId || now.name !== before.name;
}

/** What is waited for as soon as it is seen, else the words for why it was not. */
async function until<T>(timeoutMs: number, seen: () => Promise<T | string>): Promise<T | string> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const found = await seen();
    if (typeof found !== "string" || Date.now() > end) return found;
    await rest(limits.deliverPollMs);
  }
}
