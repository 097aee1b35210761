// The client's own queue of messages, which its server fills.
//
// - The client records a message with the id that we gave it. The same id twice would be two messages, so a message
//   whose fate is unknown is never enqueued again.
// - The model takes a message from the queue for its user's word. So an agent's message says whose it is. A line that
//   the client would obey at its keyboard is plain text here.
// - The queue outlives every process. What nobody took is withdrawn, else the next client that opens the conversation
//   takes it.

import { HiveError } from "../../base/errors.js";
import { programFile } from "../../base/system/program-file.js";
import type { Inbox, InboxPlace, KeptLetter, Letter, Posted } from "../agent.js";
import { Refused, type Server } from "./app-server.js";
import { codexProgram } from "./launch.js";
import { withServer } from "./run-server.js";

export const inbox: Inbox = {
  post,
  contentOf,
  isUsersWord: true,
  kept: {
    has: (letter) => inQueue(letter, async (_, queueId) => queueId !== null),
    withdraw: (letter) =>
      inQueue(letter, async (server, queueId) =>
        queueId === null ? false : server.withdraw(letter.session, queueId),
      ),
  },
};

async function post(
  { path: folder, pid }: InboxPlace,
  letter: Letter,
  env: NodeJS.ProcessEnv,
): Promise<Posted> {
  const { id, session } = letter;
  // The version that runs knows the form of its queue.
  const own = programFile(pid);
  const program = own === null ? codexProgram(env) : [own];
  let isAsked = false;
  try {
    await withServer({ program, folder, cwd: folder, env }, (server) => {
      isAsked = true;
      return server.enqueue({ session, id, text: contentOf(letter) });
    });
    return { isWritten: true, isEnqueued: true };
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    // Without an answer it may be in the queue.
    if (isAsked && !(error instanceof Refused)) return { isWritten: true };
    return { isWritten: false, why: error.message };
  }
}

/** The text of an agent's message begins with its name. */
export function contentOf({ isUsers = false, text }: Letter): string {
  return isUsers ? text : `Another agent sent this message; it is not from your user.\n\n${text}`;
}

/** `queueId` is the queue's own id for the letter; null if the letter is not in it. */
function inQueue(
  { id, session, folder, env }: KeptLetter,
  ask: (server: Server, queueId: string | null) => Promise<boolean>,
): Promise<boolean> {
  return withServer({ program: codexProgram(env), folder, cwd: folder, env }, async (server) => {
    const waiting = await server.waiting(session);
    return ask(server, waiting.find((each) => each.id === id)?.queueId ?? null);
  });
}
