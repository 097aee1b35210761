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
  const all = new Map<string, number>();
  for (const { check } of own) all.set(check, (all.get(check) ?? 0) + 1);
  const left = new Map(all);
  return (finding) => {
    const { check } = finding;
    const behind = left.get(check)! - 1;
    left.set(check, behind);
    const more = all.get(check)! - limits.findingsShown;
    if (behind >= more) return lines(finding, colours);
    return behind === 0 ? [colours.dim(`    and ${more} more of this kind: --json`)] : [];
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
