import { answerDialog, answerNotes } from "./answering.js";
import type { Command } from "./command.js";
import { nameArgument, teamOption } from "./named-agent.js";

export const reject: Command = {
  words: "reject",
  about: "say no to what an agent asks",
  args: [nameArgument],
  options: [teamOption],
  examples: ["hivemind reject tester"],
  notes: answerNotes,
  run: (cli, input) => answerDialog(cli, input, "reject"),
};
