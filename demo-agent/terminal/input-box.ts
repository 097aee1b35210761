// The draft in the input box: a pure editor whose cursor is always at the end.
//
// - A long paste appears as a placeholder; submitting inserts its whole text.
// - C-u removes only the last line of the draft.
// - Enter after a backslash is a line break, and so is every newline of a paste.

import type { InputEvent } from "./input.js";

export interface Draft {
  text: string;
  /** The pasted texts by the number of their placeholder. */
  pastes: ReadonlyMap<number, string>;
}

export const emptyDraft: Draft = { text: "", pastes: new Map() };

/** The real client folds a paste that is longer than this, or has more line breaks. */
const foldedChars = 800;
const foldedBreaks = 2;

/** The draft after a key that writes or deletes; unchanged for every other key. */
export function edited(draft: Draft, event: InputEvent): Draft {
  switch (event.kind) {
    case "text":
      return typed(draft, event.text);
    case "paste":
      return withPaste(draft, event.text);
    case "newline":
      return typed(draft, "\n");
    case "backspace":
      return withoutLast(draft);
    default:
      return draft;
  }
}

export function typed(draft: Draft, text: string): Draft {
  return { ...draft, text: draft.text + text };
}

export function withPaste(draft: Draft, text: string): Draft {
  const breaks = text.split("\n").length - 1;
  if (text.length <= foldedChars && breaks <= foldedBreaks) return typed(draft, text);
  const number = draft.pastes.size + 1;
  const placeholder = breaks > 0 ? `[Pasted text #${number} +${breaks} lines]` : `[Pasted text #${number}]`;
  return { text: draft.text + placeholder, pastes: new Map(draft.pastes).set(number, text) };
}

export function withoutLast(draft: Draft): Draft {
  const placeholder = /\[Pasted text #\d+(?: \+\d+ lines)?\]$/.exec(draft.text)?.[0];
  const last = placeholder ?? [...draft.text.slice(-2)].at(-1) ?? "";
  return { ...draft, text: draft.text.slice(0, draft.text.length - last.length) };
}

export function withoutLastLine(draft: Draft): Draft {
  const start = draft.text.lastIndexOf("\n") + 1;
  // On an empty last line only its line break is left to remove.
  return {
    ...draft,
    text: draft.text.slice(0, start === draft.text.length ? Math.max(0, start - 1) : start),
  };
}

export type Entered = { draft: Draft; message: string | null };

export function entered(draft: Draft): Entered {
  if (draft.text.endsWith("\\"))
    return { draft: typed({ ...draft, text: draft.text.slice(0, -1) }, "\n"), message: null };
  const message = wholeText(draft).trim();
  return message === "" ? { draft, message: null } : { draft: emptyDraft, message };
}

function wholeText({ text, pastes }: Draft): string {
  return text.replace(
    /\[Pasted text #(\d+)(?: \+\d+ lines)?\]/g,
    (shown, number) => pastes.get(Number(number)) ?? shown,
  );
}
