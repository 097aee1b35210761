// What is wrong, why it matters, and what a repair does, in words. Pure.

import { shortId } from "../../src/names/short-id.js";
import type { diffRow } from "../../src/reconcile/audit.js";
import type { Severity } from "../../src/reconcile/violation.js";

export type Finding = ReturnType<typeof diffRow>;

/** A session without a transcript. */
export interface BrokenSession {
  pane: string;
  uuid: string;
  /** A repair drops it, because it cannot come back. */
  isDropped: boolean;
}

/** `GET /consistency/audit` */
export interface Audit {
  summary: Readonly<Record<Severity | "total", number>>;
  violations: readonly Finding[];
  broken: readonly BrokenSession[];
}

/** `GET /consistency/reconcile`, and `POST /consistency/fix` with what was done. */
export interface Repaired extends Omit<Audit, "broken"> {
  repaired: readonly Finding[];
  moved: readonly Readonly<Record<string, unknown>>[];
  dropped: readonly Pick<BrokenSession, "pane" | "uuid">[];
  skipped: readonly { team: string; why: string }[];
}

/** What must hold, and what a person can do where hivemind cannot repair. */
const rules: Readonly<Record<string, { wrong: string; advice?: string }>> = {
  I1: { wrong: "A pane is stored with an agent that is not there" },
  I2: { wrong: "A pane is stored with another session than the one that runs in it" },
  I3: {
    wrong: "A team is stored that neither runs nor can be restored",
    advice: "start a tmux session and mount missing folders; or forget it: hivemind team remove TEAM",
  },
  I4: { wrong: "The viewer has a window of a team that is not stored" },
  I5: {
    wrong: "The newest snapshot has a session without a transcript",
    advice: "save again: hivemind save",
  },
  I6: {
    wrong: "Messages are queued for an agent that does not exist",
    advice: "read the file, send the messages again, then remove it",
  },
  I7: {
    wrong: "A window of the viewer shows another team than its name says",
    advice: "hivemind monitor verify, then hivemind monitor sync",
  },
  I8: { wrong: "An agent runs, but its pane is not stored" },
  I9: {
    wrong: "The title of a pane does not have its agent's role",
    advice: "set the title: hivemind agent rename PANE ROLE",
  },
  I10: {
    wrong: "A session is stored for no pane, or for two",
    advice: "if two panes have it, end one of them",
  },
};

export function wrongWords({ invariant }: Pick<Finding, "invariant">): string {
  return rules[invariant]?.wrong ?? `The rule ${invariant} does not hold`;
}

/** `is “tester”, should be “writer”` */
export function differenceWords({ expected, actual }: Pick<Finding, "expected" | "actual">): string {
  if (expected === null) return actual ?? "";
  return actual === null ? `should be “${expected}”` : `is “${actual}”, should be “${expected}”`;
}

/** What a repair does; null if only a person can. */
export function repairWords({ op, key, expected, store }: Finding): string | null {
  switch (op) {
    case "add":
      return `store ${key}${expected === null ? "" : ` as “${expected}”`}`;
    case "update":
      return `correct ${key}${expected === null ? "" : ` to “${expected}”`}`;
    case "remove":
      return store === "S6" ? `put the messages of ${key} aside` : `remove ${key}`;
    case "report":
      return null;
  }
}

export function adviceWords({ invariant, op }: Pick<Finding, "invariant" | "op">): string | null {
  return op === "report" ? (rules[invariant]?.advice ?? null) : null;
}

/** The steps of a repair, in words, in the order in which they are made. */
export function planLines(
  { violations }: Pick<Repaired, "violations">,
  broken: readonly BrokenSession[],
): string[] {
  return [
    ...violations.flatMap((finding) => repairWords(finding) ?? []),
    ...broken
      .filter(({ isDropped }) => isDropped)
      .map(({ pane, uuid }) => `drop the session ${shortId(uuid)} of ${pane}: it has no transcript`),
  ];
}

/** What a repair did. */
export function doneLines({ repaired, moved, dropped, skipped }: Repaired): string[] {
  return [
    ...moved.map(({ name }) => `followed: ${String(name)}`),
    ...repaired.flatMap((finding) => repairWords(finding) ?? []),
    ...dropped.map(({ pane, uuid }) => `dropped the session ${shortId(uuid)} of ${pane}`),
    ...skipped.map(({ team, why }) => `left ${team} alone: ${why}`),
  ];
}
