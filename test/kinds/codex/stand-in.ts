// A stand-in for the Responses API on the loopback: it says what a test tells it to, when the test says so. Only
// turns of the conversation take a scripted reply.

import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody, type ScriptedApi, sendJson, startScripted } from "../scripted-api.js";

export interface Usage {
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  reasoning_tokens: number;
}

export interface ToolCall {
  tool: string;
  /** Some tools are in a namespace. */
  namespace?: string;
  input: Record<string, unknown>;
}

export type Reply = (
  | { text: string }
  | ToolCall
  /** The HTTP status, with the body that the API sends for it. */
  | { error: number; message?: string; code?: string; more?: Record<string, unknown> }
  /** The stream begins, and then the model's server fails. */
  | { failed: { code: string; message: string } }
) & {
  headers?: Record<string, string>;
  usage?: Partial<Usage>;
  /** The stream begins, and its content or its error waits for `release()`: busy for as long as the test wants. */
  held?: boolean;
};

export interface ApiRequest {
  method: string;
  path: string;
  /** The text a person (or a tool) said last; empty where the body has none. */
  lastText: string;
  body: Record<string, unknown>;
}

export type StandInApi = ScriptedApi<Reply, ApiRequest>;

export function startApi(): Promise<StandInApi> {
  return startScripted<Reply, ApiRequest>(
    async (incoming, response, script) => {
      const request = await readRequest(incoming);
      script.requests.push(request);
      if (request.method !== "POST" || !request.path.endsWith("/responses"))
        return sendJson(response, 404, { error: { message: "the stand-in has no such page" } });
      // What the client asks on the side (a title) has none of the tools of a turn.
      if (!isTurn(request)) return sendReply(response, { text: "noted" });
      const reply = script.replyTo(request.lastText) ?? { text: "ok" };
      const held = () => script.held(reply);
      for (const [name, value] of Object.entries(reply.headers ?? {})) response.setHeader(name, value);
      if ("error" in reply) return held().then(() => sendError(response, reply));
      await sendReply(response, reply, held);
    },
    { path: "/v1" },
  );
}

async function sendReply(
  response: ServerResponse,
  reply: Exclude<Reply, { error: number }>,
  held = async () => {},
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const id = `resp_${randomUUID()}`;
  sendEvent(response, { type: "response.created", response: { id } });
  await held();
  streamReply(response, id, reply);
}

function isTurn({ body }: ApiRequest): boolean {
  const tools = Array.isArray(body.tools) ? (body.tools as { name?: string }[]) : [];
  return tools.some(({ name }) => name === "exec_command");
}

function streamReply(response: ServerResponse, id: string, reply: Exclude<Reply, { error: number }>): void {
  if ("failed" in reply) {
    const failed = { id, status: "failed", error: reply.failed };
    sendEvent(response, { type: "response.failed", response: failed });
  } else {
    const item = itemOf(reply);
    sendEvent(response, {
      type: "response.output_item.added",
      output_index: 0,
      item: { ...item, content: [] },
    });
    if ("text" in reply)
      sendEvent(response, { type: "response.output_text.delta", item_id: item.id, delta: reply.text });
    sendEvent(response, { type: "response.output_item.done", output_index: 0, item });
    sendEvent(response, { type: "response.completed", response: { id, usage: usageOf(reply.usage ?? {}) } });
  }
  response.end();
}

function itemOf(reply: { text: string } | ToolCall) {
  if ("text" in reply) {
    const content = [{ type: "output_text", text: reply.text }];
    return { type: "message", role: "assistant", id: `msg_${randomUUID()}`, content };
  }
  const { tool: name, namespace, input } = reply;
  const call = { name, namespace, arguments: JSON.stringify(input), call_id: `call_${randomUUID()}` };
  return { type: "function_call", id: `fc_${randomUUID()}`, ...call };
}

function usageOf(usage: Partial<Usage>) {
  const { input_tokens = 10, cached_tokens = 0, output_tokens = 5, reasoning_tokens = 0 } = usage;
  return {
    input_tokens,
    input_tokens_details: { cached_tokens },
    output_tokens,
    output_tokens_details: { reasoning_tokens },
    total_tokens: input_tokens + output_tokens,
  };
}

function sendEvent(response: ServerResponse, event: { type: string; [field: string]: unknown }): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function sendError(response: ServerResponse, reply: Extract<Reply, { error: number }>): void {
  const { error, message = "scripted by the test", code = "invalid_request_error", more } = reply;
  sendJson(response, error, { error: { type: code, code, message, ...more } });
}

async function readRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const body = await readBody(incoming);
  return { method: incoming.method ?? "", path: incoming.url ?? "", lastText: lastTextOf(body), body };
}

interface InputItem {
  role?: string;
  content?: { text?: string }[];
  output?: unknown;
}

function lastTextOf(body: Record<string, unknown>): string {
  const input = Array.isArray(body.input) ? (body.input as InputItem[]) : [];
  const last = input.findLast(({ role, output }) => role === "user" || output !== undefined);
  if (typeof last?.output === "string") return last.output;
  return (last?.content ?? []).map(({ text = "" }) => text).join("\n");
}
