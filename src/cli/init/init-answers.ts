// The team that `init` writes: from options, from a few questions, or from a running team.

import { HiveError } from "../../base/errors.js";
import { projectId, teamName } from "../../names/gates.js";
import { projectOf } from "../../teamfile/agent-place.js";
import * as first from "../../teamfile/first-team.js";
import { runningTeam } from "../../teamfile/running-team.js";
import type { WrittenTeam } from "../../teamfile/write-team-file.js";
import { type Ask, asking } from "../ask.js";
import type { Cli, Input } from "../command.js";
import { shown } from "../output.js";

/** Null if the person pressed Ctrl-C or Ctrl-D at a question. */
export async function wantedTeam(cli: Cli, input: Input, folder: string): Promise<WrittenTeam | null> {
  const from = input.option("from");
  if (from !== undefined) return fromRunning(cli, input, folder, from);
  const given = (name: string) => input.option(name) ?? null;
  const answers: first.Answers = {
    project: given("project") ?? first.projectFor(folder),
    session: given("session"),
    agents: given("agents") ?? first.firstAgents,
    model: given("model"),
    kind: given("kind"),
    layout: given("layout"),
  };
  // Checks the options before the first question.
  const team = first.firstTeam(folder, answers);
  if (input.flag("yes")) return team;
  const asked = await asking((ask) => askFor(ask, cli, answers, given));
  if (asked === undefined) return team;
  return asked === null ? null : first.firstTeam(folder, asked);
}

/** Asks only what no option has set. Enter takes the value in brackets. */
async function askFor(
  ask: Ask,
  cli: Cli,
  answers: first.Answers,
  given: (name: string) => string | null,
): Promise<first.Answers | null> {
  const answered = { ...answers };
  const questions: Question[] = [
    { name: "project", text: `Project id [${answers.project}]: `, check: projectId },
    { name: "agents", text: `Agents, separated by commas [${answers.agents}]: `, check: first.idsOf },
    { name: "model", text: "Model [the client's default]: ", check: first.modelOf },
  ];
  for (const { name, text, check } of questions) {
    if (given(name) !== null || (name === "model" && answers.kind === "shell")) continue;
    const answer = await answerTo(ask, cli, text, check);
    if (answer === null) return null;
    if (answer !== "") answered[name] = answer;
  }
  return answered;
}

interface Question {
  name: "project" | "agents" | "model";
  text: string;
  check(typed: string): unknown;
}

/** Asks again until the answer is valid; empty for Enter alone. */
async function answerTo(
  ask: Ask,
  cli: Cli,
  text: string,
  check: (typed: string) => unknown,
): Promise<string | null> {
  for (;;) {
    const answer = (await ask(text))?.trim() ?? null;
    if (answer === null || answer === "") return answer;
    try {
      check(answer);
      return answer;
    } catch (error) {
      if (!(error instanceof HiveError)) throw error;
      cli.out.note(`  ${shown(error.message)}`);
    }
  }
}

async function fromRunning(cli: Cli, input: Input, folder: string, typed: string): Promise<WrittenTeam> {
  const team = teamName(typed);
  const typedProject = input.option("project");
  const project = typedProject === undefined ? null : projectId(typedProject);
  const layout = input.option("layout");
  const session = teamName(input.option("session") ?? team);
  const hive = await cli.hive();
  const { snapshotOf } = await import("../../teams/snapshot/save.js");
  const { permissionModeOf } = await import("../../up/launch.js");
  const fleet = await hive.observe();
  const { rows } = snapshotOf(fleet, hive.stores.teams.read().rows, { teams: [team] });
  const ours = fleet.panes.filter(({ sessionName }) => sessionName === team);
  const known = projectOf(ours.map(({ live, arguments: args }) => live?.name ?? args?.name ?? null));
  const chosen = project ?? known ?? first.projectFor(team);
  const modeAt = (window: number, pane: number) => {
    const found = ours.find((each) => each.windowIndex === window && each.paneIndex === pane);
    return found === undefined ? null : permissionModeOf(found);
  };
  const found = runningTeam(
    rows.map((row) => ({ ...row, permissionMode: modeAt(row.window, row.pane) })),
    {
      ...{ team, folder, project: chosen },
      layout: layout === undefined ? null : first.layoutOf(layout),
      // Another tmux session has no agents of this team; agents of the project itself need no adoption.
      adopts: chosen !== known && session === team,
    },
  );
  for (const line of found.leftOut) cli.out.note(`hivemind: ${shown(line)}`);
  if (found.team.agents.length === 0) {
    throw new HiveError(`no agent of ${team} has a role`, {
      hint: `assign roles: ${cli.self} agent adopt ${team}`,
    });
  }
  if (found.team.adopts)
    cli.out.note(
      "hivemind: `up` will adopt the running agents: each keeps its conversation, and none is ended",
    );
  else if (chosen !== known)
    cli.out.note(
      `hivemind: the agents in ${team} are left alone; those of ${session} will start new conversations`,
    );
  return { ...found.team, team: session };
}
