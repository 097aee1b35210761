import { exitCodes } from "../base/errors.js";
import type { Look } from "../reconcile/look.js";
import type { Command, Input } from "./command.js";
import { consistencyTeam } from "./consistency-audit.js";

export const consistencyFix: Command = {
  words: "consistency fix",
  about: "put the stores right: shows what is wrong, asks once, repairs, and looks again",
  args: [consistencyTeam],
  asks: "repairs",
  examples: ["hivemind consistency fix", "hivemind consistency fix web4team --yes"],
  notes:
    "Panes that moved are followed first. Sessions whose transcript is nowhere and that no process holds are dropped\n" +
    "last, and kept as broken in the list of forks. A team that another hivemind is changing is left alone.\n" +
    "Exit codes: 0 nothing is wrong any more, 1 something is left to a person, 3 could not look.",
  hasJson: true,
  async run(cli, input) {
    const isJson = input.flag("json");
    const { commandFor, lookAndNote, repairAndSay, showLook } = await import("./consistency-repair.js");
    const looked = await lookAndNote(cli, input);
    const { look, exitCode } = looked;
    const print = isJson ? cli.out.note : cli.out.print;
    if (!isJson || !input.flag("yes")) showLook(cli, look, print);
    if (hasWork(look) && (await isAgreed(input)))
      return repairAndSay(cli, looked, { dropsBroken: true, isJson });
    if (!hasWork(look)) await looked.hive.stores.queues.finish();
    const { undoneJson } = await import("./consistency-json.js");
    if (isJson) cli.out.json(undoneJson(look));
    if (!hasWork(look)) return exitCode;
    cli.out.note("hivemind: nothing was changed");
    cli.out.note(`${commandFor(cli, looked, "fix")} --yes`);
    return exitCodes.refused;
  },
};

function hasWork({ repairs, broken, facts }: Look): boolean {
  return repairs.length + broken.length + facts.moves.length + facts.astray.size > 0;
}

async function isAgreed(input: Input): Promise<boolean> {
  if (input.flag("yes")) return true;
  const { confirmed } = await import("./ask.js");
  return (await confirmed("Repair this?")) === true;
}
