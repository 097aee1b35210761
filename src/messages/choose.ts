// Which key answers a dialog, read from the dialog itself. Pure.
//
// [CH1] Yes and no are options that say so in their first word; one that says yes for ever is never taken for yes.
// [CH2] An option is chosen by its number, which stands before it; more than nine have no key.
// [CH3] Escape dismisses, and chooses nothing.

import type { Dialog } from "../agents/agent.js";

export type Choice = "approve" | "reject" | "dismiss" | { option: number };

export interface ChosenKey {
  key: string;
  /** In words: what the key chooses. */
  label: string;
}

/** The key, or why there is none. */
export function keyFor({ options }: Dialog, choice: Choice): ChosenKey | string {
  if (choice === "dismiss") return { key: "Escape", label: "dismissed" };
  const isMeant = ({ number, label }: Dialog["options"][number]) => {
    if (choice === "approve") return /^yes\b/i.test(label) && !lasting.test(label);
    if (choice === "reject") return /^no\b/i.test(label);
    return number === choice.option;
  };
  const found = options.find(isMeant);
  if (found === undefined)
    return `it has no ${typeof choice === "object" ? `option ${choice.option}` : inWords[choice]}`;
  if (found.number > 9) return "only its first nine options have a key";
  return { key: String(found.number), label: `${found.number}. ${found.label}` };
}

/** The same question with the same options: the cursor may stand elsewhere. */
export function isSameDialog(a: Dialog, b: Dialog): boolean {
  const told = ({ question, options }: Dialog) =>
    JSON.stringify([question, options.map(({ number, label }) => [number, label])]);
  return told(a) === told(b);
}

const inWords = { approve: "option that says yes", reject: "option that says no" } as const;
const lasting =
  /\b(?:don['’]t ask|do not ask|always|during this session|for this session|allow all|auto-accept)\b/i;
