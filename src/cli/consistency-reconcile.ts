import type { Command } from "./command.js";
import { consistencyTeam } from "./consistency-audit.js";

export const consistencyReconcile: Command = {
  words: "consistency reconcile",
  about: "what would put the stores right, and with --apply do it",
  args: [consistencyTeam],
  options: [{ name: "apply", about: "do it" }],
  examples: ["hivemind consistency reconcile", "hivemind consistency reconcile web4team --apply"],
  notes:
    "Nothing is destroyed on one look: what goes was seen twice, and is looked at again just before.\n" +
    "Exit codes: 0 nothing is wrong (any more), 1 something is, 3 could not look.",
  hasJson: true,
  async run(cli, input) {
    const isJson = input.flag("json");
    const { commandFor, lookAndNote, repairAndSay, showLook } = await import("./consistency-repair.js");
    const looked = await lookAndNote(cli, input);
    if (input.flag("apply")) return repairAndSay(cli, looked, { dropsBroken: false, isJson });
    const { look, exitCode } = looked;
    const { undoneJson } = await import("./consistency-json.js");
    const { violations, repairs } = look;
    if (isJson) cli.out.json(undoneJson(look));
    else {
      showLook(cli, look, cli.out.print);
      const left = violations.length - repairs.length;
      if (violations.length > 0)
        cli.out.print(`would repair ${repairs.length}, and leave ${left} to a person`);
      if (repairs.length > 0) cli.out.note(`${commandFor(cli, looked, "reconcile")} --apply`);
    }
    return exitCode;
  },
};
