// Strict parsing of tmux's short answers.
//
// An unexpected answer is a failure: no part of it becomes a target, a number or a program.

import { isPaneId, type PaneId } from "../names/gates.js";
import { TmuxError } from "./error.js";

export function unreadable(verb: string): TmuxError {
  return new TmuxError("failed", `tmux ${verb}: unreadable answer`);
}

/** The fields of one line: exactly as many as requested, each in its form. */
export function fieldsOf(line: string, verb: string, forms: readonly RegExp[]): string[] {
  const fields = line.split("\x1f");
  if (fields.length === forms.length && forms.every((form, at) => form.test(fields[at]!))) return fields;
  throw unreadable(verb);
}

/** The id of the pane that a command created. */
export function paneIdOf(printed: string, verb: string): PaneId {
  const id = printed.trim();
  if (isPaneId(id)) return id;
  throw unreadable(verb);
}
