// The client's own inbox: a unix socket that takes one JSON line per message.
//
// - The line names the conversation, and the client drops a line for any other. So a message cannot reach the wrong
//   one, not even after a `/clear` in the same moment.
// - The client records the line's `msg_id` with the message, but only a UUID. Ours is derived from the message's id.
// - The client drops a content that repeats the last one of its sender. The message's id in the wrapper makes each
//   content unique.
// - The client takes 30 messages of one sender at once, then one every two seconds. It drops others, mostly without
//   a sign, so the caller keeps to that pace.
// - The registry file names the socket. It counts only if the client's own process listens there.

import { v5 } from "uuid";
import { listensAt } from "../../base/system/listening.js";
import { limits } from "../../limits.js";
import { postLine } from "../../sockets/post-line.js";
import type { Inbox, InboxPlace, Letter, Posted } from "../agent.js";

export const inbox: Inbox = {
  post,
  contentOf,
  pace: { burst: limits.inboxBurst, everyMs: limits.inboxEveryMs },
};

async function post({ path, pid }: InboxPlace, letter: Letter): Promise<Posted> {
  if (listensAt(pid, path) === false) return notWritten("its client does not listen at its inbox");
  const line = letterLine(letter);
  if (line.length > limits.inboxLineLength) return notWritten("the message is too long for its inbox");
  const why = await postLine(path, line);
  return why === null ? { isWritten: true } : notWritten(why);
}

export function letterLine(letter: Letter): string {
  const { id, session, from } = letter;
  const message = { role: "user", content: contentOf(letter) };
  const sender = `hivemind:${nameOf(from)}`;
  const line = { type: "user", msgV: 1, msg_id: letterId(id), from: sender, session_id: session, message };
  return `${JSON.stringify(line)}\n`;
}

/** The id under which the client records a message. */
export function letterId(id: string): string {
  return v5(id, letterNamespace);
}

const letterNamespace = "3a0f7d52-6c1e-5b8e-9d43-7be2f0a1c6d4";

/**
 * The client knows the wrapper only in exactly this form, and with no `@` in it. It escapes a tag in the text in the
 * same way.
 */
export function contentOf({ id, from, text }: Letter): string {
  const [name, own] = [nameOf(from), nameOf(id)];
  const escaped = text.replaceAll(/<(?=\/?cross-session-message)/gi, "<\\");
  return (
    `<cross-session-message from="hivemind:${name}:${own}" from-name="${name}" from-mode="prompting">\n` +
    `${escaped}\n</cross-session-message>`
  );
}

function notWritten(why: string): Posted {
  return { isWritten: false, why };
}

/** The sender as the client's notices call it. Nothing in it could end an attribute. */
export function nameOf(from: string): string {
  return from.replace(/[^\w.-]+/g, "-");
}
