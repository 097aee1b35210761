import { HiveError } from "../base/errors.js";
import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";

export const delegate: Command = {
  words: "delegate",
  about: "give an agent a task: a file, and one line that points to it",
  args: [
    nameArgument,
    {
      name: "task",
      about: "the task, or the path of a file that has it; - reads it from stdin",
      meaning: "path",
      takesRest: true,
    },
  ],
  options: [teamOption],
  examples: [
    "hivemind delegate tester write tests for the parser, then report",
    "hivemind delegate tester docs/plan.md",
  ],
  notes:
    "The task is kept in hivemind.tasks/, whatever becomes of the line; a file is copied there. Exit codes as those of\n" +
    "`hivemind send`. One word with a slash or a dot in it, but no mark at its end, is a path, and has to be one.",
  hasJson: true,
  async run(cli, input) {
    const typed = input.need("task");
    const hive = await cli.hive();
    const sending = await import("./sending.js");
    const { placedIn } = await import("./placed.js");
    const { rolesIn } = await import("../fleet/resolve.js");
    const { withSender } = await import("../messages/sender.js");
    const { send } = await import("../messages/send.js");
    cli.untilInterrupted();
    const panes = await hive.panes();
    const pane = agentNamed(hive, panes, input);
    const address = await placedIn(hive, panes, pane);
    const task = isPath(typed) ? await fileText(typed) : await sending.textOf(typed);
    const name = rolesIn(panes, hive.stores)(pane) ?? address;
    const path = hive.stores.tasks.write(name, task);
    const line = withSender(
      `Your task is in ${path}: read it and do it.`,
      await sending.senderOf(hive, panes),
    );
    const sent = await send(hive, pane.id, line);
    const problem = sending.sentError(sent, pane);
    if (input.flag("json"))
      cli.out.json({ pane: address, paneId: pane.id, task: path, ...sending.sentFacts(sent) });
    else if (problem === null) {
      cli.out.print(`${sending.sentLine(sent)} (${address})`);
      cli.out.print(path);
    }
    if (problem !== null)
      throw new HiveError(problem.message, { hint: `${problem.hint}; the task is kept: ${path}` });
    return sending.exitCodeOf[sent.outcome];
  },
};

function isPath(typed: string): boolean {
  return /^\S*[./]\S*$/.test(typed) && !/[.?!…]$/.test(typed);
}

async function fileText(path: string): Promise<string> {
  const { readFile, stat } = await import("node:fs/promises");
  const { limits } = await import("../limits.js");
  try {
    const facts = await stat(path);
    if (!facts.isFile() || facts.size > limits.taskBytes)
      throw new HiveError(`${path} is no file of at most ${limits.taskBytes} bytes`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof HiveError) throw error;
    throw new HiveError(`${path} cannot be read`, {
      hint: "a task in words has spaces between them",
      cause: error,
    });
  }
}
