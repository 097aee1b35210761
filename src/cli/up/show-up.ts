// Formats plans and results of a team file: one line per agent, remarks below it.

import { shellWord } from "../../base/text/shell-word.js";
import type { WantedAgent } from "../../teamfile/team-file.js";
import type { Plan } from "../../up/plan.js";
import type { Deed, Step } from "../../up/step.js";
import type { Failed, UpOutcome } from "../../up/up.js";
import { type Colours, shown } from "../output.js";
import { ifAny } from "../save/show-restore.js";

export function planLines(plan: Plan, colours: Colours): string[] {
  const { bold, dim } = colours;
  const isNothing = plan.steps.every((step) => step.do === "keep");
  return [
    `${bold(plan.team)} from ${shown(plan.file)}${plan.isThere ? "" : ": a new tmux session"}`,
    ...plan.steps.flatMap((step) => stepLines(step, colours)),
    ...plan.remarks.map((remark) => dim(`  ${shown(remark)}`)),
    ...(isNothing ? ["  everything runs as the file says"] : []),
  ];
}

export function doneLines(
  { done, asking }: Pick<UpOutcome, "done" | "asking">,
  { green, yellow, dim }: Colours,
): string[] {
  return done.flatMap(({ do: deed, agent, address, session, parent, why, remarks }) => {
    const sign = asking.some(({ role }) => role === agent) ? yellow("?") : green("✓");
    const place = deed === "remove" ? "" : `  ${shown(address)}`;
    const which = session === null ? "" : `  ${session}`;
    const from = parent === null ? "" : `, a fork of ${parent}`;
    const line = `${sign} ${deeds[deed].past} ${agent}${place}${which}${from}  ${dim(`(${shown(why)})`)}`;
    return [line, ...remarks.map((remark) => `    ${shown(remark)}`)];
  });
}

/** Remarks, refusals, failures and questions, printed besides what was done. */
export function besideLines({ plan, failed, asking }: UpOutcome, { yellow, red }: Colours): string[] {
  const kept = plan.steps.filter((step) => step.do === "keep");
  const refused = plan.steps.filter((step) => step.do === "refuse");
  return [
    ...kept.flatMap(({ agent, remarks }) => remarks.map((remark) => `${agent}: ${shown(remark)}`)),
    ...plan.remarks.map(shown),
    ...refused.flatMap((step) => troubleLines(step, yellow("!"))),
    ...failed.flatMap((each) => troubleLines(each, red("✗"))),
    ...asking.map(({ role, pane, says }) => `${yellow("?")} ${role ?? pane} ${shown(says)}`),
  ];
}

export function summary({ plan, done, failed, notReached, asking }: UpOutcome): string {
  const doing = (deed: Deed) => done.filter((each) => each.do === deed).length;
  const planned = (deed: Deed) => plan.steps.filter((step) => step.do === deed).length;
  const changed = (["add", "heal", "adopt", "change", "remove"] as const).flatMap((deed) =>
    ifAny(doing(deed), deeds[deed].past),
  );
  const open = [
    ...ifAny(planned("refuse"), "not possible"),
    ...ifAny(failed.length, "failed"),
    ...ifAny(notReached, "not reached"),
    ...ifAny(asking.length, "asking you something"),
  ];
  if (changed.length + open.length === 0) return "everything runs as the file says";
  return [...changed, ...ifAny(planned("keep"), "unchanged"), ...open].join(", ");
}

function troubleLines({ agent, why, hint }: Pick<Failed, "agent" | "why" | "hint">, sign: string): string[] {
  return [`${sign} ${agent}: ${shown(why)}`, ...(hint === null ? [] : [`    ${shown(hint)}`])];
}

/** As JSON. */
export function planFacts({ project, team, file, isThere, steps, remarks }: Plan) {
  return {
    ...{ project, team, file, isRunning: isThere },
    steps: steps.map(({ do: deed, agent, pane, address, session, why, remarks: own, hint, start }) => ({
      ...{ do: deed, agent, pane: address, paneId: pane, session, why, remarks: own, hint },
      how: start?.session?.how ?? null,
      cwd: start?.cwd ?? null,
      kind: start?.wanted.agent.kind ?? null,
      model: start?.wanted.agent.model ?? null,
      worktree: start?.worktree?.path ?? null,
      args: start?.wanted.agent.args ?? null,
      // Values may be secrets.
      env: start === null ? null : envNames(start.wanted.agent),
    })),
    remarks,
  };
}

function stepLines(step: Step, colours: Colours): string[] {
  const { agent, address, why, remarks, hint, start } = step;
  const { sign, colour } = deeds[step.do];
  const place = address === null ? "" : ` in ${shown(address)}`;
  const begins =
    start === null ? "" : ` (${[start.cwd, start.wanted.agent.model ?? []].flat().map(shown).join(", ")})`;
  const which = step.session === null || step.do === "refuse" ? "" : `  ${step.session}`;
  return [
    colours[colour](`  ${sign} ${step.do} ${agent}${place}: ${shown(why)}${begins}${which}`),
    ...(start?.worktree && start.worktree.is !== "there"
      ? [`      creates the worktree ${shown(start.worktree.path)}`]
      : []),
    ...(start === null ? [] : launchLines(start.wanted.agent)),
    ...remarks.map((remark) => `      ${shown(remark)}`),
    ...(hint === null ? [] : [`      ${shown(hint)}`]),
  ];
}

/** The arguments and environment that the file adds. Only the names of variables: values may be secrets. */
function launchLines(agent: WantedAgent): string[] {
  const names = envNames(agent);
  return [
    ...(agent.args.length > 0
      ? [`      with the arguments ${shown(agent.args.map(shellWord).join(" "))}`]
      : []),
    ...(names.length > 0 ? [`      with ${shown(names.join(", "))} in its environment`] : []),
  ];
}

function envNames({ env }: WantedAgent): string[] {
  return Object.keys(env).sort();
}

/** How each step is shown in a plan, and once it is done. */
const deeds = {
  add: { sign: "+", colour: "green", past: "started" },
  heal: { sign: "+", colour: "green", past: "healed" },
  change: { sign: "~", colour: "yellow", past: "restarted" },
  remove: { sign: "-", colour: "red", past: "removed" },
  adopt: { sign: "*", colour: "green", past: "adopted" },
  keep: { sign: "=", colour: "dim", past: "kept" },
  refuse: { sign: "!", colour: "yellow", past: "refused" },
} as const satisfies Record<Deed, object>;
