// A stand-in for the Messages API during a trial of the client: on the loopback, with one fixed answer.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface StandInApi {
  url: string;
  close(): void;
}

export async function startStandInApi(): Promise<StandInApi> {
  const server = createServer((request, response) => {
    // A client that ends in the middle of a request needs no answer.
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((listening, failed) => {
    server.once("error", failed).listen(0, "127.0.0.1", listening);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const path = (request.url ?? "").replace(/\?.*/, "");
  if (path === "/v1/messages/count_tokens") return sendJson(response, { input_tokens: 1 });
  if (path !== "/v1/messages") return sendJson(response, {});
  if (!isStream(Buffer.concat(chunks).toString("utf8"))) return sendJson(response, message);
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}

function isStream(body: string): boolean {
  try {
    return JSON.parse(body).stream === true;
  } catch {
    return false;
  }
}

function sendJson(response: ServerResponse, body: object): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

const text = "ok";
const message = {
  id: "msg_probe",
  type: "message",
  role: "assistant",
  model: "stand-in",
  content: [{ type: "text", text }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};
const { stop_reason, stop_sequence, usage } = message;
const events = [
  { type: "message_start", message: { ...message, content: [], stop_reason: null } },
  { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index: 0, delta: { type: "text_delta", text } },
  { type: "content_block_stop", index: 0 },
  { type: "message_delta", delta: { stop_reason, stop_sequence }, usage },
  { type: "message_stop" },
];
