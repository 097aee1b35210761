// Chooses the option that answers a dialog, from the dialog itself. Pure.
//
// - Yes and no are options that say so. An option that says yes for good, or that gives the agent more permissions,
//   never counts as yes.
// - An option's number is the one printed before it, or its position in a list without numbers.
// - Escape is pressed only into a dialog that Escape is known to close, and only during a conversation.

import type { Dialog, DialogOption } from "../../agents/box.js";
export type Choice = "approve" | "reject" | "dismiss" | { option: number };

/** The option, or why there is none. */
export function optionFor({ options }: Dialog, choice: Exclude<Choice, "dismiss">): DialogOption | string {
  const isMeant = ({ number, label }: DialogOption) => {
    if (choice === "approve") return yes.test(label) && (!lasting.test(label) || asksEachTime.test(label));
    if (choice === "reject") return no.test(label);
    return number === choice.option;
  };
  const found = options.find(isMeant);
  if (found !== undefined) return found;
  return `it has no ${typeof choice === "object" ? `option ${choice.option}` : inWords[choice]}`;
}

/** Why Escape is not pressed, or null. */
export function escapeRefusal(
  { known }: Dialog,
  { isInConversation }: { isInConversation: boolean },
): string | null {
  if (known?.isClosedByEscape && isInConversation) return null;
  return "Escape could end the agent or give a lasting answer here";
}

/**
 * The key that moves the cursor towards this option. Null if it is there already, undefined if neither is visible.
 */
export function keyTowards(
  options: readonly DialogOption[],
  wanted: DialogOption,
): "Up" | "Down" | null | undefined {
  const at = options.findIndex(({ isAtCursor }) => isAtCursor);
  const to = options.findIndex((each) => isSameOption(each, wanted));
  if (at < 0 || to < 0) return undefined;
  return at === to ? null : at < to ? "Down" : "Up";
}

/** Whether question and options are the same. The cursor may be elsewhere. */
export function isSameDialog(a: Dialog, b: Dialog): boolean {
  const shown = ({ question, options }: Dialog) =>
    JSON.stringify([question, options.map(({ number, label }) => [number, label])]);
  return shown(a) === shown(b);
}

/** Whether the question is the same. The text of a text field changes as the cursor enters and leaves it. */
export function isSameQuestion(a: Dialog, b: Dialog): boolean {
  const shown = ({ question, options }: Dialog) =>
    JSON.stringify([question, options.map(({ number }) => number)]);
  return shown(a) === shown(b);
}

function isSameOption(now: DialogOption, wanted: DialogOption): boolean {
  return now.number === wanted.number && (now.label === wanted.label || now.isTextField === true);
}

const yes =
  /^(yes\b|allow once$|trust folder\b|use this mcp server$|submit( answers)?$|enable selected$|press enter to continue$)/i;
const no = /^(no\b|don['’]t trust$|continue without using this mcp server$|cancel$)/i;
const inWords = { approve: "option that says yes", reject: "option that says no" } as const;
const lasting =
  /\b(?:don['’]t ask|do not ask|always|during this session|for this session|allow all|auto-accept|auto mode|accept edits|bypass)\b/i;
/** Carries out a plan but asks before every step: the strictest mode there is. */
const asksEachTime = /\bswitch to default \(ask each time\)/i;
