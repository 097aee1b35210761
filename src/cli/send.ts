import { UsageError } from "../base/errors.js";
import type { Hive } from "../hive.js";
import type { Awaited, Patience } from "../messages/answered.js";
import type { Sent } from "../messages/send.js";
import type { Cli } from "./cli.js";
import type { Command } from "./command.js";
import { agentNamed, nameArgument, teamOption } from "./named-agent.js";

export const send: Command = {
  words: "send",
  about: "tell an agent something, once",
  args: [
    nameArgument,
    {
      name: "text",
      about: "the message; - reads it from stdin; -- before one that begins with -",
      meaning: "text",
      takesRest: true,
    },
  ],
  options: [
    teamOption,
    { name: "wait", about: "until it was answered; what has to wait is said as soon as the agent listens" },
    { name: "timeout", value: "seconds", about: "with --wait: how long at most; exit 124 when time is up" },
  ],
  examples: [
    "hivemind send tester run the tests again",
    "git diff | hivemind send reviewer -",
    "hivemind send tester /compact",
    "hivemind send tester --wait --timeout 600 are you done?",
  ],
  notes:
    "Exit 0: the agent took it. 4: queued, because it works. 5: held, because a person has a hand in it (a draft in its\n" +
    "input box, copy mode, synchronized panes, a hold). 1: refused, or typed without a sign that it arrived; nothing is\n" +
    "ever typed twice. What waits is said by `hivemind queue drain` or `hivemind watch`. From an agent's own pane prose\n" +
    "carries `[@role pane] `; a line that begins with / or ! is the client's own command, and carries nothing. A command\n" +
    "that the client does not know is not entered. Prose that it would obey (`exit`, `/clear` with a second line) goes\n" +
    "with `> ` before it. Behind a shell that a person started the agent from, only one line is typed: several wait.",
  hasJson: true,
  async run(cli, input) {
    const sending = await import("./sending.js");
    const timeoutMs = sending.timeoutOf(input);
    if (timeoutMs !== null && !input.flag("wait"))
      throw new UsageError("--timeout is for --wait", {
        hint: "hivemind send NAME --wait --timeout 60 TEXT",
      });
    const text = await sending.textOf(input.need("text"));
    const hive = await cli.hive();
    const { placedIn } = await import("./placed.js");
    const { withSender } = await import("../messages/sender.js");
    const { send } = await import("../messages/send.js");
    // From here on Ctrl-C waits for a whole step: half a message in somebody's box helps nobody.
    const interrupted = cli.untilInterrupted();
    const panes = await hive.panes();
    const pane = agentNamed(hive, panes, input);
    const address = await placedIn(hive, panes, pane);
    const sent = await send(hive, pane.id, withSender(text, await sending.senderOf(hive, panes)));
    const isJson = input.flag("json");
    const refusal = sending.sentError(sent, pane);
    if (!isJson && refusal === null) cli.out.print(`${sending.sentLine(sent)} (${address})`);
    const isAwaited = input.flag("wait") && refusal === null;
    const awaited = isAwaited ? await answerTo(cli, hive, sent, { timeoutMs, interrupted }) : null;
    const problem =
      refusal ?? (awaited && (await sending.awaitedError(hive, awaited, { id: pane.id, address })));
    if (isJson) {
      const answered = awaited && awaited.outcome === "answered";
      cli.out.json({ pane: address, paneId: pane.id, ...sending.sentFacts(sent), answered });
    }
    if (problem !== null) throw problem;
    if (awaited === null) return sending.exitCodeOf[sent.outcome];
    if (!isJson) cli.out.print(`answered (${address})`);
    return undefined;
  },
};

async function answerTo(cli: Cli, hive: Hive, { id }: Sent, patience: Patience): Promise<Awaited> {
  const { awaitAnswer } = await import("../messages/answered.js");
  cli.out.progress("waiting for the answer");
  const awaited = await awaitAnswer(hive, id!, patience);
  cli.out.progress(null);
  return awaited;
}
