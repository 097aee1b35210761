import type { Finding, Level } from "../../doctor/check.js";
import type { Summary } from "../../doctor/examine.js";
import { limits } from "../../limits.js";
import type { Command } from "../command.js";
import { type Colours, shown } from "../output.js";

export const doctor: Command = {
  words: "doctor",
  about: "check the installation, with a fix for each problem",
  options: [{ name: "probe", about: "also start the installed client once, in a temporary home" }],
  examples: ["hivemind doctor", "hivemind doctor --probe", "hivemind doctor --json"],
  notes:
    "Changes nothing. --probe starts the `claude` of your PATH for a few seconds, on its own tmux server and with a\n" +
    "temporary home, and sends it one message through each door. It uses no account and no network: a stand-in on this\n" +
    "machine answers. It leaves nothing behind.\n" +
    "Exit codes: 0 no problems, 1 problems found, 3 nothing could be checked.",
  hasJson: true,
  async run(cli, input) {
    const { checks } = await import("../../doctor/checks.js");
    const { examine, exitCodeOf } = await import("../../doctor/examine.js");
    const { openWorld } = await import("../../doctor/world.js");
    const asked = [...checks];
    if (input.flag("probe")) {
      const { probeCheck } = await import("../../doctor/trial.js");
      asked.push(probeCheck({ interrupted: cli.untilInterrupted(), onProgress: cli.out.progress }));
    }
    const { findings, summary } = await examine(asked, openWorld({ env: cli.env, program: cli.program[1] }));
    if (input.flag("json")) cli.out.json({ findings, summary });
    else cli.out.lines(findingLines(findings, summary, cli.out.colours));
    return exitCodeOf(summary);
  },
};

export function findingLines(findings: readonly Finding[], summary: Summary, colours: Colours): string[] {
  const groups = (Object.keys(headings) as Level[]).flatMap((level) => {
    const own = findings.filter((finding) => finding.level === level);
    return own.length === 0 ? [] : [colours.bold(headings[level]), ...own.flatMap(listed(own, colours)), ""];
  });
  return [...groups, summaryLine(summary)];
}

/** In the order of the report: the most urgent first. */
const headings: Record<Level, string> = {
  problem: "Problems",
  warning: "Warnings",
  info: "Good to know",
  ok: "Fine",
};

/** Prints at most `limits.findingsShown` findings per check, then how many more there are. */
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
