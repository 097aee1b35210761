// hivemind's MCP server as the client's files and arguments name it. Pure.

/** The client calls its tools `mcp__hivemind__send` and so on. */
export const serverName = "hivemind";

/** The permission rule for all of its tools. Without it the client asks a person about each call. */
export const serverRule = `mcp__${serverName}`;

export interface ServerEntry {
  type: "stdio";
  command: string;
  args: string[];
}

/** `program`: node and our script, with whole paths. */
export function serverEntry([command, ...args]: readonly [string, ...string[]]): ServerEntry {
  return { type: "stdio", command, args: [...args, lastWord] };
}

/** For `--mcp-config`. */
export function serverConfig(program: readonly [string, ...string[]]) {
  return { mcpServers: { [serverName]: serverEntry(program) } };
}

/** Whether an entry of this name is ours, from whichever installation. */
export function isOurEntry(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("args" in value)) return false;
  return Array.isArray(value.args) && value.args.length === 2 && value.args.at(-1) === lastWord;
}

const lastWord = "mcp";
