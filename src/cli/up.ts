import { agentsArgument, bring, bringingOptions } from "./bringing.js";
import type { Command } from "./command.js";

export const up: Command = {
  words: "up",
  about: "bring the team of hivemind.yaml to life, each agent in its own conversation",
  args: [agentsArgument],
  options: [
    ...bringingOptions,
    { name: "fresh", about: "begin anew: what was said is put aside as .bak; running ones are restarted" },
    { name: "dry-run", about: "say what would be done, and do nothing" },
  ],
  examples: [
    "hivemind up",
    "hivemind up lead tester",
    "hivemind up --except tester",
    "hivemind up lead --fresh",
    "hivemind up --dry-run",
  ],
  notes:
    "Starts what does not run, one after the other, and ends nobody (but with --fresh). Each agent goes on with the\n" +
    "conversation whose id comes from its name, or with the one it moved on to (/clear, /branch). What differs from the\n" +
    "file is said: `hivemind reload` applies it. The command can be repeated; after Ctrl-C it goes on where it stopped.\n" +
    "Exit code 1 when an agent could not be started, 3 when whether it can could not be seen; each is named.",
  hasJson: true,
  run: (cli, input) => bring(cli, input, "up", input.flag("dry-run")),
};
