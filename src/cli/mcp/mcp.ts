import type { Command } from "../command.js";

export const mcp: Command = {
  words: "mcp",
  about: "serve tools to an agent, as an MCP server on stdio",
  examples: ["hivemind mcp install", "hivemind mcp"],
  notes:
    "An agent's client starts this command; docs/mcp.md lists the tools. They see the other agents, send words and wait.\n" +
    "They answer no dialog and change no setup. The caller is the agent whose client started the server, and nobody else.",
  async run(cli) {
    const { serve } = await import("../../mcp/serve.js");
    const { stdin, stdout } = process;
    if (stdin.isTTY)
      cli.out.note("hivemind: this is a server for a client: it reads JSON from stdin. Ctrl-C ends it");
    await serve({
      hive: cli.hive,
      env: cli.env,
      version: HIVEMIND_VERSION,
      ...{ input: stdin, output: stdout, note: cli.out.note, ended: cli.untilInterrupted() },
    });
  },
};
