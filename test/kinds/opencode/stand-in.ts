// A stand-in for an API of chat completions on the loopback: it says what a test tells it to, when the test says so.

import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody, type ScriptedApi, sendJson, startScripted } from "../scripted-api.js";

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

/** Its requests are the turns of conversations. */
export type StandInApi = ScriptedApi<Reply, ApiRequest>;

export function startApi(): Promise<StandInApi> {
  return startScripted<Reply, ApiRequest>(
    async (incoming, response, script) => {
      const request = await readRequest(incoming);
      // What the client asks on the side (a title) has no tools.
      if (!Array.isArray(request.body.tools)) return stream(response, { text: "a made-up title" });
      script.requests.push(request);
      const reply = script.replyTo(request.lastText) ?? { text: "ok" };
      if ("error" in reply)
        return sendJson(response, reply.error, {
          error: { message: reply.message ?? "scripted by the test" },
        });
      if (reply.held) response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      await script.held(reply);
      stream(response, reply);
    },
    { path: "/v1" },
  );
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
  const body = await readBody(incoming);
  const messages = (Array.isArray(body.messages) ? body.messages : []) as { content?: unknown }[];
  const last = messages.at(-1)?.content;
  return { lastText: typeof last === "string" ? last : JSON.stringify(last ?? ""), body };
}
