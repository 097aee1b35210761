import type { Argument, Command } from "../command.js";

const parts = () => import("./repair.js");

const consistencyTeam: Argument = {
  name: "team",
  about: "only this team (default: every registered team)",
  meaning: "team",
  isOptional: true,
};

export const consistencyAudit: Command = {
  words: "consistency audit",
  about: "list stored facts that do not match tmux",
  args: [consistencyTeam],
  examples: ["hivemind consistency audit", "hivemind consistency audit web4team --json"],
  notes:
    "Changes nothing. A team that is not running keeps its rows: they are needed to restore it.\n" +
    "Sessions without a transcript (broken in registry refresh) are listed below the table and do not count as errors;\n" +
    "consistency fix drops those that cannot come back.\n" +
    "Exit codes: 0 nothing is wrong, 1 something is wrong, 3 tmux or a file could not be read.",
  hasJson: true,
  run: async (cli, input) => (await parts()).audit(cli, input),
};

export const consistencyReconcile: Command = {
  words: "consistency reconcile",
  about: "show the repairs; with --apply make them",
  args: [consistencyTeam],
  options: [{ name: "apply", about: "make the repairs" }],
  examples: ["hivemind consistency reconcile", "hivemind consistency reconcile web4team --apply"],
  notes:
    "Nothing is removed on one look: hivemind checks twice, and again just before it removes anything.\n" +
    "Exit codes: 0 nothing is wrong (any more), 1 something is wrong, 3 tmux or a file could not be read.",
  hasJson: true,
  run: async (cli, input) => (await parts()).reconcile(cli, input),
};

export const consistencyFix: Command = {
  words: "consistency fix",
  about: "show what is wrong, ask once, repair, check again",
  args: [consistencyTeam],
  asks: "repairs",
  examples: ["hivemind consistency fix", "hivemind consistency fix web4team --yes"],
  notes:
    "Follows moved panes first. Last, drops sessions that have no transcript and no process; forks list keeps them as\n" +
    "broken. Leaves a team alone while another hivemind is changing it.\n" +
    "Exit codes: 0 nothing is wrong any more, 1 something needs a person, 3 tmux or a file could not be read.",
  hasJson: true,
  run: async (cli, input) => (await parts()).fix(cli, input),
};
