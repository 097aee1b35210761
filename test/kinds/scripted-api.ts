// What the stand-ins of all vendors share: a server on the loopback that answers as a test tells it to, when the test
// says so.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "../home.js";

export interface ScriptedApi<Reply, Request> {
  url: string;
  requests: Request[];
  /** The replies of the next turns, in order; taken before any `when`. */
  next(...replies: Reply[]): void;
  /** The reply to every turn whose last text matches. */
  when(pattern: RegExp, reply: Reply): void;
  /** Lets the held streams go on, once there is one: a client is busy before its request has arrived. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export interface Script<Reply, Request> {
  requests: Request[];
  /** For a turn; undefined if the test wrote nothing for it. */
  replyTo(lastText: string): Reply | undefined;
  /** Waits for `release()` if the test holds this reply. */
  held(reply: Reply): Promise<void>;
}

type Answer<Reply, Request> = (
  incoming: IncomingMessage,
  response: ServerResponse,
  script: Script<Reply, Request>,
) => Promise<void>;

export async function startScripted<Reply extends { held?: boolean }, Request>(
  answer: Answer<Reply, Request>,
  { port = 0, path = "" }: { port?: number; path?: string } = {},
): Promise<ScriptedApi<Reply, Request>> {
  const requests: Request[] = [];
  const queued: Reply[] = [];
  const rules: { pattern: RegExp; reply: Reply }[] = [];
  const waiting: (() => void)[] = [];
  const script: Script<Reply, Request> = {
    requests,
    replyTo: (lastText) => queued.shift() ?? rules.find(({ pattern }) => pattern.test(lastText))?.reply,
    held: async (reply) => {
      if (reply.held) await new Promise<void>((go) => waiting.push(go));
    },
  };
  const server = createServer((incoming, response) => answer(incoming, response, script));
  // A client that asks at the moment in which the server closes an idle connection gets ECONNRESET.
  server.keepAliveTimeout = 0;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));

  const letGo = () => {
    for (const go of waiting.splice(0)) go();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    requests,
    next: (...replies) => void queued.push(...replies),
    when: (pattern, reply) => void rules.push({ pattern, reply }),
    release: async () => {
      await until("a held stream", () => waiting.length > 0);
      letGo();
    },
    close: async () => {
      letGo();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

export async function readBody(incoming: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  try {
    return JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    return {};
  }
}

export function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
