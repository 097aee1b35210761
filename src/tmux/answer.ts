// What tmux answers to a small question, read strictly.
//
// [TAN1] An answer that is not what was asked for is a failure: nothing of it becomes a target, a number or a program.

import { isPaneId, type PaneId } from "../names/gates.js";
import { TmuxError } from "./error.js";

export function unreadable(verb: string): TmuxError {
  return new TmuxError("failed", `tmux ${verb}: an answer that cannot be read`);
}

/** The fields of one line, as many as were asked for, each of its form. */
export function fieldsOf(line: string, verb: string, forms: readonly RegExp[]): string[] {
  const fields = line.split("\x1f");
  if (fields.length === forms.length && forms.every((form, at) => form.test(fields[at]!))) return fields;
  throw unreadable(verb);
}

/** Of the pane that a command made. */
export function paneIdOf(printed: string, verb: string): PaneId {
  const id = printed.trim();
  if (isPaneId(id)) return id;
  throw unreadable(verb);
}
