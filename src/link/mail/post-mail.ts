// Posts mail to agents of other hosts, and hears what their hosts say about it.

import { setTimeout as rest } from "node:timers/promises";
import { exitCodes, HiveError } from "../../base/errors.js";
import type { Hive } from "../../hive/hive.js";
import { limits } from "../../limits.js";
import type { Sender } from "../../messages/sender.js";
import type { Host, PaneAddress } from "../../names/gates.js";
import { type MailId, newMailId } from "../../names/mail-id.js";
import { type Bus, NatsError } from "../../nats/bus.js";
import type { MailRow, MailStep } from "../../stores/link/mail-log.js";
import type { Join } from "../join.js";
import { subjects } from "../subjects.js";
import { hearFatesPart } from "./mail-fates.js";
import { type FarSpeaker, mailBytes } from "./mail-form.js";

export interface Letter {
  /** The agent, as its own host knows it. */
  to: string;
  host: Host;
  text: string;
  by: FarSpeaker;
  /** The sender waits for the answer. */
  isAwaited: boolean;
}

export interface PostOffice {
  /** Its id keeps mail that is posted again from being kept twice. */
  post(letter: Letter): Promise<MailId>;
  /** Waits for a word that is enough. The last word otherwise; null if nothing was heard. */
  heard(id: MailId, isEnough: (fate: MailRow) => boolean, patienceMs: number): Promise<MailRow | null>;
  close(): Promise<void>;
}

export interface PostWorld {
  bus: Bus;
  join: Join;
  hive: Hive;
  say(line: string): void;
  interrupted: AbortSignal;
}

export async function openPostOffice({ bus, join, hive, say, interrupted }: PostWorld): Promise<PostOffice> {
  const { mail: log } = hive.stores;
  const hearing = await patiently(() => hearFatesPart({ bus, join, hive, say }), interrupted);
  return {
    async post({ to, host, ...words }) {
      const id = newMailId(join.host);
      const bytes = mailBytes({ id, to, ...words });
      await log.add({ id, with: `${to}@${host}`, step: "sent", detail: "" });
      await append(() => bus.append(subjects.mail(host, join.host), bytes, { id }), interrupted);
      return id;
    },
    async heard(id, isEnough, patienceMs) {
      const end = performance.now() + patienceMs;
      for (;;) {
        const last = log.last(id);
        const fate = last === null || last.step === "sent" ? null : last;
        const isOver = interrupted.aborted || performance.now() >= end;
        if (isOver || (fate !== null && isEnough(fate))) return fate;
        await rest(limits.fatePollMs, undefined, { signal: interrupted }).catch(() => {});
      }
    },
    close: () => hearing.stop(),
  };
}

/** A cluster that lost a node chooses new leaders for seconds. */
export async function patiently<T>(work: () => Promise<T>, interrupted: AbortSignal): Promise<T> {
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

async function append(work: () => Promise<unknown>, interrupted: AbortSignal): Promise<void> {
  try {
    await patiently(work, interrupted);
  } catch (error) {
    if (!(error instanceof NatsError)) throw error;
    throw new HiveError(`the message may be in the mail, or not: ${error.message}`, {
      hint: "see what became of it: hivemind fleet mail",
      exitCode: exitCodes.couldNotLook,
      cause: error,
    });
  }
}

/** Who speaks in mail: the agent whose tool this process is, or a person of this name. */
export function farSpeaker(sender: Sender | null, person: string): FarSpeaker {
  if (sender === null) return { kind: "person", name: person.slice(0, limits.farNameLength) };
  const { role, pane, agent } = sender;
  return { kind: "agent", name: role ?? pane ?? agent ?? "background", pane: pane as PaneAddress | null };
}

/** What a step means for the one who sent it. */
export const mailOutcomes: Readonly<Record<MailStep, string>> = {
  ...{ sent: "sent", queued: "queued", held: "held", enqueued: "delivered", accepted: "delivered" },
  ...{ answered: "delivered", uncertain: "uncertain", expired: "expired" },
  ...{ cleared: "cleared", refused: "refused" },
};

/** Its agent will not get it: null for every other step. */
export function mailRefusal({ step, detail }: MailRow, who: string): HiveError | null {
  const why = detail === "" ? "" : `: ${detail}`;
  if (step === "refused" || step === "expired" || step === "cleared")
    return new HiveError(`${step} for ${who}${why}`, {
      hint: "see what runs there: hivemind status --fleet",
    });
  if (step !== "uncertain") return null;
  return new HiveError(`sent to ${who}, but not confirmed${why}`, {
    hint: `hivemind never sends it again; look there: hivemind context ${who}`,
  });
}
