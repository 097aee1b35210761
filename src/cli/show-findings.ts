// The doctor's findings on a terminal. Pure: an examination in, lines out.

import type { Finding, Level } from "../doctor/check.js";
import type { Summary } from "../doctor/examine.js";
import { limits } from "../limits.js";
import { type Colours, shown } from "./output.js";

export function findingLines(findings: readonly Finding[], summary: Summary, colours: Colours): string[] {
  const groups = (Object.keys(headings) as Level[]).flatMap((level) => {
    const own = findings.filter((finding) => finding.level === level);
    return own.length === 0 ? [] : [colours.bold(headings[level]), ...own.flatMap(listed(own, colours)), ""];
  });
  return [...groups, summaryLine(summary)];
}

/** In the order they are shown: what must be mended first. */
const headings: Record<Level, string> = {
  problem: "Problems",
  warning: "Warnings",
  info: "Good to know",
  ok: "Fine",
};

/** A check that found very much says how much more. */
function listed(own: readonly Finding[], colours: Colours): (finding: Finding) => string[] {
  const counts = new Map<string, number>();
  return (finding) => {
    const count = (counts.get(finding.check) ?? 0) + 1;
    counts.set(finding.check, count);
    if (count <= limits.findingsShown) return lines(finding, colours);
    const all = own.filter(({ check }) => check === finding.check).length;
    return count === all
      ? [colours.dim(`    and ${all - limits.findingsShown} more of this kind: --json`)]
      : [];
  };
}

function lines({ level, message, fix }: Finding, colours: Colours): string[] {
  const marks: Record<Level, string> = {
    problem: colours.red("✗"),
    warning: colours.yellow("!"),
    info: colours.dim("·"),
    ok: colours.green("✓"),
  };
  return [
    `  ${marks[level]} ${shown(message)}`,
    ...(fix === null ? [] : [`      ${colours.cyan(shown(fix))}`]),
  ];
}

function summaryLine({ problem, warning, checks, couldNotLook }: Summary): string {
  const counted = (count: number, noun: string) =>
    `${count === 0 ? "no" : count} ${noun}${count === 1 ? "" : "s"}`;
  const blind = couldNotLook === 0 ? "" : `, ${couldNotLook} could not look`;
  return `${counted(problem, "problem")}, ${counted(warning, "warning")} (${counted(checks, "check")}${blind})`;
}
