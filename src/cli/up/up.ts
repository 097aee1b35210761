// The commands that run the team of a team file.

import { type ExitCode, exitCodes, HiveError } from "../../base/errors.js";
import type { Panes } from "../../fleet/panes.js";
import { type Role, role } from "../../names/gates.js";
import type { TeamFile } from "../../teamfile/team-file.js";
import { typedTmux } from "../../tmux/socket.js";
import type { Plan } from "../../up/plan.js";
import type { Deed, Mode, Step } from "../../up/step.js";
import { confirmOrRefuse } from "../ask.js";
import { type Argument, type Cli, type Command, dryRunOption, type Input, type Option } from "../command.js";
import { shown } from "../output.js";
import { troubleCode } from "../problems.js";
import { watcherBack } from "../watch/bring-back.js";
import { currentWorkspace } from "../workspace.js";
import { besideLines, doneLines, planFacts, planLines, summary } from "./show-up.js";

export const agentsArgument: Argument = {
  name: "agents",
  about: "only these agents (default: all)",
  meaning: "agent of the team file",
  isOptional: true,
  takesRest: true,
};

export const exceptOption: Option = {
  name: "except",
  value: "agents",
  about: "all agents except these, separated by commas",
  meaning: "agent of the team file",
};

export const teamFileOptions: readonly Option[] = [
  {
    name: "file",
    value: "path",
    about: "the team file or its folder (default: the nearest one above)",
    meaning: "path",
  },
  { name: "project", value: "name", about: "which project, if a teamctl file has several" },
];

const runOptions: readonly Option[] = [
  exceptOption,
  ...teamFileOptions,
  { name: "allow-broad-cwd", about: "allow / and the home folder as work folders" },
];

export const up: Command = {
  words: "up",
  about: "start the team of hivemind.yaml",
  args: [agentsArgument],
  options: [
    ...runOptions,
    {
      name: "fresh",
      about: "start new conversations: the old ones become .bak, running agents are restarted",
    },
    dryRunOption,
  ],
  examples: [
    "hivemind up",
    "hivemind up lead tester",
    "hivemind up --except tester",
    "hivemind up lead --fresh",
    "hivemind up --dry-run",
  ],
  notes:
    "Starts the agents that do not run, in the order of the file. Ends none, except with --fresh. Each agent continues its own\n" +
    "conversation (its id is derived from its name), or the one it switched to with /clear or /branch. Differences from\n" +
    "the file are reported; `hivemind reload` applies them. After Ctrl-C run the same command again to continue.\n" +
    "Exit codes: 1 an agent could not start, 3 tmux or a file could not be read. Each such agent is named.",
  hasJson: true,
  run: (cli, input) => runTeamFile(cli, input, "up", input.flag("dry-run")),
};

export const reload: Command = {
  words: "reload",
  about: "apply changes in hivemind.yaml to the running team",
  args: [agentsArgument],
  options: [...runOptions, dryRunOption],
  asks: "ends agents that are no longer in the file",
  examples: ["hivemind reload", "hivemind reload lead", "hivemind reload --dry-run"],
  notes:
    "Restarts, in its conversation, each agent whose model, permission mode, arguments, environment, folder or kind\n" +
    "changed. Starts new and ended agents. Ends agents that this project started and the file no longer has.\n" +
    "A changed role prompt restarts no agent: it takes effect in a new conversation (hivemind up NAME --fresh).",
  hasJson: true,
  run: (cli, input) => runTeamFile(cli, input, "reload", input.flag("dry-run")),
};

export const plan: Command = {
  words: "plan",
  about: "show what `hivemind reload` would do, and why",
  args: [agentsArgument],
  options: runOptions,
  examples: ["hivemind plan", "hivemind plan lead", "hivemind plan --json"],
  notes:
    "`hivemind up` does the same except changes and removals.\n" +
    "Exit codes: 1 an agent cannot start, 3 tmux or a file could not be read.",
  hasJson: true,
  run: (cli, input) => runTeamFile(cli, input, "reload", true),
};

/** `also`: agents that are no longer in the file but may still be named. */
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
    throw new HiveError("no agents left after --except", { hint: `there are: ${known.join(", ")}` });
  return new Set(left);
}

