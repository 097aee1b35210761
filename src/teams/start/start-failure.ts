// Why an agent did not start: a message for people, and facts for callers that start many.

import { HiveError } from "../../base/errors.js";
import type { PaneId, Role, SessionId } from "../../names/gates.js";

export type StartReason = "gone" | "ended" | "silent" | "other-session";

export interface StartFacts {
  /** The text on its screen. */
  words: readonly string[];
  status?: number | null;
  /** The session it reports instead. */
  found?: SessionId;
}

export class StartFailure extends HiveError {
  override name = "StartFailure";
  readonly reason: StartReason;
  readonly words: readonly string[];
  /** Its process still runs. */
  readonly isRunning: boolean;

  constructor(reason: StartReason, start: { pane: PaneId; role: Role | null }, facts: StartFacts) {
    const who = start.role ?? start.pane;
    super(`${who} ${whatHappened(reason, facts)}${quoted(facts.words)}`, hintOf(reason, start.pane));
    this.reason = reason;
    this.words = facts.words;
    this.isRunning = reason === "silent" || reason === "other-session";
  }
}

function whatHappened(reason: StartReason, { status, found }: StartFacts): string {
  switch (reason) {
    case "gone":
      return "did not start: its pane is gone";
    case "ended":
      return `did not start: it ended${status === null || status === undefined ? "" : ` with status ${status}`}`;
    case "silent":
      return "does not report its session";
    case "other-session":
      return `is in another session than requested: ${found}`;
  }
}

function quoted(words: readonly string[]): string {
  return words.length === 0 ? "" : `: ${words.join(" / ")}`;
}

function hintOf(reason: StartReason, pane: PaneId): { hint?: string } {
  const isThere = reason === "silent" || reason === "other-session";
  return isThere ? { hint: `it still runs; look at it: hivemind agent monitor ${pane}` } : {};
}
