// The error for a session of another workspace: it exists, but is not shown, resumed or written to from here.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import type { Workspace } from "./workspace.js";

export class WorkspaceMismatch extends HiveError {
  override name = "WorkspaceMismatch";
  /** The workspace of the command. */
  readonly expected: Workspace;
  /** The workspace of the session; null if its records name none. */
  readonly actual: Workspace | null;

  constructor(
    what: string,
    { expected, actual, hint }: { expected: Workspace; actual: Workspace | null; hint?: string },
  ) {
    super(`${what} belongs to ${nameOf(actual)}, and this is ${nameOf(expected)}`, {
      hint: hint ?? "sessions of other folders cannot be used from here: go to that folder, or use --all",
    });
    this.expected = expected;
    this.actual = actual;
  }
}

function nameOf(workspace: Workspace | null): string {
  if (workspace === null) return "no folder in its records";
  return `${harmless(workspace.path)} (fingerprint ${workspace.fingerprint})`;
}