/** Runs the plan, or with `isDry` only prints it. */
async function runTeamFile(
  cli: Cli,
  input: Input,
  mode: Mode,
  isDry: boolean,
): Promise<ExitCode | undefined> {
  const { out } = cli;
  const file = await teamFileMeant(cli, input);
  const only = agentsMeant(file, input) ?? new Set(file.agents.map(({ id }) => id));
  const hive = await cli.hive();
  const { bringUp, planNow } = await import("../../up/up.js");
  const options = {
    mode,
    isFresh: input.flag("fresh"),
    isBroadAllowed: input.flag("allow-broad-cwd"),
    ownPane: hive.ownPane,
    // A script that starts teams at boot has no person, but its user wrote the file. An agent may have written it too.
    checkOpening: (agents: readonly Role[], panes: Panes) => {
      if (hive.decider(panes).kind !== "agent") return;
      throw new HiveError(
        `refused: only a person may open ${agents.join(", ")} to other agents (inbound: accept), and an agent runs this`,
        { hint: "type it in your own shell" },
      );
    },
  };
  const planned = () => planNow(hive.teamWorld(out), file, only, options);
  if (isDry) return showPlan(cli, await planned(), input.flag("json"));
  if (mode === "reload" && !input.flag("yes")) {
    // An agent that is no longer in the file was not named by the user.
    const gone = stepsOf(await planned(), "remove").map(({ agent }) => agent);
    const would = gone.length > 0 ? [`end ${gone.join(", ")} (no longer in the file)`] : [];
    await confirmOrRefuse(input, { would, command: ["reload", ...input.words("agents")].join(" ") });
  }
  const world = hive.teamWorld(out, cli.untilInterrupted());
  const outcome = await hive.whileChanging(file.team, () => bringUp(world, file, only, options));
  const { plan, done, failed, notReached, asking } = outcome;
  const isJson = input.flag("json");
  if (!isJson) {
    out.lines(doneLines(outcome, out.colours));
    for (const line of besideLines(outcome, out.colours)) out.note(line);
    out.print(`${file.team}: ${summary(outcome)}`);
    if (done.some((each) => each.do === "add"))
      out.print(`look at it: ${typedTmux(hive.tmux.server, "attach", "-t", `=${file.team}`)}`);
  }
  const watcher = await watcherBack(cli, {
    isJson,
    hasHint: notReached === 0 && done.some((each) => each.do === "add"),
  });
  if (isJson) out.json({ ...planFacts(plan), done, failed, notReached, asking, watcher });
  if (notReached > 0) out.note("interrupted; run the same command again to continue");
  const trouble = troubleCode([...stepsOf(plan, "refuse"), ...failed]);
  return trouble ?? (notReached > 0 ? exitCodes.refused : undefined);
}

function showPlan({ out }: Cli, plan: Plan, isJson: boolean): ExitCode | undefined {
  if (isJson) out.json(planFacts(plan));
  else out.lines(planLines(plan, out.colours));
  return troubleCode(stepsOf(plan, "refuse"));
}

function stepsOf({ steps }: Plan, deed: Deed): Step[] {
  return steps.filter((step) => step.do === deed);
}

/** Loads the team file. Prints every problem, one per line, and every unused key. */
export async function teamFileMeant(cli: Cli, input: Input): Promise<TeamFile> {
  const { loadTeamFile, TeamFileError } = await import("../../teamfile/load-team-file.js");
  const [file, project] = [input.option("file"), input.option("project")];
  try {
    const team = loadTeamFile({ from: currentWorkspace().path, env: cli.env, file, project });
    for (const note of team.notes) cli.out.note(`hivemind: ${shown(note)}`);
    return team;
  } catch (error) {
    if (!(error instanceof TeamFileError)) throw error;
    for (const line of error.lines) cli.out.note(shown(line));
    const { count } = error;
    throw new HiveError(
      `the team file has ${count === 1 ? "a problem" : `${count} problems`}; nothing was done`,
      { hint: "list the allowed keys: hivemind init --keys" },
    );
  }
}
