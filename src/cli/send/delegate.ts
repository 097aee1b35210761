import { HiveError } from "../../base/errors.js";
import type { Command } from "../command.js";
import { nameArgument, namedPane, teamOption } from "../named-agent.js";

export const delegate: Command = {
  words: "delegate",
  about: "give an agent a task, kept as a file",
  args: [
    nameArgument,
    {
      name: "task",
      about: "the task, or the path of a file with it; - reads stdin",
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
    "hivemind keeps the task in hivemind.tasks/, whatever happens to the line; it copies a file there. Exit codes: as for\n" +
    "`hivemind send`. One word that has a slash or a dot, and no punctuation at its end, must be the path of a file.",
  hasJson: true,
  async run(cli, input) {
    const typed = input.need("task");
    const sending = await import("./send-shared.js");
    const { senderOf } = await import("../../hive/sender-of.js");
    const { delegateTask, delegateFacts, delegateError } = await import("../../messages/delegate.js");
    const { agentName } = await import("../../messages/sent-error.js");
    cli.untilInterrupted();
    const { hive, panes, pane } = await namedPane(cli, input);
    const task = isPath(typed) ? await fileText(typed) : await sending.textOf(typed);
    const delegated = await delegateTask(hive, panes, pane, task, senderOf(hive, panes));
    const { sent, path } = delegated;
    const problem = delegateError(delegated, pane);
    if (input.flag("json")) cli.out.json(delegateFacts(delegated, pane));
    else if (problem === null) {
      cli.out.print(sending.sentLine(sent, agentName(pane)));
      cli.out.print(path);
      await sending.noteUndelivered(cli, hive, [sent.outcome]);
    }
    if (problem !== null) throw problem;
    return sending.exitCodeOf[sent.outcome];
  },
};

function isPath(typed: string): boolean {
  return /^\S*[./]\S*$/.test(typed) && !/[.?!…]$/.test(typed);
}

async function fileText(path: string): Promise<string> {
  const { readFile, stat } = await import("node:fs/promises");
  const { limits } = await import("../../limits.js");
  try {
    const facts = await stat(path);
    if (!facts.isFile() || facts.size > limits.taskBytes)
      throw new HiveError(`${path} is not a file of at most ${limits.taskBytes} bytes`);
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof HiveError) throw error;
    throw new HiveError(`${path} cannot be read`, {
      hint: "a task in words has spaces; one word with a dot or slash is a path",
      cause: error,
    });
  }
}
