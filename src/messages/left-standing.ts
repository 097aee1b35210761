// What a killed sender left in an agent's input box, before Enter. Pure.
//
// [LS1] Words of a message stay ours as long as its `typing` receipt is open: they are entered when the agent listens.
// [LS2] A draft that holds more than our words, or that could be somebody's paste, is left alone, and that is told.

import type { ShapedText } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import { stanceBeside } from "./enter.js";
import type { Say, Sight, Stance } from "./stance.js";

export type Left =
  | { kind: "ours"; shaped: ShapedText }
  /** The agent does not listen now: nobody can tell yet. */
  | { kind: "waits"; stance: Stance }
  | { kind: "lost"; why: string };

/** `forms`: how the message may have been pasted. Untouched: nobody pressed a key in this tmux session since. */
export function leftIn(
  seen: Sight,
  forms: readonly ShapedText[],
  say: Say,
  { isUntouched }: { isUntouched: boolean },
): Left {
  const { box, pane } = seen;
  const stance = stanceBeside(seen, say);
  if (stance.kind === "absent") return { kind: "lost", why: stance.why };
  if (stance.kind !== "ready") return { kind: "waits", stance };
  const agent = agentOfKind(pane.kind);
  if (box.kind !== "draft" || agent === null) return { kind: "lost", why: lostWords };
  const shown = forms.map((shaped) => ({ shaped, as: agent.shownAs(box.text, shaped.text) }));
  const whole = shown.find(({ as }) => as === "whole");
  const part = shown.find(({ as }) => as === "part");
  const ours = whole ?? (isUntouched ? part : undefined);
  if (ours !== undefined) return { kind: "ours", shaped: ours.shaped };
  if (part !== undefined) return { kind: "lost", why: maybeOurs };
  const isMixed = forms.some(({ text }) => agent.holdsMore(box.text, text));
  return {
    kind: "lost",
    why: isMixed ? mixed : "it was typed, and another draft stands in the input box",
  };
}

/** Nobody can tell whether the agent took it. */
export const lostWords = "it was typed, and neither the input box nor the conversation shows it";
const mixed = "it stands in the input box with somebody's words: enter or clear them there";
const maybeOurs = "the input box hides a paste that is ours or somebody's: enter or clear it there";
