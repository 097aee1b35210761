// A stand-in for an API of chat completions on the loopback: it says what a test tells it to, when the test says so.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "../../home.js";

export type Reply = (
  | { text: string }
  | { tool: string; input: Record<string, unknown> }
  /** The HTTP status, and the message in its body. */
  | { error: number; message?: string }
) & {
  usage?: { prompt_tokens: number; completion_tokens: number };
  /** The stream begins, and its content waits for `release()`: busy for as long as the test wants. */
  held?: boolean;
};

export interface ApiRequest {
  /** The text a person (or a tool) said last; empty where the body has none. */
  lastText: string;
  body: Record<string, unknown>;
}

export interface StandInApi {
  url: string;
  /** The turns of conversations. */
  requests: ApiRequest[];
  /** The replies of the next turns, in order; taken before any `when`. */
  next(...replies: Reply[]): void;
  /** The reply to every turn whose last text matches. */
  when(pattern: RegExp, reply: Reply): void;
  /** Lets the held streams go on, once there is one. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export async function startApi(): Promise<StandInApi> {
  const requests: ApiRequest[] = [];
  const queued: Reply[] = [];
  const rules: { pattern: RegExp; reply: Reply }[] = [];
  const waiting: (() => void)[] = [];
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    // What the client asks on the side (a title) has no tools.
    if (!Array.isArray(request.body.tools)) return stream(response, { text: "a made-up title" });
    requests.push(request);
    const ruled = rules.find(({ pattern }) => pattern.test(request.lastText))?.reply;
    const reply = queued.shift() ?? ruled ?? { text: "ok" };
    if ("error" in reply) {
      const body = { error: { message: reply.message ?? "scripted by the test" } };
      response.writeHead(reply.error, { "content-type": "application/json" }).end(JSON.stringify(body));
      return;
    }
    if (reply.held) {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      await new Promise<void>((go) => waiting.push(go));
    }
    stream(response, reply);
  });
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const letGo = () => {
    for (const go of waiting.splice(0)) go();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
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

function stream(response: ServerResponse, reply: Exclude<Reply, { error: number }>): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (delta: object, finish: string | null = null, more: object = {}) => {
    const choices = [{ index: 0, delta, finish_reason: finish }];
    const chunk = {
      id: "c",
      object: "chat.completion.chunk",
      created: 1,
      model: "stand-in",
      choices,
      ...more,
    };
    response.write(`data: ${JSON.stringify(chunk)}\n\n`);
  };
  const { prompt_tokens = 10, completion_tokens = 5 } = reply.usage ?? {};
  const usage = { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens };
  if ("text" in reply) {
    send({ role: "assistant", content: reply.text });
    send({}, "stop", { usage });
  } else {
    const call = { name: reply.tool, arguments: JSON.stringify(reply.input) };
    send({ role: "assistant", tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] });
    send({}, "tool_calls", { usage });
  }
  response.end("data: [DONE]\n\n");
}

async function readRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = JSON.parse(Buffer.concat(chunks).toString("utf8") || "{}") as Record<string, unknown>;
  const messages = (Array.isArray(body.messages) ? body.messages : []) as { content?: unknown }[];
  const last = messages.at(-1)?.content;
  return { lastText: typeof last === "string" ? last : JSON.stringify(last ?? ""), body };
}
