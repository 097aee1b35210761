import type { Argument, Command } from "./command.js";

export const consistencyTeam: Argument = {
  name: "team",
  about: "only this team; else all registered ones",
  meaning: "team",
  isOptional: true,
};

export const consistencyAudit: Command = {
  words: "consistency audit",
  about: "what the stores say that is not so",
  args: [consistencyTeam],
  examples: ["hivemind consistency audit", "hivemind consistency audit web4team --json"],
  notes:
    "Looking changes nothing. A team that is not running keeps its rows: they are what brings it back.\n" +
    "Exit codes: 0 nothing is wrong, 1 something is, 3 could not look.",
  hasJson: true,
  async run(cli, input) {
    const { commandFor, lookAndNote, showLook } = await import("./consistency-repair.js");
    const { auditJson } = await import("./consistency-json.js");
    const looked = await lookAndNote(cli, input);
    const { look, exitCode } = looked;
    if (input.flag("json")) cli.out.json(auditJson(look.violations));
    else {
      showLook(cli, look, cli.out.print);
      if (look.repairs.length > 0) cli.out.note(commandFor(cli, looked, "fix"));
    }
    return exitCode;
  },
};
