import { UsageError } from "../base/errors.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";
import { shown } from "./output.js";

export const allow: Command = {
  words: "allow",
  about: "let an agent send commands to other agents",
  args: [
    { ...nameArgument, isOptional: true },
    { name: "what", about: "commands", meaning: "text", choices: ["commands"], isOptional: true },
  ],
  options: [teamOption, { name: "off", about: "take it back" }],
  examples: ["hivemind allow lead commands", "hivemind allow lead commands --off", "hivemind allow"],
  notes:
    "Without it an agent may tell others only prose: a line that begins with /, !, # or & is refused, because the other\n" +
    "client would obey it without asking anybody. Without NAME: who is allowed what. Only a person may say this.",
  hasJson: true,
  async run(cli, input) {
    if (input.arg("name") === undefined) return list(cli, input.flag("json"));
    const what = input.arg("what");
    if (what !== "commands")
      throw new UsageError(
        what === undefined ? "allow needs what to allow" : `"${shown(what)}" is nothing to allow`,
        {
          hint: "hivemind allow NAME commands",
        },
      );
    const hive = await cli.hive();
    const { utcSeconds } = await import("../base/utc.js");
    const { placedIn } = await import("./placed.js");
    const { personIn, refuseAgents } = await import("./sending.js");
    const panes = await hive.panes();
    refuseAgents(hive, panes);
    const pane = await placedIn(hive, panes, agentNamed(hive, panes, input));
    const isAllowed = !input.flag("off");
    const row = { pane, word: "COMMANDS" as const, since: utcSeconds(Date.now()), by: personIn(cli.env) };
    await hive.stores.holds.update((rows) => {
      const others = rows.filter((each) => each.pane !== pane || each.word !== "COMMANDS");
      return isAllowed ? [...others, row] : others;
    });
    if (input.flag("json")) cli.out.json({ pane, commands: isAllowed });
    else cli.out.print(`${pane} ${isAllowed ? "may" : "may no longer"} send commands to other agents`);
    return undefined;
  },
};

async function list(cli: Cli, isJson: boolean): Promise<undefined> {
  const { stores } = await cli.hive();
  const allowed = stores.holds.read().rows.filter(({ word }) => word === "COMMANDS");
  if (isJson)
    cli.out.json({ allowed: allowed.map(({ pane, since, by }) => ({ pane, commands: true, since, by })) });
  else if (allowed.length === 0) cli.out.print("No agent may send commands to others.");
  else for (const { pane, since, by } of allowed) cli.out.print(`${pane}  commands  (${by}, ${since})`);
  return undefined;
}
