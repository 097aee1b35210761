// Takes the mail of this host's agents, and delivers it as this host delivers its own messages.
//
// [MA1] Mail is done when its message is in a queue of this host, or when its refusal is written down. Until then it
//       comes again.
// [MA2] A far agent speaks as an agent. A far person speaks as a colleague, unless this host takes that host's people
//       for its own user. Neither can send a command then.

import { exitCodes, HiveError } from "../../base/errors.js";
import { LockedError } from "../../base/files/lock.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import { awaitAnswer } from "../../messages/answered.js";
import { drainUnlessLocked } from "../../messages/drain.js";
import { withFarSender } from "../../messages/sender.js";
import type { Speaker } from "../../messages/speaker.js";
import type { Host } from "../../names/gates.js";
import type { MailId } from "../../names/mail-id.js";
import { type Bus, NatsError, type Subscription, type Taken } from "../../nats/bus.js";
import { StoreError } from "../../stores/file/error.js";
import { type Join, joinOf, mayFrom } from "../join.js";
import { anyOf, consumers, streams, subjects } from "../subjects.js";
import { openTeller, type Teller } from "./mail-fates.js";
import { type Mail, readMail, writerOf } from "./mail-form.js";
import { messageOfMail, type TakenMail, takeMail } from "./take-mail.js";

/** What the parts for mail need of the link. */
export interface MailLink {
  bus: Bus;
  join: Join;
  hive: Hive;
  env: NodeJS.ProcessEnv;
  /** A line for the log of the watcher. */
  say(line: string): void;
  interrupted: AbortSignal;
}

export async function takeMailPart(link: MailLink): Promise<Subscription> {
  const { bus, join } = link;
  const teller = openTeller(link);
  const underWay = new Set<Promise<void>>();
  const begin = (work: Promise<void>) => {
    underWay.add(work);
    void work.finally(() => underWay.delete(work));
  };
  const taking = await bus.consume(
    streams.mail,
    consumers.mail(join.host),
    subjects.mail(join.host, anyOf),
    (message) => receive(link, teller, begin, message),
  );
  return {
    async stop() {
      await taking.stop();
      await teller.stop();
    },
  };
}

async function receive(
  link: MailLink,
  teller: Teller,
  begin: (work: Promise<void>) => void,
  message: Taken,
): Promise<void> {
  const from = writerOf(message.subject);
  if (from === null) return;
  const mail = readMail(message.bytes, from);
  if ("refused" in mail) {
    link.say(`mail of ${from} is refused: ${mail.refused}`);
    if (mail.id !== null) await refuse(link, teller, mail.id, from, mail.refused);
    return;
  }
  const before = link.hive.stores.mail.last(mail.id);
  if (before?.step === "refused") return teller.tell(mail.id, from, "refused", before.detail);
  const taken = await takeOrRefuse(link, teller, mail, from, message);
  if (taken === null) return;
  await teller.took(taken.id, mail.id, from, { isAwaited: mail.isAwaited });
  begin(
    deliver(link, teller, mail, from, taken).catch((error) => link.say(`mail of ${from}: ${wordsOf(error)}`)),
  );
}

/** Null if nothing is left to do. What is in a queue, or was, is never refused. */
async function takeOrRefuse(
  link: MailLink,
  teller: Teller,
  mail: Mail,
  from: Host,
  { deliveries }: Taken,
): Promise<TakenMail | null> {
  try {
    const { speaker, text } = spoken(link, mail, from);
    return await takeMail(link.hive, { mail: mail.id, to: mail.to, text, speaker });
  } catch (error) {
    // It came before, and its agent may be gone since.
    const known = messageOfMail(link.hive, mail.id);
    if (known !== null) {
      await teller.took(known, mail.id, from, { isAwaited: mail.isAwaited });
      return null;
    }
    if (!isRefusal(error) && deliveries < limits.mailTries) {
      link.say(`mail of ${from} is tried again: ${wordsOf(error)}`);
      throw error;
    }
    await refuse(link, teller, mail.id, from, wordsOf(error));
    return null;
  }
}

/** Who speaks, and the text as the agent gets it. */
function spoken(
  { join, env, hive }: MailLink,
  { by, text }: Mail,
  from: Host,
): { speaker: Speaker; text: string } {
  const name = `${by.name}@${from}`;
  // A person may have allowed it since this worker began.
  const now = joinOf(env, hive.stores) ?? join;
  if (by.kind === "person" && mayFrom(now, "user", from))
    return { speaker: { kind: "person", name, isNow: false }, text };
  const pane = by.kind === "agent" ? by.pane : null;
  return { speaker: { kind: "agent", name, agent: null }, text: withFarSender(text, name, pane) };
}

/** It is written down first: the same mail gets the same answer if it comes again. */
async function refuse(
  { hive }: MailLink,
  teller: Teller,
  id: MailId,
  from: Host,
  why: string,
): Promise<void> {
  await hive.stores.mail.add({ id, with: from, step: "refused", detail: asRow(why) });
  await teller.tell(id, from, "refused", why);
}

/** At once if its agent listens; else the watcher delivers it later. */
async function deliver(
  link: MailLink,
  teller: Teller,
  mail: Mail,
  from: Host,
  { id, agent }: TakenMail,
): Promise<void> {
  const { hive, interrupted } = link;
  if (mail.isAwaited) {
    await awaitAnswer(hive, id, { timeoutMs: limits.mailAnswerMs, interrupted });
  } else {
    const { stopped } = await drainUnlessLocked(hive, agent.id, {
      upTo: id,
      waitMs: limits.sendLockMs,
      interrupted,
    });
    if (stopped !== null)
      await teller.tell(mail.id, from, stopped.kind === "held" ? "held" : "queued", stopped.why);
  }
  await teller.look();
}

/** Somebody can fix it on the sender's side. What could not be looked at, locked or told is tried again. */
function isRefusal(error: unknown): error is HiveError {
  const isBusy = [LockedError, StoreError, NatsError].some((kind) => error instanceof kind);
  return error instanceof HiveError && !isBusy && error.exitCode === exitCodes.refused;
}

function wordsOf(error: unknown): string {
  if (!(error instanceof HiveError)) return error instanceof Error ? error.message : String(error);
  return error.hint === undefined ? error.message : `${error.message} (${error.hint})`;
}

function asRow(text: string): string {
  return text.replaceAll(/[|\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").slice(0, limits.farDetailLength);
}
