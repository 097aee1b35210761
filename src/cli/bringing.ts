// What the commands that bring a written team to life have in common: which agents are meant, and how it goes.

import { type ExitCode, exitCodes, HiveError } from "../base/errors.js";
import type { Hive } from "../hive.js";
import { type Role, role } from "../names/gates.js";
import type { TeamFile } from "../teamfile/team-file.js";
import type { TeamWorld } from "../teams/world.js";
import { typedTmux } from "../tmux/socket.js";
import type { Mode } from "../up/step.js";
import type { UpOptions } from "../up/up.js";
import { agreedTo } from "./agreement.js";
import type { Cli } from "./cli.js";
import type { Argument, Input, Option } from "./command.js";
import { shown } from "./output.js";
import { troubleCode } from "./problems.js";
import { besideLines, doneLines, planFacts, planLines, summary } from "./show-up.js";
import { teamFileMeant, teamFileOptions } from "./team-file.js";

export const agentsArgument: Argument = {
  name: "agents",
  about: "which of them; else all",
  meaning: "agent of the team file",
  isOptional: true,
  takesRest: true,
};

export const exceptOption: Option = {
  name: "except",
  value: "agents",
  about: "all but these, separated by commas",
  meaning: "agent of the team file",
};

export const bringingOptions: readonly Option[] = [
  exceptOption,
  ...teamFileOptions,
  { name: "allow-broad-cwd", about: "also in / or the home folder" },
];

/** `also` are agents that the file does not have any more, and that may be named all the same. */
export function agentsMeant(file: TeamFile, input: Input, also: readonly Role[] = []): Set<Role> | null {
  const named = (input.arg("agents") ?? "").split(/[\s,]+/).filter(Boolean);
  const except = (input.option("except") ?? "").split(/[\s,]+/).filter(Boolean);
  const known = [...file.agents.map(({ id }) => id), ...also];
  for (const typed of [...named, ...except]) {
    if (known.includes(role(typed))) continue;
    throw new HiveError(`there is no agent "${typed}" in ${shown(file.path)}`, {
      hint: known.length > 0 ? `there are: ${known.join(", ")}` : "hivemind init",
    });
  }
  if (named.length === 0 && except.length === 0) return null;
  const chosen = named.length === 0 ? known : named;
  const left = chosen.filter((id) => !except.includes(id)) as Role[];
  if (left.length === 0)
    throw new HiveError("nobody is left of whom you named", { hint: `there are: ${known.join(", ")}` });
  return new Set(left);
}

interface Brought {
  cli: Cli;
  hive: Hive;
  file: TeamFile;
  only: ReadonlySet<Role>;
  options: UpOptions;
  isJson: boolean;
}

/** Carried out, or with `isDry` only told. */
export async function bring(
  cli: Cli,
  input: Input,
  mode: Mode,
  isDry: boolean,
): Promise<ExitCode | undefined> {
  const file = await teamFileMeant(cli, input);
  const only = agentsMeant(file, input) ?? new Set(file.agents.map(({ id }) => id));
  const hive = await cli.hive();
  const options: UpOptions = {
    mode,
    isFresh: input.flag("fresh"),
    isBroadAllowed: input.flag("allow-broad-cwd"),
    own: hive.ownPane(await hive.panes())?.id ?? null,
  };
  if (mode === "reload" && !isDry) await agreedToRemove(hive.teamWorld(cli.out), file, only, options, input);
  const brought: Brought = { cli, hive, file, only, options, isJson: input.flag("json") };
  return isDry ? showPlan(brought) : carryOut(brought);
}

/** An agent that the file does not have any more was named by nobody. */
async function agreedToRemove(
  world: TeamWorld,
  file: TeamFile,
  only: ReadonlySet<Role>,
  options: UpOptions,
  input: Input,
): Promise<void> {
  if (input.flag("yes")) return;
  const { planNow } = await import("../up/up.js");
  const { steps } = await planNow(world, file, only, options);
  const gone = steps.filter((step) => step.do === "remove").map(({ agent }) => agent);
  const would = gone.length > 0 ? [`end ${gone.join(", ")}, which the file does not have any more`] : [];
  await agreedTo(input, { would, command: ["reload", ...input.words("agents")].join(" ") });
}

async function showPlan({ cli, hive, file, only, options, isJson }: Brought) {
  const { planNow } = await import("../up/up.js");
  const plan = await planNow(hive.teamWorld(cli.out), file, only, options);
  if (isJson) cli.out.json(planFacts(plan));
  else cli.out.lines(planLines(plan, cli.out.colours));
  return troubleCode(plan.steps.filter((step) => step.do === "refuse"));
}

async function carryOut({ cli, hive, file, only, options, isJson }: Brought) {
  const { bringUp } = await import("../up/up.js");
  const { out } = cli;
  const world = hive.teamWorld(out, cli.untilInterrupted());
  const outcome = await hive.whileChanging(file.team, () => bringUp(world, file, only, options));
  const { plan, done, failed, notReached, asking } = outcome;
  const refused = plan.steps.filter((step) => step.do === "refuse");
  if (isJson) out.json({ ...planFacts(plan), done, failed, notReached, asking });
  else {
    out.lines(doneLines(outcome, out.colours));
    for (const line of besideLines(outcome, out.colours)) out.note(line);
    out.print(`${file.team}: ${summary(outcome)}`);
    if (done.some((each) => each.do === "add"))
      out.print(`look at them: ${typedTmux(hive.tmux.server, "attach", "-t", `=${file.team}`)}`);
  }
  if (notReached > 0) out.note("stopped; the same command goes on from here");
  return troubleCode([...refused, ...failed]) ?? (notReached > 0 ? exitCodes.refused : undefined);
}
