// How the client is started: its program, and the arguments for a conversation.
//
// - The client chooses the id of a new conversation. `app-server.ts` lets it make one before the start, so a start is
//   always a `resume` of a known id, for a new conversation and for a fork too.
// - `--no-daemon` keeps the conversation in the pane's own process, which then holds its lock.
// - The client asks in which folder to resume if the session's last folder is another one. Here it is the pane's.
// - The prompt comes after `--`, so it may begin with a dash.

import { HiveError } from "../../base/errors.js";
import { onPath } from "../../base/files/on-path.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { Launch } from "../launch.js";
import { checkedPrompt, option } from "../launch-words.js";
import { titleSetting } from "./title.js";

export function codexProgram(env: NodeJS.ProcessEnv): string[] {
  const [program] = onPath("codex", env);
  if (program !== undefined) return [program];
  throw new HiveError("there is no codex in PATH", { hint: "npm install --global @openai/codex" });
}

export function launchArguments(launch: Launch): string[] {
  const { session, model, permissionMode, extra = [], prompt } = launch;
  return [
    "resume",
    "--no-daemon",
    ...["-c", titleSetting, "-c", 'tui.resume_cwd="current"'],
    ...option("--model", model),
    ...permissionArguments(permissionMode ?? null),
    ...toolsArguments(launch),
    ...extra,
    "--",
    session.id,
    ...(prompt === null || prompt === undefined ? [] : [checkedPrompt(prompt)]),
  ];
}

/** The names that a person can give, and what the client calls them. */
const modes: ReadonlyMap<string, readonly string[]> = new Map([
  ["read-only", ["--sandbox", "read-only", "--ask-for-approval", "on-request"]],
  ["workspace-write", ["--sandbox", "workspace-write", "--ask-for-approval", "on-request"]],
  ["never-ask", ["--sandbox", "workspace-write", "--ask-for-approval", "never"]],
  ["approve-for-me", ["--approve-for-me"]],
  ["bypass", ["--dangerously-bypass-approvals-and-sandbox"]],
]);

function permissionArguments(mode: string | null): readonly string[] {
  if (mode === null) return [];
  const words = modes.get(mode);
  if (words !== undefined) return words;
  throw new HiveError(`codex has no permission mode "${harmless(mode)}"`, {
    hint: `use one of ${[...modes.keys()].join(", ")}`,
  });
}

function toolsArguments({ mcpServer }: Launch): string[] {
  if (!mcpServer) return [];
  const [command, ...args] = mcpServer;
  const server = "mcp_servers.hivemind";
  // TOML's basic strings and JSON's are the same as far as JSON goes.
  return [
    ...["-c", `${server}.command=${JSON.stringify(command)}`],
    ...["-c", `${server}.args=${JSON.stringify([...args, "mcp"])}`],
    ...["-c", `${server}.default_tools_approval_mode="approve"`],
  ];
}
