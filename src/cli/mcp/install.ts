// Adds hivemind's MCP server to the client, and removes it. Only a person may do that.

import { realpathSync } from "node:fs";
import { join } from "node:path";
import { serverEntry, serverName, serverRule } from "../../agents/claude/mcp/server-entry.js";
import { textTable } from "../../base/text/table.js";
import type { Cli, Command } from "../command.js";
import { shown } from "../output.js";
import { currentWorkspace, workspaceOrNull } from "../workspace.js";

export const mcpInstall: Command = {
  words: "mcp install",
  about: "give the client's agents hivemind's tools",
  options: [{ name: "project", about: "write this folder's .mcp.json instead of your own setup" }],
  examples: ["hivemind mcp install", "hivemind mcp install --project"],
  notes:
    "Without --project the client itself adds the server for all your projects (`claude mcp add-json --scope user`). With\n" +
    "--project hivemind adds it to .mcp.json and leaves the rest of that file unchanged; the entry has this machine's\n" +
    "paths. `hivemind mcp remove` removes it. The client asks you about each call unless a rule allows them.",
  async run(cli, input) {
    await needPersonHere(cli);
    const entry = entryFor(cli);
    const [path, isNew] = input.flag("project")
      ? await installIn(projectServers(), entry)
      : await installForUser(cli, entry);
    cli.out.print(
      isNew ? `added the MCP server ${serverName} to ${shown(path)}` : `it is already in ${shown(path)}`,
    );
    cli.out.lines(ruleLines);
    if (isNew) cli.out.note("hivemind: agents get the tools at their next start");
  },
};

export const mcpRemove: Command = {
  words: "mcp remove",
  about: "take hivemind's tools away again",
  options: [{ name: "project", about: "from this folder's .mcp.json" }],
  examples: ["hivemind mcp remove", "hivemind mcp remove --project"],
  notes:
    "Keeps everything else, including later changes of yours. Running agents keep the tools until they end.",
  async run(cli, input) {
    await needPersonHere(cli);
    const entry = entryFor(cli);
    const path = input.flag("project") ? projectServers() : await userServers(cli);
    const isRemoved = input.flag("project")
      ? await (await editedFile()).removeFrom(path, await additionOf(entry))
      : await (await import("../../agents/claude/mcp/user-server.js")).removeUserServer(cli.env, entry);
    cli.out.print(isRemoved ? `removed ${serverName} from ${shown(path)}` : `it is not in ${shown(path)}`);
  },
};

export const mcpStatus: Command = {
  words: "mcp status",
  about: "whether the client's agents get hivemind's tools",
  examples: ["hivemind mcp status", "hivemind mcp status --json"],
  hasJson: true,
  async run(cli, input) {
    const found = await look(cli);
    if (input.flag("json")) {
      cli.out.json(found);
      return;
    }
    const rows = found.servers.map(({ scope, state, why, path }) => [
      `${scope} setup`,
      why === null ? state : `${state} (${shown(why)})`,
      shown(path),
    ]);
    cli.out.lines(textTable([["WHAT", "STATE", "WHERE"], ...rows]));
    const isThere = found.servers.some(({ state }) => state === "installed" || state === "outdated");
    cli.out.lines(["", ...(isThere ? ruleLines : ["To add it: hivemind mcp install"])]);
  },
};

const ruleLines = [
  "The client asks you about each call. A rule lets all of them through:",
  `  "permissions": { "allow": ["${serverRule}"] } in its settings, or --allowedTools ${serverRule}`,
];

const editedFile = () => import("../../base/files/edited-file.js");

async function look(cli: Cli) {
  const { userServerState } = await import("../../agents/claude/mcp/user-server.js");
  const { additionState } = await editedFile();
  const entry = entryFor(cli);
  const user = { scope: "user", path: await userServers(cli), ...userServerState(cli.env, entry) };
  const here = workspaceOrNull();
  const path = here === null ? null : join(here.path, ".mcp.json");
  const project =
    path === null ? [] : [{ scope: "project", path, ...additionState(path, await additionOf(entry)) }];
  const { command, args } = entry;
  return { servers: [user, ...project], command: [command, ...args], rule: serverRule };
}

async function installForUser({ env }: Cli, entry: Entry): Promise<[string, boolean]> {
  const { installUserServer, userServersPath } = await import("../../agents/claude/mcp/user-server.js");
  return [userServersPath(env), await installUserServer(env, entry)];
}

async function installIn(path: string, entry: Entry): Promise<[string, boolean]> {
  const { addTo } = await editedFile();
  return [path, (await addTo(path, await additionOf(entry))).changed];
}

async function userServers({ env }: Cli): Promise<string> {
  return (await import("../../agents/claude/mcp/user-server.js")).userServersPath(env);
}

function projectServers(): string {
  return join(currentWorkspace().path, ".mcp.json");
}

type Entry = ReturnType<typeof serverEntry>;

async function additionOf(entry: Entry) {
  return (await import("../../agents/claude/mcp/server-text.js")).serverAddition(entry);
}

/** A link's name can change what the program does; its target cannot. */
function entryFor({ program: [node, script] }: Cli): Entry {
  return serverEntry([node, realpathSync(script)]);
}

async function needPersonHere(cli: Cli): Promise<void> {
  const { needPerson } = await import("../person.js");
  const hive = await cli.hive();
  needPerson(cli, hive, await hive.panes());
}
