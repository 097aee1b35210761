// Posts messages into the inbox of a client, as any program of the same user can.

import { createConnection } from "node:net";

export interface Posted {
  sessionId?: string;
  id?: string;
  from?: string;
  content: string;
}

/** As a sender writes a text that should be shown under its name. */
export function wrapped(text: string, name = "tester", mode = "prompting"): string {
  return `<cross-session-message from="hivemind:${name}" from-name="${name}" from-mode="${mode}">\n${text}\n</cross-session-message>`;
}

export function lineOf({ sessionId, id, from = "hivemind:tester", content }: Posted): string {
  const message = { role: "user", content };
  return JSON.stringify({ type: "user", msgV: 1, msg_id: id, from, session_id: sessionId, message });
}

/** Resolves with what the client said on the connection, once it has closed it: nothing, so far. */
export function post(socket: string, ...messages: Posted[]): Promise<string> {
  return postLines(socket, ...messages.map(lineOf));
}

export function postLines(socket: string, ...lines: string[]): Promise<string> {
  return new Promise((closed, failed) => {
    let said = "";
    const connection = createConnection(socket, () => {
      connection.end(lines.map((line) => `${line}\n`).join(""));
    });
    connection.setEncoding("utf8");
    connection.on("data", (text) => {
      said += text;
    });
    connection.on("error", failed);
    connection.on("close", () => closed(said));
  });
}
