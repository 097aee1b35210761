import { UsageError } from "../base/errors.js";
import { answerDialog, answerNotes } from "./answering.js";
import type { Command } from "./command.js";
import { nameArgument, teamOption } from "./named-agent.js";

export const option: Command = {
  words: "option",
  about: "choose an option of what an agent asks, by its number",
  args: [nameArgument, { name: "number", about: "as it stands before the option", meaning: "text" }],
  options: [teamOption],
  examples: ["hivemind option tester 2"],
  notes: answerNotes,
  run(cli, input) {
    const typed = input.need("number");
    if (!/^[1-9]\d?$/.test(typed)) throw new UsageError(`"${typed}" is no number of an option`);
    return answerDialog(cli, input, { option: Number(typed) });
  },
};
