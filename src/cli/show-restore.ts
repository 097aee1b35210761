// How plans and outcomes of a restore look: one line an agent, then one a team.

import { counted } from "../base/counted.js";
import type { FailedAgent, StartedAgent } from "../teams/in-turn.js";
import type { RestoreOutcome } from "../teams/restore.js";
import type { AgentStep, TeamPlan } from "../teams/restore-plan.js";
import { type Colours, shown } from "./output.js";

export function planLines(plan: TeamPlan, { bold, dim, yellow }: Colours): string[] {
  const panes = plan.layout.windows.flatMap((window) => window.panes).length;
  const shape = {
    build: `builds ${counted(plan.layout.windows.length, "window")}, ${counted(panes, "pane")}`,
    complete: "adds the panes that are missing",
    there: "its panes are there",
    barred: "something else stands where its agents belong",
  }[plan.shape];
  return [
    `${bold(plan.team)} from ${shown(plan.source)}: ${shape}`,
    ...plan.starts.map(
      ({ saved, role, ...step }) =>
        `  ${role ?? saved}  ${sessionWords(step)} in ${shown(step.cwd)}${step.model === null ? "" : ` with ${shown(step.model)}`}${because(step.remark)}`,
    ),
    ...plan.left.map(({ pane, role, why }) => dim(`  ${role ?? pane}  left alone: ${shown(why)}`)),
    ...plan.refused.flatMap((each) => refusedLines(each, yellow)),
  ];
}

export function startedLines(started: readonly StartedAgent[], { green, yellow }: Colours): string[] {
  return started.flatMap(({ pane, role, uuid, parent, remark, waitsFor }) => {
    const sign = waitsFor === null ? green("✓") : yellow("?");
    const from = parent === null ? "" : `, a fork of ${parent}`;
    const line = `${sign} ${role ?? pane}  ${pane}  ${uuid}${from}${because(remark)}`;
    return waitsFor === null ? [line] : [line, `    ${role ?? pane} ${shown(waitsFor)}`];
  });
}

/** Those that were there before and stand at a question: who was started is told with its start. */
export function askingLines(
  { asking, started }: Pick<RestoreOutcome, "asking" | "started">,
  { yellow }: Colours,
): string[] {
  return asking
    .filter(({ pane }) => !started.some((each) => each.pane === pane))
    .map(({ pane, role, says }) => `${yellow("?")} ${role ?? pane} ${shown(says)}`);
}

export function failedLines(failed: readonly FailedAgent[], { red }: Colours): string[] {
  return failed.flatMap(({ pane, role, why, hint }) => [
    `${red("✗")} ${role ?? pane}  ${pane}: ${shown(why)}`,
    ...(hint === null ? [] : [`    ${shown(hint)}`]),
  ]);
}

/** Those that are not where they were saved. */
export function elsewhereLines(left: RestoreOutcome["left"]): string[] {
  return left
    .filter(({ is }) => is === "elsewhere" || is === "taken")
    .map(({ pane, role, why }) => `  ${role === null ? "" : `${role}  `}${pane}: left alone: ${shown(why)}`);
}

export function refusedLines(
  { pane, role, why, hint }: TeamPlan["refused"][number],
  mark: (text: string) => string,
): string[] {
  const line = `  ${mark("!")} ${role === null ? "" : `${role}  `}${pane}: ${shown(why)}`;
  return hint === null ? [line] : [line, `      ${shown(hint)}`];
}

export function summary({
  team,
  source,
  started,
  failed,
  refused,
  left,
  notReached,
  asking,
}: RestoreOutcome): string {
  const trouble = [
    ...(asking.length > 0 ? [`${asking.length} asking you something`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(refused.length > 0 ? [`${refused.length} not possible`] : []),
    ...(notReached > 0 ? [`${notReached} not reached`] : []),
  ];
  const agents = left.filter(({ is }) => is !== "shell").length;
  const words = [`${counted(started.length, "agent")} started`, `${agents} left alone`, ...trouble];
  return `${team} from ${shown(source)}: ${words.join(", ")}`;
}

function sessionWords({ session }: Pick<AgentStep, "session">): string {
  if (session.how === "fork") return `${session.id}, a fork of ${session.parent},`;
  return session.how === "resume" ? session.id : `${session.id}, new,`;
}

function because(remark: string | null): string {
  return remark === null ? "" : ` (${shown(remark)})`;
}
