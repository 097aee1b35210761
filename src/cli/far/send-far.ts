// Sends a message to an agent of another host: into the mail, and then what its host says about it.

import { type ExitCode, exitCodes, HiveError, UsageError } from "../../base/errors.js";
import { senderOf } from "../../hive/sender-of.js";
import { limits } from "../../limits.js";
import {
  farSpeaker,
  mailOutcomes,
  mailRefusal,
  openPostOffice,
  patiently,
} from "../../link/mail/post-mail.js";
import { withSender } from "../../messages/sender.js";
import type { MailRow, MailStep } from "../../stores/link/mail-log.js";
import type { Cli, Input } from "../command.js";
import { shown } from "../output.js";
import { personIn } from "../person.js";
import { textOf, timeoutOf } from "../send/send-shared.js";
import { sinceText } from "./ages.js";
import { type FarName, hostNamed, withFar } from "./open-far.js";

export async function sendFar(cli: Cli, input: Input, { name, host }: FarName): Promise<ExitCode> {
  for (const option of ["now", "team"])
    if (input.flag(option) || input.option(option) !== undefined)
      throw new UsageError(`--${option} is for agents of this host`, {
        hint: `hivemind send ${name}@${host} TEXT; name its pane or @agent-id if several have the role`,
      });
  const timeoutMs = timeoutOf(input);
  const text = await textOf(input.need("text"));
  const interrupted = cli.untilInterrupted();
  return withFar(cli, async (far) => {
    const { bus, join, hive } = far;
    const sender = senderOf(hive, await hive.panes());
    // An agent of this host may not send what it may not send here.
    withSender(text, sender);
    const state = await patiently(() => hostNamed(far, host), interrupted);
    const isAwaited = input.flag("wait");
    const by = farSpeaker(sender, personIn(cli.env));
    const office = await openPostOffice({ bus, join, hive, say: cli.out.note, interrupted });
    try {
      const id = await office.post({ to: name, host, text, by, isAwaited });
      const isEnough = ({ step }: MailRow) => (isAwaited ? isOver(step) : step !== "queued");
      const forFateMs = state.isReached ? limits.firstFateMs : 0;
      const patienceMs = isAwaited ? (timeoutMs ?? Number.POSITIVE_INFINITY) : forFateMs;
      cli.out.progress(isAwaited ? `waiting for the answer of ${name}@${host}` : `in the mail of ${host}`);
      const fate = await office.heard(id, isEnough, patienceMs);
      cli.out.progress(null);
      return report(cli, input, { id, who: `${name}@${host}`, host, state, fate, isAwaited, interrupted });
    } finally {
      await office.close();
    }
  });
}

interface Outcome {
  id: string;
  who: string;
  host: string;
  state: { isReached: boolean; ageMs: number };
  fate: MailRow | null;
  isAwaited: boolean;
  interrupted: AbortSignal;
}

function report(cli: Cli, input: Input, outcome: Outcome): ExitCode {
  const { id, who, host, state, fate, isAwaited } = outcome;
  const isReached = state.isReached;
  if (input.flag("json"))
    cli.out.json({
      ...{
        to: who,
        id,
        outcome: fate === null ? "sent" : mailOutcomes[fate.step],
        why: fate?.detail || null,
      },
      answered: fate?.step === "answered",
      hosts: [{ host, reached: isReached, why: isReached ? null : "not reached", ageMs: state.ageMs }],
    });
  if (fate === null || (fate.step === "queued" && fate.detail === "")) {
    const why = isReached
      ? "its host has said nothing yet"
      : `which is not reached ${sinceText(state.ageMs)}`;
    if (!input.flag("json"))
      cli.out.print(fate === null ? `in the mail of ${host}, ${why}` : `queued for ${who}`);
    return exitCodes.queued;
  }
  const { step } = fate;
  const refusal = mailRefusal(fate, who);
  if (refusal !== null) throw refusal;
  if (isAwaited && step !== "answered" && !outcome.interrupted.aborted && step !== "queued")
    throw new HiveError(`${who}: time is up`, { exitCode: exitCodes.timedOut });
  if (!input.flag("json")) say(cli, who, fate);
  return step === "queued" ? exitCodes.queued : step === "held" ? exitCodes.held : exitCodes.done;
}

function say(cli: Cli, who: string, { step, detail }: MailRow): void {
  const because = detail === "" ? "" : ` (${shown(detail)})`;
  if (step === "answered")
    cli.out.print(`${who} answered; its words are in its conversation there${because}`);
  else
    cli.out.print(
      `${mailOutcomes[step]} ${step === "queued" || step === "held" ? "for" : "to"} ${who}${because}`,
    );
}

function isOver(step: MailStep): boolean {
  return ["answered", "uncertain", "expired", "cleared", "refused"].includes(step);
}
