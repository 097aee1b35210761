import { answerDialog, answerNotes } from "./answering.js";
import type { Command } from "./command.js";
import { nameArgument, teamOption } from "./named-agent.js";

export const approve: Command = {
  words: "approve",
  about: "say yes to what an agent asks",
  args: [nameArgument],
  options: [teamOption],
  examples: ["hivemind approve tester"],
  notes: `${answerNotes}\nAn option that says yes for ever is not chosen; hivemind option NAME N can.`,
  run: (cli, input) => answerDialog(cli, input, "approve"),
};
