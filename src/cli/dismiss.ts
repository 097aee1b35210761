import { answerDialog, answerNotes } from "./answering.js";
import type { Command } from "./command.js";
import { nameArgument, teamOption } from "./named-agent.js";

export const dismiss: Command = {
  words: "dismiss",
  about: "close an agent's dialog with Escape, choosing nothing",
  args: [nameArgument],
  options: [teamOption],
  examples: ["hivemind dismiss tester"],
  notes: answerNotes,
  run: (cli, input) => answerDialog(cli, input, "dismiss"),
};
