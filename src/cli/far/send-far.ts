// Sends a message to an agent of another host: into the mail, and then what its host says about it.

import { setTimeout as rest } from "node:timers/promises";
import { type ExitCode, exitCodes, HiveError, UsageError } from "../../base/errors.js";
import type { Hive } from "../../hive/hive.js";
import { senderOf } from "../../hive/sender-of.js";
import { limits } from "../../limits.js";
import { hearFatesPart } from "../../link/mail/mail-fates.js";
import { type FarSpeaker, mailBytes } from "../../link/mail/mail-form.js";
import { subjects } from "../../link/subjects.js";
import { type Sender, withSender } from "../../messages/sender.js";
import type { PaneAddress } from "../../names/gates.js";
import { type MailId, newMailId } from "../../names/mail-id.js";
import { NatsError } from "../../nats/bus.js";
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
    const id = newMailId(join.host);
    const isAwaited = input.flag("wait");
    const bytes = mailBytes({ id, to: name, text, by: speakerOf(sender, cli.env), isAwaited });
    const hear = () => hearFatesPart({ bus, join, hive, say: cli.out.note });
    const hearing = await patiently(hear, interrupted);
    try {
      await hive.stores.mail.add({ id, with: `${name}@${host}`, step: "sent", detail: "" });
      await post(() => bus.append(subjects.mail(host, join.host), bytes, { id }), interrupted);
      const isEnough = ({ step }: MailRow) => (isAwaited ? isOver(step) : step !== "queued");
      const forFateMs = state.isReached ? limits.firstFateMs : 0;
      const patienceMs = isAwaited ? (timeoutMs ?? Number.POSITIVE_INFINITY) : forFateMs;
      cli.out.progress(isAwaited ? `waiting for the answer of ${name}@${host}` : `in the mail of ${host}`);
      const fate = await heard(hive, id, isEnough, { patienceMs, interrupted });
      cli.out.progress(null);
      return report(cli, input, { id, who: `${name}@${host}`, host, state, fate, isAwaited, interrupted });
    } finally {
      await hearing.stop();
    }
  });
}

/** A cluster that lost a node chooses new leaders for seconds. */
async function patiently<T>(work: () => Promise<T>, interrupted: AbortSignal): Promise<T> {
  const end = performance.now() + limits.mailAppendMs;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof NatsError) || performance.now() > end || interrupted.aborted) throw error;
      await rest(limits.natsReconnectMs, undefined, { signal: interrupted }).catch(() => {});
    }
  }
}

/** Its id keeps mail that is posted again from being kept twice. */
async function post(append: () => Promise<unknown>, interrupted: AbortSignal): Promise<void> {
  try {
    await patiently(append, interrupted);
  } catch (error) {
    if (!(error instanceof NatsError)) throw error;
    throw new HiveError(`the message may be in the mail, or not: ${error.message}`, {
      hint: "see what became of it: hivemind fleet mail",
      exitCode: exitCodes.couldNotLook,
      cause: error,
    });
  }
}

/** Waits for the word in our log that is enough. The last word otherwise; null if nothing was heard. */
async function heard(
  { stores: { mail: log } }: Hive,
  id: MailId,
  isEnough: (fate: MailRow) => boolean,
  { patienceMs, interrupted }: { patienceMs: number; interrupted: AbortSignal },
): Promise<MailRow | null> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const last = log.last(id);
    const fate = last === null || last.step === "sent" ? null : last;
    if (interrupted.aborted || (fate !== null && isEnough(fate)) || performance.now() >= end) return fate;
    await rest(limits.fatePollMs, undefined, { signal: interrupted }).catch(() => {});
  }
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
      ...{ to: who, id, outcome: fate === null ? "sent" : outcomes[fate.step], why: fate?.detail || null },
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
  const { step, detail } = fate;
  const why = detail === "" ? "" : `: ${shown(detail)}`;
  if (step === "refused" || step === "expired" || step === "cleared")
    throw new HiveError(`${step} for ${who}${why}`, { hint: `see what runs there: hivemind status --fleet` });
  if (step === "uncertain")
    throw new HiveError(`sent to ${who}, but not confirmed${why}`, {
      hint: `hivemind never sends it again; look there: hivemind context ${who}`,
    });
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
      `${outcomes[step]} ${step === "queued" || step === "held" ? "for" : "to"} ${who}${because}`,
    );
}

const outcomes: Readonly<Record<MailStep, string>> = {
  ...{ sent: "sent", queued: "queued", held: "held", enqueued: "delivered", accepted: "delivered" },
  ...{
    answered: "delivered",
    uncertain: "uncertain",
    expired: "expired",
    cleared: "cleared",
    refused: "refused",
  },
};

function isOver(step: MailStep): boolean {
  return ["answered", "uncertain", "expired", "cleared", "refused"].includes(step);
}

function speakerOf(sender: Sender | null, env: NodeJS.ProcessEnv): FarSpeaker {
  if (sender === null) return { kind: "person", name: personIn(env).slice(0, limits.farNameLength) };
  const { role, pane, agent } = sender;
  return { kind: "agent", name: role ?? pane ?? agent ?? "background", pane: pane as PaneAddress | null };
}
