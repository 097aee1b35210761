// The commands that answer an agent's dialog.

import type { Dialog } from "../../agents/agent.js";
import { UsageError } from "../../base/errors.js";
import type { Answered } from "../../messages/dialog/answer.js";
import type { Choice } from "../../messages/dialog/choose.js";
import type { Cli, Command, Input } from "../command.js";
import { agentNamed, nameArgument, teamOption } from "../named-agent.js";
import { shown } from "../output.js";

const notes =
  "Moves the cursor to the option with arrow keys, and presses Enter only once the screen shows it there.\n" +
  "Presses nothing while the agent is busy.";

export const approve: Command = {
  words: "approve",
  about: "answer yes to an agent's question",
  ...answering("approve"),
  notes: `${notes}\nNever chooses an "always" option; for that use hivemind option NAME NUMBER.`,
};

export const reject: Command = {
  words: "reject",
  about: "answer no to an agent's question",
  ...answering("reject"),
};

export const dismiss: Command = {
  words: "dismiss",
  about: "close an agent's dialog with Escape",
  ...answering("dismiss"),
};

export const option: Command = {
  words: "option",
  about: "choose a numbered option of an agent's question",
  args: [nameArgument, { name: "number", about: "the number shown before the option" }],
  options: [teamOption],
  examples: ["hivemind option tester 2"],
  notes,
  run(cli, input) {
    const typed = input.need("number");
    if (!/^[1-9]\d?$/.test(typed)) throw new UsageError(`"${typed}" is not an option number`);
    return answerDialog(cli, input, { option: Number(typed) });
  },
};

function answering(choice: Extract<Choice, string>): Omit<Command, "words" | "about"> {
  return {
    args: [nameArgument],
    options: [teamOption],
    examples: [`hivemind ${choice} tester`],
    notes,
    run: (cli, input) => answerDialog(cli, input, choice),
  };
}

async function answerDialog(cli: Cli, input: Input, choice: Choice): Promise<void> {
  const hive = await cli.hive();
  const { answer, Unanswered } = await import("../../messages/dialog/answer.js");
  const { limits } = await import("../../limits.js");
  const { refuseAgents } = await import("../send/send-shared.js");
  cli.untilInterrupted();
  const panes = await hive.panes();
  refuseAgents(hive, panes);
  const pane = agentNamed(hive, panes, input);
  try {
    const work = () => answer(hive, pane.id, choice);
    // An agent that is not in the roster has no queue, so no other sender can interfere.
    const { question, label, after } =
      pane.agent === null
        ? await work()
        : await hive.stores.queues.whileDraining(pane.agent.id, work, limits.sendLockMs);
    cli.out.print(`${pane.address}: ${shown(question)} ${shown(label)}`);
    sayWhatCame(cli, pane.address, after);
  } catch (error) {
    if (error instanceof Unanswered && error.dialog !== null) showDialog(cli, pane.address, error.dialog);
    throw error;
  }
}

function sayWhatCame(cli: Cli, address: string, after: Answered["after"]): void {
  if (after?.kind === "ended") cli.out.note(`${address}: ${after.why}`);
  if (after?.kind !== "dialog") return;
  cli.out.note(`${address} now shows:`);
  showDialog(cli, address, after.dialog);
}

/** The dialog as the screen shows it. */
function showDialog(cli: Cli, address: string, { rows = [], question }: Dialog): void {
  const visible = rows.filter((row) => row.trim() !== "");
  if (visible.length === 0) cli.out.note(`${address}: ${shown(question)}`);
  for (const row of visible) cli.out.note(`  │ ${shown(row)}`);
}
