// Questions and their answers, which come in pieces. Nothing is stored: a question that nobody hears is lost.
//
// [NQ1] The last word of a question's subject is who asks. Only that one's inbox gets an answer: anybody can write another
// subject into a question, and would make the answerer publish there.
// [NQ2] A message counts by its own subject: a server delivers a stream's messages wherever a consumer wants them.

import { type Bus, NatsError } from "./bus.js";
import { natsError } from "./failure.js";
import type { Nats } from "./parts.js";

export function openQuestions(nats: Nats): Pick<Bus, "ask" | "answer"> {
  const { connection, library } = nats;
  return {
    ask: (subject, bytes, options) => askOnce(nats, subject, bytes, options),
    answer(subject, answer) {
      const sub = connection.subscribe(subject);
      void (async () => {
        for await (const { subject: own, data, reply } of sub) {
          if (reply === undefined || !isQuestion(subject, own) || !isInboxOf(own, reply)) continue;
          void (async () => {
            try {
              for await (const piece of answer({ subject: own, bytes: data }))
                connection.publish(reply, piece);
            } catch (error) {
              const headers = library.headers();
              headers.set(
                failureHeader,
                String((error as Error).message ?? error).replaceAll(/[\r\n]/g, " "),
              );
              connection.publish(reply, new Uint8Array(), { headers });
              return;
            }
            connection.publish(reply, new Uint8Array());
          })().catch(() => {});
        }
      })().catch(() => {});
      return { stop: async () => sub.unsubscribe() };
    },
  };
}

/** Whether the subject is one of those that the pattern stands for; `*` is one word. */
function isQuestion(pattern: string, subject: string): boolean {
  const words = subject.split(".");
  const wanted = pattern.split(".");
  return words.length === wanted.length && wanted.every((each, at) => each === "*" || each === words[at]);
}

function isInboxOf(subject: string, reply: string): boolean {
  return reply.startsWith(`_INBOX.${subject.slice(subject.lastIndexOf(".") + 1)}.`);
}

const failureHeader = "Hive-Failure";

async function* askOnce(
  { connection, library, inboxPrefix }: Nats,
  subject: string,
  bytes: Uint8Array,
  { silenceMs, interrupted }: Parameters<Bus["ask"]>[2],
): AsyncGenerator<Uint8Array> {
  const inbox = library.createInbox(inboxPrefix);
  const sub = connection.subscribe(inbox);
  const stop = () => sub.unsubscribe();
  let isSilent = false;
  const late = () => {
    isSilent = true;
    stop();
  };
  let timer = setTimeout(late, silenceMs);
  interrupted?.addEventListener("abort", stop);
  try {
    connection.publish(subject, bytes, { reply: inbox });
    for await (const message of sub) {
      if (message.subject !== inbox) continue;
      clearTimeout(timer);
      if (message.headers?.code === 503) throw new NatsError("nobody there answers");
      const failure = message.headers?.get(failureHeader);
      if (failure) throw new NatsError(failure);
      if (message.data.length === 0) return;
      timer = setTimeout(late, silenceMs);
      yield message.data;
    }
    interrupted?.throwIfAborted();
    throw new NatsError(isSilent ? `no answer within ${silenceMs / 1000} s` : "the connection was lost");
  } catch (error) {
    throw interrupted?.aborted ? error : natsError(error);
  } finally {
    clearTimeout(timer);
    interrupted?.removeEventListener("abort", stop);
    stop();
  }
}
