import { agentsArgument, bring, bringingOptions } from "./bringing.js";
import type { Command } from "./command.js";

export const reload: Command = {
  words: "reload",
  about: "make the running team what hivemind.yaml says now",
  args: [agentsArgument],
  options: [...bringingOptions, { name: "dry-run", about: "say what would be done, and do nothing" }],
  asks: "ends agents that the file does not have any more",
  examples: ["hivemind reload", "hivemind reload lead", "hivemind reload --dry-run"],
  notes:
    "Restarts only agents whose model, permission mode, arguments, environment, folder or kind changed, in their\n" +
    "conversations; starts what is new or has ended, and ends what this project started and the file no longer has.\n" +
    "A changed role prompt restarts nobody: it is for a new conversation (hivemind up NAME --fresh).",
  hasJson: true,
  run: (cli, input) => bring(cli, input, "reload", input.flag("dry-run")),
};
