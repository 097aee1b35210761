// Which option answers a dialog, read from the dialog itself. Pure.
//
// [CH1] Yes and no are options that say so; one that says yes for ever, or loosens what the agent may do, is never
//       taken for yes.
// [CH2] An option is named by its number: as it stands before it, or its place in a list without numbers.
// [CH3] Escape is pressed only into a dialog that it is known to close, while a conversation runs.

import type { Dialog, DialogOption } from "../agents/agent.js";

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
  return "Escape could end the agent or answer for good here";
}

/** The key that brings the cursor nearer to this option; null where it is there, undefined where none is seen. */
export function keyTowards(
  options: readonly DialogOption[],
  wanted: DialogOption,
): "Up" | "Down" | null | undefined {
  const at = options.findIndex(({ isAtCursor }) => isAtCursor);
  const to = options.findIndex((each) => isSameOption(each, wanted));
  if (at < 0 || to < 0) return undefined;
  return at === to ? null : at < to ? "Down" : "Up";
}

/** The same question with the same options: the cursor may stand elsewhere. */
export function isSameDialog(a: Dialog, b: Dialog): boolean {
  const told = ({ question, options }: Dialog) =>
    JSON.stringify([question, options.map(({ number, label }) => [number, label])]);
  return told(a) === told(b);
}

/** The same question still: what a text field shows changes as the cursor comes and goes. */
export function isSameQuestion(a: Dialog, b: Dialog): boolean {
  const told = ({ question, options }: Dialog) =>
    JSON.stringify([question, options.map(({ number }) => number)]);
  return told(a) === told(b);
}

function isSameOption(now: DialogOption, wanted: DialogOption): boolean {
  return now.number === wanted.number && (now.label === wanted.label || now.isTextField === true);
}

const yes = /^(yes\b|use this mcp server$|submit( answers)?$|enable selected$|press enter to continue$)/i;
const no = /^(no\b|continue without using this mcp server$|cancel$)/i;
const inWords = { approve: "option that says yes", reject: "option that says no" } as const;
const lasting =
  /\b(?:don['’]t ask|do not ask|always|during this session|for this session|allow all|auto-accept|auto mode|accept edits|bypass)\b/i;
/** A plan is carried out with every step asked for: the strictest mode there is. */
const asksEachTime = /\bswitch to default \(ask each time\)/i;
