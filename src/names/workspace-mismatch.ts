// A session of another workspace: it is there, and it is not shown, resumed or written to from here.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { Workspace } from "./workspace.js";

export class WorkspaceMismatch extends HiveError {
  override name = "WorkspaceMismatch";
  /** The workspace that was asked in. */
  readonly expected: Workspace;
  /** The one it belongs to; null where its records name none. */
  readonly actual: Workspace | null;

  constructor(
    what: string,
    { expected, actual, hint }: { expected: Workspace; actual: Workspace | null; hint?: string },
  ) {
    super(`${what} belongs to ${nameOf(actual)}, and this is ${nameOf(expected)}`, {
      hint: hint ?? "sessions of other folders are left alone from here: go there, or say --all",
    });
    this.expected = expected;
    this.actual = actual;
  }
}

function nameOf(workspace: Workspace | null): string {
  if (workspace === null) return "no folder that its records name";
  return `${harmless(workspace.path)} (fingerprint ${workspace.fingerprint})`;
}
