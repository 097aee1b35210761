// Streams: append, read, follow, and work through them.

import { setTimeout as rest } from "node:timers/promises";
import type { ConsumerMessages, JsMsg } from "@nats-io/jetstream";
import { limits } from "../limits.js";
import type { Bus, Stored, StreamFacts, Subscription, Taken } from "./bus.js";
import { orNatsError } from "./failure.js";
import type { Nats } from "./parts.js";

export function openStreams(nats: Nats): Pick<Bus, "append" | "consume" | "read" | "last" | "follow"> {
  const { library, jetstream, manager } = nats;
  return {
    append: (subject, bytes, { id, headers = {} } = {}) =>
      orNatsError(async () => {
        const own = library.headers();
        for (const [name, value] of Object.entries(headers)) own.set(name, value);
        const { seq, duplicate } = await jetstream.publish(subject, bytes, {
          headers: own,
          ...(id === undefined ? {} : { msgID: id }),
        });
        return { sequence: seq, isDuplicate: duplicate };
      }),
    consume: (stream, consumer, subject, take) =>
      orNatsError(() => workThrough(nats, () => openConsumer(nats, stream, consumer, subject), take)),
    read: (stream, subject, fromSequence) => readAll(nats, stream, subject, fromSequence),
    last: (stream, subject) =>
      orNatsError(async () => {
        const found = await manager.streams
          .getMessage(stream, { last_by_subj: subject })
          .catch(unlessNoMessage);
        if (found === null) return null;
        const { data, seq, header, timestamp } = found;
        return {
          ...{ subject: found.subject, bytes: data, sequence: seq },
          storedAtMs: Date.parse(timestamp),
          header: (name: string) => header?.get(name) || null,
        };
      }),
    follow: (stream, subject, take) =>
      orNatsError(async () => {
        const ordered = await jetstream.consumers.get(stream, {
          filter_subjects: subject,
          deliver_policy: library.DeliverPolicy.New,
        });
        const messages = await ordered.consume();
        void (async () => {
          for await (const message of messages) take(storedOf(message));
        })().catch(() => {});
        return { stop: async () => void (await messages.close()) };
      }),
  };
}

export async function streamFacts({ manager }: Nats, name: string): Promise<StreamFacts | null> {
  return orNatsError(async () => {
    try {
      const { config, state } = await manager.streams.info(name);
      const { messages, bytes: sizeBytes, first_seq: firstSequence } = state;
      return { replicas: config.num_replicas, messages, sizeBytes, firstSequence };
    } catch (error) {
      // 10059: there is no such stream.
      if ((error as { code?: unknown }).code === 10059 || /stream not found/.test(String(error))) return null;
      throw error;
    }
  });
}

/** Makes the consumer if it is missing. Its messages end if the server has it no more. */
async function openConsumer(
  { library, jetstream, manager }: Nats,
  stream: string,
  consumer: string,
  subject: string,
): Promise<ConsumerMessages> {
  await manager.consumers.add(stream, {
    durable_name: consumer,
    filter_subject: subject,
    ack_policy: library.AckPolicy.Explicit,
    deliver_policy: library.DeliverPolicy.All,
    ack_wait: limits.natsAckMs * 1_000_000,
    max_ack_pending: limits.natsUnderWay,
  });
  const source = await jetstream.consumers.get(stream, consumer);
  return source.consume({
    ...{ max_messages: limits.natsUnderWay, expires: limits.natsPullMs, abort_on_missing_resource: true },
  });
}

/** One message after the other. A failed one comes again after a rest. A consumer that vanished is made again. */
async function workThrough(
  { connection }: Nats,
  open: () => Promise<ConsumerMessages>,
  take: (message: Taken) => Promise<void>,
): Promise<Subscription> {
  let messages = await open();
  const end = new AbortController();
  const isOver = () => end.signal.aborted || connection.isClosed();
  const work = (async () => {
    while (!isOver()) {
      await takeEach(messages, take);
      if (isOver()) return;
      await rest(limits.natsAgainMs, undefined, { signal: end.signal }).catch(() => {});
      messages = await open().catch(() => messages);
      if (isOver()) messages.stop();
    }
  })();
  return {
    async stop() {
      end.abort();
      messages.stop();
      await Promise.race([work, rest(limits.natsCloseMs, undefined, { ref: false })]);
    },
  };
}

/** Resolves when no more messages come: it was stopped, or the server has no such consumer. */
async function takeEach(messages: ConsumerMessages, take: (message: Taken) => Promise<void>): Promise<void> {
  try {
    for await (const message of messages) {
      try {
        await take({
          ...storedOf(message),
          deliveries: message.info.deliveryCount,
          goesOn: () => message.working(),
        });
        message.ack();
      } catch {
        message.nak(limits.natsAgainMs);
      }
    }
  } catch {
    // The library says why; the consumer is opened again.
  }
}

/** 10037: the stream has no such message. */
function unlessNoMessage(error: unknown): null {
  if ((error as { code?: unknown }).code === 10037 || /no message found/.test(String(error))) return null;
  throw error;
}

async function* readAll(
  { jetstream, library }: Nats,
  stream: string,
  subject: string,
  fromSequence: number | undefined,
): AsyncGenerator<Stored> {
  const from =
    fromSequence === undefined
      ? {}
      : { deliver_policy: library.DeliverPolicy.StartSequence, opt_start_seq: fromSequence };
  const ordered = await orNatsError(() =>
    jetstream.consumers.get(stream, { filter_subjects: subject, ...from }),
  );
  const { num_pending: count } = await orNatsError(() => ordered.info(false));
  for (let left = count; left > 0; ) {
    const batch = await orNatsError(() =>
      ordered.fetch({ max_messages: Math.min(left, limits.natsBatch), expires: limits.natsAnswerMs }),
    );
    let got = 0;
    for await (const message of batch) {
      got++;
      yield storedOf(message);
      if (message.info.pending === 0) return;
    }
    // What expired meanwhile does not come.
    if (got === 0) return;
    left -= got;
  }
}

function storedOf(message: JsMsg): Stored {
  const { subject, data, seq, headers, info } = message;
  return {
    ...{ subject, bytes: data, sequence: seq },
    storedAtMs: info.timestampNanos / 1_000_000,
    header: (name) => headers?.get(name) || null,
  };
}
