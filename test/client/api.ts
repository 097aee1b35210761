// A stand-in for the Messages API on the loopback: it says what a test tells it to, when the test says so.
//
// Only turns of the conversation take a scripted reply. What the client asks on the side (a title, a suggestion,
// a token count) is answered harmlessly, so that the order of the script does not depend on the client's habits.

import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { until } from "../home.js";

export interface Usage {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
}

export type ErrorStatus = 400 | 401 | 403 | 404 | 413 | 429 | 500 | 529;

export type Reply = (
  | { text: string }
  | { tool: string; input: Record<string, unknown> }
  /** Several in one answer. */
  | { tools: readonly { tool: string; input: Record<string, unknown> }[] }
  | { error: ErrorStatus; message?: string }
) & {
  headers?: Record<string, string>;
  usage?: Partial<Usage>;
  /** The stream begins, and its content or its error waits for `release()`: busy for as long as the test wants. */
  held?: boolean;
};

export interface ApiRequest {
  method: string;
  path: string;
  /** A turn of the conversation, as opposed to what the client asks for itself. */
  isTurn: boolean;
  /** The text a person (or a tool) said last; empty where the body has none. */
  lastText: string;
  body: Record<string, unknown>;
}

export interface StandInApi {
  url: string;
  requests: ApiRequest[];
  /** The replies of the next turns, in order; taken before any `when`. */
  next(...replies: Reply[]): void;
  /** The reply to every turn whose last text matches, or of which this is true. */
  when(pattern: RegExp | ((request: ApiRequest) => boolean), reply: Reply): void;
  /** Replies that no turn has taken yet. */
  forget(): void;
  /** What the client suggests as the next input, when it asks for one. */
  suggest(text: string): void;
  /** Lets the held streams go on, once there is one: a client is busy before its request has arrived. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export async function startApi(): Promise<StandInApi> {
  const requests: ApiRequest[] = [];
  const queued: Reply[] = [];
  const rules: { isMeant: (request: ApiRequest) => boolean; reply: Reply }[] = [];
  const waiting: (() => void)[] = [];
  let suggestion = "";

  const replyTo = (request: ApiRequest): Reply => {
    if (!request.isTurn) return { text: isSuggestionRequest(request.lastText) ? suggestion : "noted" };
    const ruled = rules.find(({ isMeant }) => isMeant(request))?.reply;
    return queued.shift() ?? ruled ?? { text: "ok" };
  };

  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    requests.push(request);
    const { pathname } = new URL(request.path, "http://stand-in");
    if (pathname === "/v1/messages/count_tokens") return sendJson(response, 200, { input_tokens: 10 });
    if (pathname !== "/v1/messages") return sendJson(response, 200, {});
    const reply = replyTo(request);
    for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
    const held = async () => {
      if (reply.held) await new Promise<void>((go) => waiting.push(go));
    };
    if ("error" in reply) return held().then(() => sendError(response, reply));
    const message = messageOf(reply, String(request.body.model));
    if (request.body.stream !== true) return sendJson(response, 200, message);
    response.writeHead(200, { "content-type": "text/event-stream" });
    sendEvent(response, { type: "message_start", message: { ...message, content: [], stop_reason: null } });
    await held();
    streamContent(response, message);
  });
  // A client that asks at the moment in which the server closes an idle connection gets ECONNRESET, and tries only once.
  server.keepAliveTimeout = 0;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));

  const letGo = () => {
    for (const go of waiting.splice(0)) go();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (...replies) => void queued.push(...replies),
    when: (pattern, reply) => {
      const isMeant =
        typeof pattern === "function" ? pattern : ({ lastText }: ApiRequest) => pattern.test(lastText);
      rules.push({ isMeant, reply });
    },
    forget: () => void queued.splice(0),
    suggest: (text) => {
      suggestion = text;
    },
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

interface Message {
  id: string;
  type: "message";
  role: "assistant";
  model: string;
  content: Block[];
  stop_reason: string;
  stop_sequence: null;
  usage: Usage;
}

type Block =
  | { type: "text"; text: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };

function messageOf(reply: Exclude<Reply, { error: number }>, model: string): Message {
  const isText = "text" in reply;
  const tools = "tool" in reply ? [reply] : "tools" in reply ? reply.tools : [];
  return {
    id: `msg_${randomUUID()}`,
    type: "message",
    role: "assistant",
    model,
    content: isText
      ? [{ type: "text", text: reply.text }]
      : tools.map(({ tool, input }) => ({
          type: "tool_use",
          id: `toolu_${randomUUID()}`,
          name: tool,
          input,
        })),
    stop_reason: isText ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: {
      input_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      output_tokens: 5,
      ...reply.usage,
    },
  };
}

function streamContent(response: ServerResponse, { content, stop_reason, usage }: Message): void {
  for (const [index, block] of content.entries()) {
    const isText = block.type === "text";
    const empty = isText ? { ...block, text: "" } : { ...block, input: {} };
    const delta = isText
      ? { type: "text_delta", text: block.text }
      : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
    sendEvent(response, { type: "content_block_start", index, content_block: empty });
    sendEvent(response, { type: "content_block_delta", index, delta });
    sendEvent(response, { type: "content_block_stop", index });
  }
  sendEvent(response, { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage });
  sendEvent(response, { type: "message_stop" });
  response.end();
}

function sendEvent(response: ServerResponse, event: { type: string; [field: string]: unknown }): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const errorTypes: Record<ErrorStatus, string> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  500: "api_error",
  529: "overloaded_error",
};

function sendError(response: ServerResponse, reply: Extract<Reply, { error: number }>): void {
  const { error, message = "scripted by the test" } = reply;
  sendJson(response, error, { type: "error", error: { type: errorTypes[error], message } });
}

async function readRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = parseBody(Buffer.concat(chunks).toString("utf8"));
  const lastText = lastTextOf(body);
  return {
    method: incoming.method ?? "",
    path: incoming.url ?? "",
    isTurn: Array.isArray(body.tools) && body.tools.length > 0 && !isSuggestionRequest(lastText),
    lastText,
    body,
  };
}

function parseBody(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}

/** Behind the user's message the client may put one of role `system`, with reminders of its own. */
function lastTextOf(body: Record<string, unknown>): string {
  const messages = (body.messages ?? []) as RequestMessage[];
  const content = messages.findLast(({ role }) => role === "user")?.content ?? "";
  if (typeof content === "string") return content;
  return content.map(({ text, content }) => text ?? (typeof content === "string" ? content : "")).join("\n");
}

interface RequestMessage {
  role?: string;
  content?: string | { text?: string; content?: unknown }[];
}

function isSuggestionRequest(text: string): boolean {
  return text.includes("[SUGGESTION MODE");
}
