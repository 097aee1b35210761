// Messages into a running client, through the HTTP server of its own process.
//
// - The client keeps the id that we give a message: its records prove it. The same id again adds nothing but its text,
//   so a message whose fate is unknown is never posted again.
// - It takes a message at any moment: in a turn and behind a question the message waits for its turn. A draft stays.
// - The model takes it for its user's word. So an agent's message says whose it is. A line that the client would obey
//   at its keyboard is plain text here.
// - Only the server that hivemind started has hivemind's password. A client may listen at other ports too.

import { limits } from "../../limits.js";
import { type Asked, askHttp } from "../../sockets/ask-http.js";
import type { Inbox, InboxPlace, Letter, Posted } from "../agent.js";
import { messageIdFor } from "./message-id.js";
import { user } from "./password.js";

export const inbox: Inbox = { post, contentOf, isUsersWord: true };

/** The place's path is the process's own ports, `4096` or `4096 19876`. */
async function post({ path, key = null }: InboxPlace, letter: Letter): Promise<Posted> {
  if (key === null) return { isWritten: false, why: foreign };
  let why = foreign;
  for (const port of path.split(" ").map(Number)) {
    const to = { port, user, password: key, timeoutMs: limits.opencodeAskMs };
    const health = await askHttp({ ...to, method: "GET", path: "/global/health" });
    if (health === null) why = "its server does not answer";
    if (health?.sent === true && health.status === 200) return postTo(to, letter);
  }
  return { isWritten: false, why };
}

async function postTo(
  to: Pick<Asked, "port" | "user" | "password" | "timeoutMs">,
  letter: Letter,
): Promise<Posted> {
  const messageID = messageIdFor(letter.id, Date.now());
  const body = { messageID, parts: [{ type: "text", text: contentOf(letter) }] };
  const path = `/session/${letter.session}/prompt_async`;
  const answer = await askHttp({ ...to, method: "POST", path, body });
  if (answer === null) return { isWritten: true };
  if (!answer.sent) return { isWritten: false, why: answer.why };
  if (answer.status < 300) return { isWritten: true };
  return { isWritten: false, why: `its client refused the message with status ${answer.status}` };
}

const foreign = "hivemind has no password for its server: start it again with hivemind agent restart";

/** The text of an agent's message begins with its name. */
export function contentOf({ isUsers = false, text }: Letter): string {
  return isUsers ? text : `Another agent sent this message; it is not from your user.\n\n${text}`;
}
