// The messages of a run: who sent what to whom, and what became of it in the end.

import { setTimeout as rest } from "node:timers/promises";
import { expect } from "vitest";
import { mailBytes } from "../../../src/link/mail/mail-form.js";
import { subjects } from "../../../src/link/subjects.js";
import { hostName } from "../../../src/names/gates.js";
import { type MailId, newMailId } from "../../../src/names/mail-id.js";
import { lastMailRows } from "../../../src/stores/link/mail-log.js";
import { letters, readTranscript, texts } from "../../demo-agent/driver.js";
import { until } from "../../home.js";
import type { ChaosHost } from "./fleet.js";

interface Letter {
  id: MailId;
  text: string;
  from: ChaosHost;
  to: ChaosHost;
  /** The server has it. Without an answer it may have it, or not. */
  isPosted: boolean;
}

export interface Post {
  /** Posts mail as `hivemind send` does: with an id, again and again until the server has it. */
  send(from: ChaosHost, to: ChaosHost): void;
  /** Typed by a person of that host into its own agent. */
  say(host: ChaosHost): void;
  /** How much mail was sent. */
  count(): number;
  arrived(): number;
  /** Waits until every message has its end, and checks it. */
  settle(): Promise<void>;
}

const patienceMs = 100_000;

export function openPost(): Post {
  const mail: Letter[] = [];
  const words: { text: string; host: ChaosHost }[] = [];
  const underWay = new Set<Promise<unknown>>();
  let count = 0;
  const begin = (work: Promise<unknown>) => {
    const kept = work.catch(() => {}).finally(() => underWay.delete(kept));
    underWay.add(kept);
  };
  return {
    send(from, to) {
      const id = newMailId(hostName(from.name));
      const letter = { ...{ id, from, to, isPosted: false }, text: `letter ${++count} of ${from.name}.` };
      mail.push(letter);
      begin(post(letter));
    },
    say(host) {
      const text = `words ${++count} for ${host.name}.`;
      words.push({ text, host });
      begin(host.run("send", "tester", text));
    },
    count: () => mail.length,
    arrived: () => mail.filter((letter) => arrivals(letter) > 0).length,
    async settle() {
      await until("everything is posted or given up", () => underWay.size === 0, patienceMs);
      for (const letter of mail) await checkMail(letter);
      for (const each of words) await checkWords(each);
    },
  };
}

async function post(letter: Letter): Promise<void> {
  const { id, text, from, to } = letter;
  await from.stores.mail.add({ id, with: `tester@${to.name}`, step: "sent", detail: "" });
  const bytes = mailBytes({
    ...{ id, to: "tester", text, by: { kind: "person", name: "ann" }, isAwaited: false },
  });
  // The server compares the ids of two minutes.
  for (const end = performance.now() + 90_000; performance.now() < end; await rest(500)) {
    try {
      await from.bus.append(subjects.mail(to.name, from.name), bytes, { id });
      letter.isPosted = true;
      return;
    } catch {
      // A node or a network is away.
    }
  }
}

function arrivals({ to, text }: Letter): number {
  const { home, session } = to;
  return letters(readTranscript(home, home.work, session)).filter((each) => each.endsWith(text)).length;
}

/** In the conversation once, or its sender knows that it is not. */
async function checkMail(letter: Letter): Promise<void> {
  const { id, from, to, text, isPosted } = letter;
  const what = `${text} to ${to.name}`;
  const fate = () => lastMailRows(from.stores.mail.read().rows).get(id)?.step;
  const isEnd = () => !["sent", "queued", "held", "enqueued", undefined].includes(fate());
  if (isPosted)
    await until(`the end of ${what}`, isEnd, patienceMs).catch((error) => {
      throw new Error(`${error.message}; it is ${fate()}, in the conversation ${arrivals(letter)} times`);
    });
  const found = { what, fate: fate(), arrivals: arrivals(letter) };
  if (found.fate === "accepted" || found.fate === "answered") expect(found).toMatchObject({ arrivals: 1 });
  else if (found.fate === "uncertain" || !isPosted) expect(found.arrivals, what).toBeLessThanOrEqual(1);
  else expect(found).toMatchObject({ arrivals: 0 });
}

/** Typed once, or in the list of uncertain messages. */
async function checkWords({ text, host }: { text: string; host: ChaosHost }): Promise<void> {
  const { home, session, stores } = host;
  const typed = () =>
    texts(readTranscript(home, home.work, session), "user").filter((each) => each === text).length;
  await until(`${host.name} has nothing queued`, () => stores.queues.ids().length === 0, patienceMs);
  const isKnown = stores.receipts
    .read()
    .rows.some(({ step, detail }) => step === "uncertain" && detail.includes(text));
  expect(typed(), text).toBeLessThanOrEqual(1);
  if (!isKnown) expect(typed(), text).toBe(1);
}
