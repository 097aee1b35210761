import { agentsArgument, bring, bringingOptions } from "./bringing.js";
import type { Command } from "./command.js";

export const plan: Command = {
  words: "plan",
  about: "what `hivemind reload` would do, and why: add, change, remove, keep",
  args: [agentsArgument],
  options: bringingOptions,
  examples: ["hivemind plan", "hivemind plan lead", "hivemind plan --json"],
  notes:
    "`hivemind up` does the same but for changes and removals. Exit code 1 when an agent cannot be started, 3 when\n" +
    "whether it can could not be seen.",
  hasJson: true,
  run: (cli, input) => bring(cli, input, "reload", true),
};
