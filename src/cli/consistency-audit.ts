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
    "Sessions whose transcript is nowhere, which registry refresh counts as broken, are listed below the table; they are\n" +
    "no violation by themselves. fix drops those that nothing can bring back.\n" +
    "Exit codes: 0 nothing is wrong, 1 something is, 3 could not look.",
  hasJson: true,
  async run(cli, input) {
    const { commandFor, lookAndNote, showLook } = await import("./consistency-repair.js");
    const { auditJson, brokenJson } = await import("./consistency-json.js");
    const looked = await lookAndNote(cli, input);
    const { look, exitCode } = looked;
    if (input.flag("json")) cli.out.json({ ...auditJson(look.violations), broken: brokenJson(look) });
    else {
      showLook(cli, look, cli.out.print);
      if (look.repairs.length + look.broken.length > 0) cli.out.note(commandFor(cli, looked, "fix"));
    }
    return exitCode;
  },
};
