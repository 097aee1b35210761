// Formats plans and results of a restore: one line per agent, then one per team.

import { counted } from "../../base/text/counted.js";
import { startedKinds } from "../../names/kind.js";
import { shortId } from "../../names/short-id.js";
import type { RestoreOutcome } from "../../teams/snapshot/restore.js";
import type { AgentStep, TeamPlan } from "../../teams/snapshot/restore-plan.js";
import type { FailedAgent, StartedAgent } from "../../teams/start/in-turn.js";
import { type Colours, shown } from "../output.js";

export function planLines(plan: TeamPlan, { bold, dim, yellow }: Colours): string[] {
  const panes = plan.layout.windows.flatMap((window) => window.panes).length;
  const shape = {
    build: `builds ${counted(plan.layout.windows.length, "window")}, ${counted(panes, "pane")}`,
    complete: "adds the panes that are missing",
    there: "its panes exist",
  }[plan.shape];
  return [
    `${bold(plan.team)} from ${shown(plan.source)}: ${shape}`,
    ...plan.starts.map(
      ({ saved, role, ...step }) =>
        `  ${role ?? saved}  ${sessionWords(step)} in ${shown(step.cwd)}${step.model === null ? "" : ` with ${shown(step.model)}`}${kindWord(step)}${because(step.remark)}`,
    ),
    ...plan.left.map(({ pane, role, why }) => dim(`  ${role ?? pane}  skipped: ${shown(why)}`)),
    ...plan.refused.flatMap((each) => refusedLines(each, yellow)),
  ];
}

/** Every kind but the default one is named. */
function kindWord({ kind }: Pick<AgentStep, "kind">): string {
  return kind === startedKinds[0] ? "" : ` (${kind})`;
}

export function startedLines(started: readonly StartedAgent[], { green, yellow }: Colours): string[] {
  return started.flatMap(({ pane, role, uuid, parent, remark, waitsFor }) => {
    const sign = waitsFor === null ? green("✓") : yellow("?");
    const from = parent === null ? "" : `, a fork of ${shortId(parent)}`;
    const line = `${sign} ${role ?? pane}  ${pane}  ${shortId(uuid)}${from}${because(remark)}`;
    return waitsFor === null ? [line] : [line, `    ${role ?? pane} ${shown(waitsFor)}`];
  });
}

/** Agents that ran before and ask something. Agents that were just started have it on their own line. */
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

/** Agents that run elsewhere, or whose pane is taken. */
export function elsewhereLines(left: RestoreOutcome["left"]): string[] {
  return left
    .filter(({ is }) => is === "elsewhere" || is === "taken")
    .map(({ pane, role, why }) => `  ${role === null ? "" : `${role}  `}${pane}: skipped: ${shown(why)}`);
}

export function refusedLines(
  { pane, role, why, hint }: TeamPlan["refused"][number],
  mark: (text: string) => string,
): string[] {
  const line = `  ${mark("!")} ${role === null ? "" : `${role}  `}${pane}: ${shown(why)}`;
  return hint === null ? [line] : [line, `      ${shown(hint)}`];
}

export function summary(outcome: RestoreOutcome): string {
  const { team, source, started, failed, refused, left, notReached, asking } = outcome;
  const words = [
    `${counted(started.length, "agent")} started`,
    `${left.filter(({ is }) => is !== "shell").length} skipped`,
    ...ifAny(asking.length, "asking you something"),
    ...ifAny(failed.length, "failed"),
    ...ifAny(refused.length, "not possible"),
    ...ifAny(notReached, "not reached"),
  ];
  return `${team} from ${shown(source)}: ${words.join(", ")}`;
}

/** One part of a summary; empty for a count of 0. */
export function ifAny(count: number, what: string): string[] {
  return count > 0 ? [`${count} ${what}`] : [];
}

function sessionWords({ session }: Pick<AgentStep, "session">): string {
  if (session.how === "fork") return `${session.id}, a fork of ${session.parent},`;
  return session.how === "resume" ? session.id : `${session.id}, new,`;
}

function because(remark: string | null): string {
  return remark === null ? "" : ` (${shown(remark)})`;
}
