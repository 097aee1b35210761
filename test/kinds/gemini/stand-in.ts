// A stand-in for the Gemini API on the loopback: it says what a test tells it to, when the test says so.
//
// Only turns of the conversation take a scripted reply. What the client asks on the side (which model to use, a
// summary, a token count) is answered harmlessly, so that the order of the script does not depend on its habits.

import type { IncomingMessage, ServerResponse } from "node:http";
import { readBody, type ScriptedApi, sendJson, startScripted } from "../scripted-api.js";

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

export type StandInApi = ScriptedApi<Reply, ApiRequest>;

export function startApi(port = 0): Promise<StandInApi> {
  return startScripted<Reply, ApiRequest>(
    async (incoming, response, script) => {
      const request = await readRequest(incoming);
      script.requests.push(request);
      if (request.path.includes(":countTokens")) return sendJson(response, 200, { totalTokens: 10 });
      if (!/:(streamG|g)enerateContent/.test(request.path)) return sendJson(response, 200, {});
      const reply: Reply = request.isTurn
        ? (script.replyTo(request.lastText) ?? { text: "ok" })
        : { text: '{"reasoning":"stand-in","model_choice":"flash"}' };
      const isStream = request.path.includes(":stream");
      if (isStream && !("error" in reply)) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.flushHeaders();
      }
      await script.held(reply);
      if ("error" in reply) return sendError(response, reply);
      const answer = answerOf(reply, request.model);
      if (isStream) response.end(`data: ${JSON.stringify(answer)}\n\n`);
      else sendJson(response, 200, answer);
    },
    { port },
  );
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

async function readRequest(incoming: IncomingMessage): Promise<ApiRequest> {
  const body = await readBody(incoming);
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

function lastTextOf({ contents }: { contents?: { parts?: { text?: string }[] }[] }): string {
  return (contents?.at(-1)?.parts ?? []).map(({ text }) => text ?? "").join("\n");
}
