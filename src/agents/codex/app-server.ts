// A talk with a private `codex app-server` over its standard input and output: one JSON value per line.
//
// - It makes and forks conversations, so that their ids are known before a client starts in them. Neither needs the
//   lock of the conversation, and the server holds none after it ended.
// - It puts messages into the queue of a conversation. The client that holds the conversation takes them: at the end
//   of its turn, or when it looks, every 10 seconds. The queue outlives every process.
// - The client records a message from the queue with the id that the sender gave it. The queue has an id of its own
//   for the message, which is not recorded.
// - The server answers requests in order, and sends notices between the answers.

import { HiveError } from "../../base/errors.js";
import { readSessionId, type SessionId } from "../../names/gates.js";
import { type Json, objectOrNull, parseRecord, textOrNull } from "../record.js";

/** The two ends of a running server. */
export interface Wire {
  send(line: string): void;
  /** Null if the server ended. */
  next(): Promise<string | null>;
}

export interface Server {
  /** A new, empty conversation. A name makes the client write its file: without one nobody could resume it. */
  create(cwd: string, name: string): Promise<SessionId>;
  /** The copy shares the beginning with its parent: its own file has only what comes later. */
  fork(parent: SessionId, cwd: string): Promise<SessionId>;
  rename(session: SessionId, name: string): Promise<void>;
  /** Returns the queue's id for the message. */
  enqueue(letter: { session: SessionId; id: string; text: string }): Promise<string>;
  /** What still waits in the queue of a conversation, oldest first. */
  waiting(session: SessionId): Promise<Waiting[]>;
  /** False if the message no longer waits. */
  withdraw(session: SessionId, queueId: string): Promise<boolean>;
}

export interface Waiting {
  queueId: string;
  /** The sender's id for the message. */
  id: string | null;
}

/** The server answered with an error: it did nothing. */
export class Refused extends HiveError {}

export async function openServer(wire: Wire): Promise<Server> {
  let requests = 0;
  const ask = async (method: string, params: Json): Promise<Json> => {
    const id = ++requests;
    wire.send(JSON.stringify({ id, method, params }));
    for (;;) {
      const line = await wire.next();
      if (line === null) throw new HiveError(`codex app-server ended without an answer to ${method}`);
      const answer = parseRecord(line);
      if (answer?.id !== id) continue;
      const error = objectOrNull(answer.error);
      if (error !== null) throw new Refused(`codex refused ${method}: ${textOrNull(error.message) ?? "?"}`);
      return objectOrNull(answer.result) ?? {};
    }
  };
  await ask("initialize", {
    clientInfo: { name: "hivemind", version: "1" },
    // Without it the server does not know the queue.
    capabilities: { experimentalApi: true },
  });
  wire.send(JSON.stringify({ method: "initialized" }));
  const rename = async (threadId: SessionId, name: string) =>
    void (await ask("thread/name/set", { threadId, name }));
  return {
    create: async (cwd, name) => {
      const session = sessionIn(await ask("thread/start", { cwd }));
      await rename(session, name);
      return session;
    },
    fork: async (threadId, cwd) => sessionIn(await ask("thread/fork", { threadId, cwd, excludeTurns: true })),
    rename,
    enqueue: async ({ session: threadId, id: clientUserMessageId, text }) => {
      const input = [{ type: "text", text }];
      const answer = await ask("thread/queue/add", { threadId, clientUserMessageId, input });
      return String(objectOrNull(answer.queuedSubmission)?.id);
    },
    waiting: async (threadId) => {
      const found: Waiting[] = [];
      for (let cursor: unknown = null; ; ) {
        const { data, nextCursor } = await ask("thread/queue/list", { threadId, cursor });
        found.push(...(Array.isArray(data) ? data : []).map(waitingIn));
        if (typeof nextCursor !== "string") return found;
        cursor = nextCursor;
      }
    },
    withdraw: async (threadId, queuedSubmissionId) =>
      (await ask("thread/queue/delete", { threadId, queuedSubmissionId })).deleted === true,
  };
}

function sessionIn(answer: Json): SessionId {
  const session = readSessionId(objectOrNull(answer.thread)?.id);
  if (session === null) throw new HiveError("codex app-server named no conversation");
  return session;
}

function waitingIn(value: unknown): Waiting {
  const item = objectOrNull(value);
  return { queueId: String(item?.id), id: textOrNull(item?.clientUserMessageId) };
}
