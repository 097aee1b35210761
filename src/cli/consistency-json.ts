// Violations and repairs for programs.

import type { Repaired } from "../reconcile/apply.js";
import { diffRow, summaryOf } from "../reconcile/audit.js";
import type { Look } from "../reconcile/look.js";
import type { Violation } from "../reconcile/violation.js";

export function auditJson(violations: readonly Violation[]) {
  return { summary: summaryOf(violations), violations: violations.map(diffRow) };
}

/** Sessions whose transcript is nowhere; `isDropped`: by fix, because nothing can bring them back. */
export function brokenJson({ broken, spared }: Pick<Look, "broken" | "spared">) {
  const row = (isDropped: boolean) => (each: Look["broken"][number]) => ({ ...each, isDropped });
  return [...broken.map(row(true)), ...spared.map(row(false))];
}

/** What is wrong afterwards, in the audit's form, and what was done. */
export function repairedJson({ after, repaired, moved, dropped, skipped }: Repaired) {
  return { ...auditJson(after.violations), repaired: repaired.map(diffRow), moved, dropped, skipped };
}

/** The same of a look after which nothing was done. */
export function undoneJson(look: Look) {
  return repairedJson({ after: look, repaired: [], moved: [], dropped: [], skipped: [] });
}
