// The MCP server: its tools on stdin and stdout, until the client closes them.
//
// - A failed call is an answer, never the end of the server. Between calls the server holds no lock.
// - When the streams close, waits end at once, and a message that is being sent is finished first.

import type { Readable, Writable } from "node:stream";
import { HiveError } from "../base/errors.js";
import { harmlessJson } from "../base/text/escape-terminal.js";
import type { Hive } from "../hive/hive.js";
import { readGiven, schemaOf } from "./arguments.js";
import type { ServedTool, ToolAnswer } from "./protocol.js";
import { type Tool, tools } from "./tools.js";

export interface ServerWorld {
  hive(): Promise<Hive>;
  env: NodeJS.ProcessEnv;
  version: string;
  input: Readable;
  output: Writable;
  /** For errors that are bugs. */
  note(line: string): void;
  ended: AbortSignal;
}

const instructions =
  "You are one of several agents that hivemind runs in tmux. Use these tools to see the other agents, to send them " +
  "words and to wait for them. A message to you begins with [@role pane], or [@role@host pane] from another host: answer " +
  "its sender with send.";

export async function serve(world: ServerWorld): Promise<void> {
  const { serveProtocol } = await import("./protocol.js");
  const running = new Set<Promise<unknown>>();
  const call = (name: string, given: unknown, interrupted: AbortSignal) => {
    const answer = answerTo(world, name, given, interrupted);
    running.add(answer);
    return answer.finally(() => running.delete(answer));
  };
  const { version, input, output, ended } = world;
  await serveProtocol({ version, instructions, tools: tools.map(served), call }, { input, output, ended });
  await Promise.all(running);
}

export function served({ name, about, isReading, args }: Tool): ServedTool {
  return {
    name,
    description: about,
    inputSchema: schemaOf(args),
    annotations: { readOnlyHint: isReading, destructiveHint: false, openWorldHint: false },
  };
}

type CallWorld = Pick<ServerWorld, "hive" | "env" | "note">;

export async function answerTo(
  { hive, env, note }: CallWorld,
  name: string,
  given: unknown,
  interrupted: AbortSignal,
): Promise<ToolAnswer> {
  try {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined)
      throw new HiveError(`there is no tool ${JSON.stringify(name)}`, {
        hint: `there are: ${tools.map((each) => each.name).join(", ")}`,
      });
    const checked = readGiven(name, tool.args, given);
    const result = await tool.run({ hive: await hive(), env, given: checked, interrupted });
    return { text: harmlessJson(JSON.stringify(result)), isError: false };
  } catch (error) {
    if (error instanceof HiveError)
      return { text: [error.message, error.hint].filter(Boolean).join("\n"), isError: true };
    const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
    note(`hivemind mcp: ${name} failed; this is a bug: ${trace}`);
    return { text: `${name} failed: ${error instanceof Error ? error.message : error}`, isError: true };
  }
}
