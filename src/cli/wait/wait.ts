import { UsageError } from "../../base/errors.js";
import type { Command } from "../command.js";
import { nameArgument, namedPane, teamOption } from "../named-agent.js";

export const wait: Command = {
  words: "wait",
  about: "wait until an agent is idle, asks or has answered",
  args: [nameArgument],
  options: [
    {
      name: "until",
      value: "what",
      about: "idle (default), waiting (asks you something), or answered (the last message)",
      choices: ["idle", "waiting", "answered"],
    },
    { name: "timeout", value: "seconds", about: "give up after this long, with exit code 124" },
    teamOption,
  ],
  examples: ["hivemind wait tester", "hivemind wait tester --until waiting --timeout 600"],
  notes: "Exit code 1 if the agent ends first. An agent that runs short of context counts as idle.",
  hasJson: true,
  async run(cli, input) {
    const until = input.option("until") ?? "idle";
    const { awaitAgent, awaitedFacts, isAwaitable } = await import("../../messages/await-agent.js");
    if (!isAwaitable(until))
      throw new UsageError(`"${until}" is not something to wait for`, {
        hint: "--until idle, waiting or answered",
      });
    const { timeoutOf } = await import("../send/send-shared.js");
    const { awaitedError } = await import("../../messages/sent-error.js");
    const patience = { timeoutMs: timeoutOf(input), interrupted: cli.untilInterrupted() };
    const { hive, pane } = await namedPane(cli, input);
    const { address } = pane;
    cli.out.progress(`waiting until ${address} is ${until}`);
    const awaited = await awaitAgent(hive, pane, until, patience);
    cli.out.progress(null);
    const problem = await awaitedError(hive, awaited, pane);
    if (input.flag("json")) cli.out.json({ pane: address, paneId: pane.id, until, ...awaitedFacts(awaited) });
    if (problem !== null) throw problem;
    if (input.flag("json")) return;
    cli.out.print(until === "answered" ? `${address} has answered` : `${address} is ${until}`);
  },
};
