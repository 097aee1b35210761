// Tells other hosts what became of their mail, and hears what became of ours.
//
// - The receipts say what became of a message, whoever wrote them. A worker that was killed tells the rest when it
//   comes back.
//
// [FT1] Only the host to which mail was sent can say what became of it, and nothing comes after an end but an answer.

import { limits } from "../../limits.js";
import { heldInInbox } from "../../messages/settle.js";
import { mailIn } from "../../messages/speaker.js";
import type { Host } from "../../names/gates.js";
import { type MailId, mailOrigin } from "../../names/mail-id.js";
import type { Subscription } from "../../nats/bus.js";
import { beginning, type Place } from "../../stores/file/append-file.js";
import { lastMailRows, type MailRow, type MailStep } from "../../stores/link/mail-log.js";
import type { MessageId } from "../../stores/queue/queue-rows.js";
import type { Receipt } from "../../stores/receipts.js";
import type { Stores } from "../../stores/stores.js";
import { anyOf, consumers, streams, subjects } from "../subjects.js";
import type { MailLink } from "./mail.js";
import { fateBytes, type MailFate, readFate, writerOf } from "./mail-form.js";

export interface Teller {
  /** From now on its receipts are told. Tells at once that it is queued. */
  took(id: MessageId, mail: MailId, to: Host, options: { isAwaited: boolean }): Promise<void>;
  tell(mail: MailId, to: Host, step: MailStep, detail: string): Promise<void>;
  /** Tells what is new in the receipts. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

export function openTeller(link: MailLink): Teller {
  const { say, interrupted } = link;
  const told = openTold(link);
  const under = openUnderWay(link);
  let pauseMs: number = limits.mailLookMs;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  let last: Promise<void> = Promise.resolve();

  async function tellNews(): Promise<void> {
    for (const [mail, { step, detail }] of under.read()) {
      const before = told.stepOf(mail);
      const isNews = before !== step && !(step === "queued" && before !== undefined);
      if (!isNews || before === "answered") continue;
      pauseMs = limits.mailLookMs;
      await told.tell(mail, mailOrigin(mail), step, detail);
    }
    under.forgetEnded();
  }

  const look = () => {
    last = last
      .then(tellNews)
      .catch((error) => say(`what became of mail: ${String(error?.message ?? error)}`));
    return last;
  };

  /** Others deliver too: their receipts are looked at while something is under way. */
  function wait(): void {
    clearTimeout(timer);
    if (isStopped || interrupted.aborted || under.isEmpty()) return;
    timer = setTimeout(() => void look().then(wait), pauseMs).unref();
    pauseMs = Math.min(2 * pauseMs, 8 * limits.mailLookMs);
  }

  void look().then(wait);
  return {
    async took(id, mail, to, options) {
      under.took(id, mail, options);
      await look();
      if (told.stepOf(mail) === undefined) await told.tell(mail, to, "queued", "");
      pauseMs = limits.mailLookMs;
      wait();
    },
    async tell(mail, to, step, detail) {
      // A reason for waiting that comes after the end would be wrong.
      const known = told.stepOf(mail);
      const isLate = (step === "queued" || step === "held") && known !== undefined && isEnd(known);
      if (!isLate) await told.tell(mail, to, step, detail);
    },
    look,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await look();
    },
  };
}

/** What was told, also by a worker before this one. */
function openTold({ bus, hive, join }: MailLink) {
  const { mail: log } = hive.stores;
  const told = new Map<MailId, MailStep>();
  for (const { id, step } of lastMailRows(log.read().rows).values())
    if (mailOrigin(id) !== join.host) told.set(id, step);
  const tell: Teller["tell"] = async (mail, to, step, detail) => {
    await bus.append(subjects.fate(to, join.host), fateBytes({ id: mail, step, detail }), {
      id: `${mail}.${step}.${detail.length}`,
    });
    told.set(mail, step);
    await log.add({ id: mail, with: to, step, detail: "" });
  };
  return { tell, stepOf: (mail: MailId) => told.get(mail) };
}

/** The mail of other hosts whose end was not told, by what the receipts say. */
function openUnderWay({ hive, join }: MailLink) {
  const { receipts } = hive.stores;
  const mails = new Map<MessageId, MailId>();
  const steps = new Map<MailId, { step: MailStep; detail: string }>();
  /** Their senders wait for the answer. */
  const awaited = new Set<MailId>();
  let place: Place = beginning;
  return {
    isEmpty: () => steps.size === 0,
    took(id: MessageId, mail: MailId, { isAwaited }: { isAwaited: boolean }): void {
      mails.set(id, mail);
      if (isAwaited) awaited.add(mail);
    },
    read() {
      const { rows, next } = receipts.readFrom(place);
      place = next;
      for (const row of rows) {
        const mail = row.step === "queued" ? mailIn([row]) : (mails.get(row.id) ?? null);
        const fate = mail === null ? null : fateIn(row);
        if (mail === null || fate === null || mailOrigin(mail) === join.host) continue;
        mails.set(row.id, mail);
        steps.set(mail, fate);
      }
      return steps;
    },
    forgetEnded(): void {
      for (const [mail, { step }] of steps) {
        const isAnswerComing = step === "accepted" && awaited.has(mail);
        if (isEnd(step) && !isAnswerComing) steps.delete(mail);
      }
    },
  };
}

/** What a receipt means for the sender; null if it is no news for them. */
export function fateIn({
  step,
  detail,
}: Pick<Receipt, "step" | "detail">): { step: MailStep; detail: string } | null {
  switch (step) {
    case "queued":
    case "returned":
      return { step: "queued", detail: step === "queued" ? "" : detail };
    case "enqueued":
      return { step: detail === heldInInbox ? "held" : "enqueued", detail };
    case "typing":
    case "posting":
    case "moved":
      return null;
    default:
      return { step, detail };
  }
}

/**
 * Writes down what other hosts tell about our mail. A command that waits for such a word hears beside the worker: each
 * word comes to one of them, and both read the same log.
 */
export async function hearFatesPart({
  bus,
  join,
  hive,
  say,
}: Pick<MailLink, "bus" | "join" | "hive" | "say">): Promise<Subscription> {
  return bus.consume(
    streams.fates,
    consumers.fates(join.host),
    subjects.fate(join.host, anyOf),
    async ({ subject, bytes }) => {
      const from = writerOf(subject);
      const fate = readFate(bytes, join.host);
      if (from === null || fate === null)
        return say(`a host told something that is not the fate of mail: ${subject}`);
      await noteFate(hive.stores, from, fate);
    },
  );
}

/** The row that it became; null if it says nothing new, or nothing that this host may say. */
export async function noteFate(
  { mail: log }: Pick<Stores, "mail">,
  from: Host,
  { id, step, detail }: MailFate,
): Promise<MailRow | null> {
  const before = log.last(id);
  if (before === null || !follows(before, from, step, detail)) return null;
  await log.add({ id, with: before.with, step, detail });
  return log.last(id);
}

/** Whether this is news about mail that went to that host. Pure. */
export function follows(before: MailRow, from: Host, step: MailStep, detail: string): boolean {
  if (!before.with.endsWith(`@${from}`)) return false;
  if (before.step === step && before.detail === detail) return false;
  return !isEnd(before.step) || (before.step === "accepted" && step === "answered");
}

function isEnd(step: MailStep): boolean {
  return !["sent", "queued", "held", "enqueued"].includes(step);
}
