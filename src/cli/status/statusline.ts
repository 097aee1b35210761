import type { Command } from "../command.js";

export const statusline: Command = {
  words: "statusline",
  about: "one line for tmux's status bar",
  examples: ["hivemind statusline", "tmux set -g status-right '#(hivemind statusline)'"],
  notes:
    "Names the agents that wait for you, and counts the busy and idle ones. It is quick: it reads screens only where the\n" +
    "client's own files leave a question open. Without tmux or agents the line is empty, never an error. `#` in names is\n" +
    "doubled, so tmux shows names as they are.\n" +
    "It starts a process at every refresh. `hivemind tmux install` shows the numbers without one, while a watcher runs.",
  hasJson: true,
  async run(cli, input) {
    const { countAgents, statusText } = await import("./agent-counts.js");
    const counts = await countAgents(await cli.hive());
    if (input.flag("json")) cli.out.json(counts);
    else cli.out.print(statusText(counts));
  },
};
