import { UsageError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { Hive } from "../hive.js";
import type { Awaited, Patience } from "../messages/answered.js";
import type { Sent } from "../messages/send.js";
import type { Cli } from "./cli.js";
import type { Command, Input } from "./command.js";
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
    {
      name: "wait",
      about: "until it was answered, and print the answer; a queued message is delivered first",
    },
    { name: "quiet", about: "with --wait: say what became of it, without the answer's text" },
    { name: "timeout", value: "seconds", about: "with --wait: how long at most; exit 124 when time is up" },
  ],
  examples: [
    "hivemind send tester run the tests again",
    "git diff | hivemind send reviewer -",
    "hivemind send tester /compact",
    "hivemind send tester --wait --timeout 600 are you done?",
    "hivemind send tester --wait how many tests are there? > answer.txt",
  ],
  notes:
    "Exit 0: the agent took it. 4: queued, because it works. 5: held, because a person has a hand in it (a draft in its\n" +
    "input box, copy mode, synchronized panes, a hold). 1: refused, or typed without a sign that it arrived; nothing is\n" +
    "ever typed twice. What waits is said by `hivemind queue drain` or `hivemind watch`. What an agent sends\n" +
    "carries `[@role pane] `; a line that begins with /, !, # or & is refused from an agent (`hivemind allow`). A command\n" +
    "that the client does not know is not entered. Prose that it would obey (`exit`, `/clear` with a second line) goes\n" +
    "with `> ` before it. Behind a shell that a person started the agent from, only one line is typed: several wait.\n" +
    "With --wait stdout has all that the agent said in the turn that the message began, and nothing else; --json has it\n" +
    "as `answer`. A turn that failed or was interrupted is exit 1. A command of the client has no answer.",
  hasJson: true,
  async run(cli, input) {
    const sending = await import("./sending.js");
    const timeoutMs = sending.timeoutOf(input);
    refuseWithoutWait(input);
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
    const isAwaited = input.flag("wait") && refusal === null;
    const isTextWanted = isAwaited && !input.flag("quiet");
    const say = isTextWanted ? cli.out.note : cli.out.print;
    if (!isJson && refusal === null) say(`${sending.sentLine(sent)} (${address})`);
    const awaited = isAwaited ? await answerTo(cli, hive, sent, { timeoutMs, interrupted }) : null;
    const problem =
      refusal ?? (awaited && (await sending.awaitedError(hive, awaited, { id: pane.id, address })));
    const answered = awaited && awaited.outcome === "answered";
    const answer = answered ? await wordsOf(hive, sent) : null;
    if (isJson)
      cli.out.json({ pane: address, paneId: pane.id, ...sending.sentFacts(sent), answered, answer });
    if (problem !== null) throw problem;
    if (awaited === null) return sending.exitCodeOf[sent.outcome];
    if (isJson) return undefined;
    if (isTextWanted && answer) cli.out.lines(answer.split("\n").map(harmlessLine));
    else say(`answered${isTextWanted ? ", without words" : ""} (${address})`);
    return undefined;
  },
};

function refuseWithoutWait(input: Input): void {
  const typed = input.option("timeout") !== undefined ? "timeout" : input.flag("quiet") ? "quiet" : null;
  if (typed === null || input.flag("wait")) return;
  const option = typed === "timeout" ? "--timeout 60" : "--quiet";
  throw new UsageError(`--${typed} is for --wait`, { hint: `hivemind send NAME --wait ${option} TEXT` });
}

async function wordsOf(hive: Hive, { id }: Sent): Promise<string | null> {
  const { answerWords } = await import("../messages/answered.js");
  return answerWords(hive, id!);
}

/** Tabs are part of what was said. */
function harmlessLine(line: string): string {
  return line.split("\t").map(harmless).join("\t");
}

async function answerTo(cli: Cli, hive: Hive, { id }: Sent, patience: Patience): Promise<Awaited> {
  const { awaitAnswer } = await import("../messages/answered.js");
  cli.out.progress("waiting for the answer");
  const awaited = await awaitAnswer(hive, id!, patience);
  cli.out.progress(null);
  return awaited;
}
