// A stand-in for the Gemini API on the loopback: it says what a test tells it to, when the test says so.
//
// Only turns of the conversation take a scripted reply. What the client asks on the side (which model to use, a
// summary, a token count) is answered harmlessly, so that the order of the script does not depend on its habits.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Usage {
  promptTokenCount: number;
  candidatesTokenCount: number;
  cachedContentTokenCount: number;
  thoughtsTokenCount: number;
  totalTokenCount: number;
}

export type Reply = (
  | { text: string; thought?: string }
  | { tool: string; input: Record<string, unknown> }
  /** `status` is Google's own word for it: `RESOURCE_EXHAUSTED`, `INTERNAL`. */
  | { error: number; status?: string; message?: string; details?: readonly object[] }
) & {
  usage?: Partial<Usage>;
  /** The stream begins, and its content or its error waits for `release()`: busy for as long as the test wants. */
  held?: boolean;
};

export interface ApiRequest {
  path: string;
  model: string;
  /** A turn of the conversation, as opposed to what the client asks for itself. */
  isTurn: boolean;
  /** The text that a person said last; empty if the last part is a tool's result. */
  lastText: string;
  body: Record<string, unknown>;
}

export interface StandInApi {
  url: string;
  requests: ApiRequest[];
  /** The replies of the next turns, in order; taken before any `when`. */
  next(...replies: Reply[]): void;
  /** The reply to every turn whose last text matches. */
  when(pattern: RegExp, reply: Reply): void;
  /** Lets the held streams go on, once there is one: a client is busy before its request has arrived. */
  release(): Promise<void>;
  close(): Promise<void>;
}

export async function startApi(port = 0): Promise<StandInApi> {
  const requests: ApiRequest[] = [];
  const queued: Reply[] = [];
  const rules: { pattern: RegExp; reply: Reply }[] = [];
  const waiting: (() => void)[] = [];
  let someoneWaits = () => {};

  const replyTo = (request: ApiRequest): Reply => {
    if (!request.isTurn) return { text: '{"reasoning":"stand-in","model_choice":"flash"}' };
    const ruled = rules.find(({ pattern }) => pattern.test(request.lastText))?.reply;
    return queued.shift() ?? ruled ?? { text: "ok" };
  };

  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming);
    requests.push(request);
    if (request.path.includes(":countTokens")) return sendJson(response, 200, { totalTokens: 10 });
    if (!/:(streamG|g)enerateContent/.test(request.path)) return sendJson(response, 200, {});
    const reply = replyTo(request);
    const isStream = request.path.includes(":stream");
    if (isStream && !("error" in reply)) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.flushHeaders();
    }
    if (reply.held)
      await new Promise<void>((go) => {
        waiting.push(go);
        someoneWaits();
      });
    if ("error" in reply) return sendError(response, reply);
    const answer = answerOf(reply, request.model);
    if (isStream) response.end(`data: ${JSON.stringify(answer)}\n\n`);
    else sendJson(response, 200, answer);
  });
  // A client that asks at the moment in which the server closes an idle connection gets ECONNRESET.
  server.keepAliveTimeout = 0;
  server.headersTimeout = 0;
  server.requestTimeout = 0;
  await new Promise<void>((listening) => server.listen(port, "127.0.0.1", listening));

  const letGo = () => {
    for (const go of waiting.splice(0)) go();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (...replies) => void queued.push(...replies),
    when: (pattern, reply) => void rules.push({ pattern, reply }),
    release: async () => {
      if (waiting.length === 0)
        await new Promise<void>((waits) => {
          someoneWaits = waits;
        });
      letGo();
    },
    close: async () => {
      letGo();
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function answerOf(reply: Exclude<Reply, { error: number }>, modelVersion: string): object {
  const usage: Usage = {
    promptTokenCount: 10,
    candidatesTokenCount: 5,
    cachedContentTokenCount: 0,
    thoughtsTokenCount: 0,
    totalTokenCount: 15,
    ...reply.usage,
  };
  return {
    candidates: [{ index: 0, content: { role: "model", parts: partsOf(reply) }, finishReason: "STOP" }],
    modelVersion,
    usageMetadata: usage,
  };
}

function partsOf(reply: Exclude<Reply, { error: number }>): object[] {
  if ("tool" in reply) return [{ functionCall: { name: reply.tool, args: reply.input } }];
  const thought = reply.thought === undefined ? [] : [{ text: reply.thought, thought: true }];
  return [...thought, { text: reply.text }];
}

function sendError(response: ServerResponse, reply: Extract<Reply, { error: number }>): void {
  const { error: code, status = "INTERNAL", message = "scripted by the test", details = [] } = reply;
  sendJson(response, code, { error: { code, status, message, details } });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  const body = parseBody(Buffer.concat(chunks).toString("utf8"));
  const path = incoming.url ?? "";
  return {
    path,
    model: /models\/([^:/?]+)/.exec(path)?.[1] ?? "",
    // Questions of its own carry no tools.
    isTurn: Array.isArray(body.tools) && body.tools.length > 0,
    lastText: lastTextOf(body),
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

function lastTextOf({ contents }: { contents?: { parts?: { text?: string }[] }[] }): string {
  return (contents?.at(-1)?.parts ?? []).map(({ text }) => text ?? "").join("\n");
}
