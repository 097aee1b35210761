import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";

export const go: Command = {
  words: "go",
  about: "select an agent's pane",
  args: [nameArgument],
  options: [teamOption],
  examples: ["hivemind go tester"],
  notes: "Inside tmux you are there at once; outside, the command that attaches is printed.",
  async run(cli, input) {
    const hive = await cli.hive();
    const { goTo } = await import("./going.js");
    const panes = await hive.panes();
    await goTo(cli, hive, panes, agentNamed(hive, panes, input));
    return undefined;
  },
};
