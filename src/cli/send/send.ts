import { type ExitCode, UsageError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { Hive } from "../../hive/hive.js";
import type { Awaited, Patience } from "../../messages/answered.js";
import type { Sent } from "../../messages/send.js";
import type { Cli, Command, Input } from "../command.js";
import { takingHosts } from "../far/also-far.js";
import { hereOrThere } from "../far/open-far.js";
import { nameArgument, namedPane, teamOption } from "../named-agent.js";

export const send: Command = {
  words: "send",
  about: "send a message to an agent, exactly once",
  args: [
    takingHosts(nameArgument),
    {
      name: "text",
      about: "the message; - reads stdin; put -- before a text that begins with -",
      takesRest: true,
    },
  ],
  options: [
    teamOption,
    {
      name: "now",
      about:
        "hand it to the agent's inbox at once, also while it works; the agent takes it for a colleague's word",
    },
    {
      name: "wait",
      about: "wait for the answer and print it; a queued message is delivered first",
    },
    { name: "quiet", about: "with --wait: print the outcome, not the answer" },
    { name: "timeout", value: "seconds", about: "with --wait: give up after this long, with exit code 124" },
  ],
  examples: [
    "hivemind send tester run the tests again",
    "git diff | hivemind send reviewer -",
    "hivemind send tester /compact",
    "hivemind send tester --now stop after this file",
    "hivemind send tester --wait --timeout 600 are you done?",
    "hivemind send tester --wait how many tests are there? > answer.txt",
    "hivemind send tester@server run the tests again",
  ],
  notes:
    "Exit codes: 0 the agent took the message. 4 queued: the agent is busy. 5 held: a person uses the pane (a draft in the\n" +
    "input box, copy mode, synchronized panes, `hivemind hold`). 1 refused, or sent without proof of arrival; hivemind\n" +
    "never sends a message twice. `hivemind watch` and `hivemind queue drain` deliver queued messages.\n" +
    "An agent's words go to the client's own inbox where it has one, also while the receiver works or asks something. Your\n" +
    "words are typed, because only typed words count as yours; --now hands them to the inbox instead. docs/doors.md has\n" +
    "the table.\n" +
    "A message from an agent begins with `[@role pane] `. An agent may not send a line that begins with /, !, # or &,\n" +
    "unless you allow it (`hivemind allow`). hivemind does not enter a command that the client does not know. It puts\n" +
    "`> ` before prose that the client would obey (`exit`, `/clear` with a second line). If a person started the\n" +
    "agent from a shell, hivemind types single lines only; longer messages wait.\n" +
    "--wait prints on stdout what the agent said in the turn that the message began, and nothing else; --json has it\n" +
    "as `answer`. The exit code is 1 if that turn failed or was interrupted. Client commands have no answer.\n" +
    "NAME@HOST is an agent of another host of the fleet. The message waits in the mail of that host for up to a day, also\n" +
    "while the host is away. Its agent takes you for a colleague, unless that host allows more (`hivemind fleet allow user`).",
  hasJson: true,
  run: (cli, input) => {
    refuseWithoutWait(input);
    return hereOrThere<ExitCode | undefined>(cli, input, "name", {
      here: (own) => sendHere(cli, own),
      there: async (far) => (await import("../far/send-far.js")).sendFar(cli, input, far),
    });
  },
};

async function sendHere(cli: Cli, input: Input): Promise<ExitCode | undefined> {
  const sending = await import("./send-shared.js");
  const timeoutMs = sending.timeoutOf(input);
  const text = await sending.textOf(input.need("text"));
  const { senderOf } = await import("../../hive/sender-of.js");
  const { withSender } = await import("../../messages/sender.js");
  const { send } = await import("../../messages/send.js");
  const outcome = await import("../../messages/sent-error.js");
  // From here on Ctrl-C waits for a whole step: half a message in an input box helps nobody.
  const interrupted = cli.untilInterrupted();
  const { hive, panes, pane } = await namedPane(cli, input);
  const { address } = pane;
  const sender = senderOf(hive, panes);
  const speaker = sending.speakerFor(sender, { isNow: input.flag("now"), env: cli.env });
  const sent = await send(hive, pane.id, withSender(text, sender), { seen: panes, speaker });
  const isJson = input.flag("json");
  const refusal = outcome.sentError(sent, pane);
  const isAwaited = input.flag("wait") && refusal === null;
  const isTextWanted = isAwaited && !input.flag("quiet");
  const say = isTextWanted ? cli.out.note : cli.out.print;
  const who = outcome.agentName(pane);
  if (!isJson && refusal === null) say(sending.sentLine(sent, who));
  if (!isJson && !isAwaited) {
    await sending.noteUndelivered(cli, hive, [sent.outcome]);
    const hint = sender === null ? sending.nowHint(sent) : null;
    if (hint !== null) cli.out.note(hint);
  }
  const awaited = isAwaited ? await answerTo(cli, hive, sent, { timeoutMs, interrupted }) : null;
  const problem = refusal ?? (awaited && (await outcome.awaitedError(hive, awaited, pane)));
  const answered = awaited && awaited.outcome === "answered";
  const answer = answered ? await wordsOf(hive, sent) : null;
  if (isJson) cli.out.json({ pane: address, paneId: pane.id, ...outcome.sentFacts(sent), answered, answer });
  if (problem !== null) throw problem;
  if (awaited === null) return sending.exitCodeOf[sent.outcome];
  if (isJson) return undefined;
  if (isTextWanted && answer) cli.out.lines(answer.split("\n").map(harmlessLine));
  else say(`${who} answered${isTextWanted ? " without words" : ""}`);
  return undefined;
}

function refuseWithoutWait(input: Input): void {
  const typed = input.option("timeout") !== undefined ? "timeout" : input.flag("quiet") ? "quiet" : null;
  if (typed === null || input.flag("wait")) return;
  const option = typed === "timeout" ? "--timeout 60" : "--quiet";
  throw new UsageError(`--${typed} needs --wait`, { hint: `hivemind send NAME --wait ${option} TEXT` });
}

async function wordsOf(hive: Hive, { id }: Sent): Promise<string | null> {
  const { answerWords } = await import("../../messages/answered.js");
  return answerWords(hive, id!);
}

/** Keeps tabs: they are part of the answer. */
function harmlessLine(line: string): string {
  return line.split("\t").map(harmless).join("\t");
}

async function answerTo(cli: Cli, hive: Hive, { id }: Sent, patience: Patience): Promise<Awaited> {
  const { awaitAnswer } = await import("../../messages/answered.js");
  cli.out.progress("waiting for the answer");
  const awaited = await awaitAnswer(hive, id!, patience);
  cli.out.progress(null);
  return awaited;
}
