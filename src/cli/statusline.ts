import type { Command } from "./command.js";

export const statusline: Command = {
  words: "statusline",
  about: "one line for tmux's status bar: who waits, and how many are busy and idle",
  examples: ["hivemind statusline", "tmux set -g status-right '#(hivemind statusline)'"],
  notes:
    "Only tmux, the clients' own word and the ends of their transcripts are read, and a screen only where something is\n" +
    "odd, so that it is quick. Without tmux, or without agents, the line is empty; it is never an error. tmux shows it\n" +
    "as it is: `#` in names is doubled.",
  hasJson: true,
  async run(cli, input) {
    const { countAgents, statusText } = await import("./agent-counts.js");
    const counts = await countAgents(await cli.hive());
    if (input.flag("json")) cli.out.json(counts);
    else cli.out.print(statusText(counts));
    return undefined;
  },
};
