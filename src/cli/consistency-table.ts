// Violations and what to do about them on a terminal. Pure: a look in, lines out.

import { shellWord } from "../base/shell-word.js";
import { textTable } from "../base/table.js";
import { diffRow, summaryOf } from "../reconcile/audit.js";
import { invariants } from "../reconcile/invariants.js";
import type { Look } from "../reconcile/look.js";
import { type Severity, severities, type Violation } from "../reconcile/violation.js";
import { unnamedLines } from "./naming.js";
import { type Colours, shown } from "./output.js";

export function violationLines(violations: readonly Violation[], colours: Colours): string[] {
  if (violations.length === 0) return ["nothing is wrong"];
  const heading = ["SEVERITY", "INVARIANT", "STORE", "OP", "KEY", "EXPECTED", "ACTUAL"];
  const rows = violations.map((each) => Object.values(diffRow(each)).map(shown));
  const [head, ...lines] = textTable([heading, ...rows]);
  return [
    colours.bold(head!),
    ...lines.map((line, at) => paint(colours, violations[at]!.severity)(line)),
    "",
    ...statements(violations, colours),
    `${violations.length} wrong: ${counted(violations)}`,
  ];
}

/** `1 critical, 2 low`. */
export function counted(violations: readonly Violation[]): string {
  const summary = summaryOf(violations);
  return severities
    .filter((each) => summary[each] > 0)
    .map((each) => `${summary[each]} ${each}`)
    .join(", ");
}

/** Sessions whose transcript is nowhere, as a refresh counts them. */
export function brokenLines({ broken, spared }: Pick<Look, "broken" | "spared">): string[] {
  return [
    ...broken.map(({ pane, uuid }) => `broken: ${shown(pane)} has ${uuid}, whose transcript is nowhere`),
    ...spared.map(
      ({ pane, uuid }) =>
        `broken: ${shown(pane)} has ${uuid}, whose transcript was not found; it may come back`,
    ),
  ];
}

/** What is no violation and still worth a word, with what to type. */
export function informationLines({ facts, hidden }: Look, self: string): string[] {
  const { fleet, stored, refresh, moves, astray, unsearched } = facts;
  const lines = unnamedLines(self, fleet, stored, refresh.unnamed);
  if (moves.length > 0) {
    lines.push("panes moved since the stores were written, and are shown where they are now");
    lines.push(`  ${self} registry refresh`);
  } else if (astray.size > 0) {
    lines.push("messages were queued while their panes moved, and are shown where these are now");
    lines.push(`  ${self} registry refresh`);
  }
  if (hidden.length > 0) {
    const which = hidden.map(({ pane }) => shown(pane)).join(", ");
    lines.push(`no transcript was found for ${which}: it may lie where nobody could look`);
    lines.push(
      ...unsearched.map((path) => `  if no conversation ever was there: mkdir -p ${shown(shellWord(path))}`),
    );
  }
  return lines;
}

/** What each of them means, and what a person can do where nothing else can. */
function statements(violations: readonly Violation[], colours: Colours): string[] {
  return invariants.flatMap(({ id, statement, advice }) => {
    const own = violations.filter(({ invariant }) => invariant === id);
    if (own.length === 0) return [];
    const isReported = advice !== null && own.some(({ op }) => op === "report");
    return [colours.dim(`${id}: ${statement}`), ...(isReported ? [`    ${colours.cyan(advice)}`] : [])];
  });
}

function paint(colours: Colours, severity: Severity): (line: string) => string {
  const by = { critical: colours.red, high: colours.red, medium: colours.yellow, low: colours.dim };
  return by[severity];
}
