// The Model Context Protocol on two streams. A file of its own in the package: only `hivemind mcp` loads it.

import type { Readable, Writable } from "node:stream";
import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";

export interface Served {
  version: string;
  /** For the model that gets the tools. */
  instructions: string;
  tools: readonly ServedTool[];
  /** Never rejects: a failure is an answer too. `interrupted`: the client cancelled the call, or the streams closed. */
  call(name: string, given: unknown, interrupted: AbortSignal): Promise<ToolAnswer>;
}

export interface ServedTool {
  name: string;
  description: string;
  inputSchema: { type: "object"; [keyword: string]: unknown };
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; openWorldHint: boolean };
}

export interface ToolAnswer {
  text: string;
  isError: boolean;
}

/** Resolves when the streams are closed, or `ended` is aborted. */
export function serveProtocol(
  { version, instructions, tools, call }: Served,
  { input, output, ended }: { input: Readable; output: Writable; ended: AbortSignal },
): Promise<void> {
  const server = () => {
    const own = new Server({ name: "hivemind", version }, { capabilities: { tools: {} }, instructions });
    own.setRequestHandler("tools/list", () => ({ tools: [...tools] }));
    own.setRequestHandler("tools/call", async ({ params }, { mcpReq }) => {
      const { text, isError } = await call(params.name, params.arguments, mcpReq.signal);
      return { content: [{ type: "text", text }], isError };
    });
    return own;
  };
  const transport = new StdioServerTransport(input, output);
  return new Promise((resolve) => {
    const { close } = serveStdio(server, { transport });
    const { onclose } = transport;
    transport.onclose = () => {
      onclose?.();
      resolve();
    };
    ended.addEventListener("abort", () => void close(), { once: true });
    if (ended.aborted) void close();
  });
}
