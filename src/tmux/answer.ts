// Strict parsing of tmux's short answers.
//
// An unexpected answer is a failure: no part of it becomes a target, a number or a program.

import { randomHex } from "../base/random.js";
import { isPaneId, type PaneId } from "../names/gates.js";
import { TmuxError } from "./error.js";

/**
 * Separates the parts of one answer. Random, so that no text in a pane can imitate it. Printable: tmux 3.4 to 3.5a print
 * a control character of a format as `\037`.
 */
export function newMark(): string {
  return `hm-${randomHex(8)}`;
}

export function unreadable(verb: string): TmuxError {
  return new TmuxError("failed", `tmux ${verb}: unreadable answer`);
}

/** The fields of one line: exactly as many as requested, each in its form. */
export function fieldsOf(line: string, mark: string, verb: string, forms: readonly RegExp[]): string[] {
  const fields = line.split(mark);
  if (fields.length === forms.length && forms.every((form, at) => form.test(fields[at]!))) return fields;
  throw unreadable(verb);
}

/** The id of the pane that a command created. */
export function paneIdOf(printed: string, verb: string): PaneId {
  const id = printed.trim();
  if (isPaneId(id)) return id;
  throw unreadable(verb);
}
