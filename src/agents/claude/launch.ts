// How the client is started: its program, and the arguments for a conversation whose id the caller chose.
//
// - `argumentsOf` reads the same session back from the arguments, whatever the name or prompt.
// - A prompt is the last argument, after `--`, so it may begin with a dash.
// - Values that the client would misread are refused: an empty prompt, control characters, a name like an option.

import { HiveError } from "../../base/errors.js";
import { onPath } from "../../base/files/on-path.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { limits } from "../../limits.js";
import type { Launch, SessionStart } from "../agent.js";
import { serverConfig, serverRule } from "./mcp/server-entry.js";

export function claudeProgram(env: NodeJS.ProcessEnv): string[] {
  const [program] = onPath("claude", env);
  if (program !== undefined) return [program];
  throw new HiveError("there is no claude in PATH", {
    hint: "npm install --global @anthropic-ai/claude-code",
  });
}

export function launchArguments(launch: Launch): string[] {
  const { session, name, model, permissionMode, extra = [], prompt } = launch;
  return [
    ...sessionArguments(session),
    ...option("-n", name),
    ...option("--model", model),
    ...option("--permission-mode", permissionMode),
    ...toolsArguments(launch),
    ...settingsArguments(launch),
    ...extra,
    ...(prompt === null || prompt === undefined ? [] : ["--", checkedPrompt(prompt)]),
  ];
}

function sessionArguments(session: SessionStart): string[] {
  switch (session.how) {
    case "create":
      return ["--session-id", session.id];
    case "resume":
      return ["--resume", session.id];
    case "fork":
      return ["--resume", session.parent, "--fork-session", "--session-id", session.id];
  }
}

/** The option takes all words up to the next one, so `--settings` has to follow. */
function toolsArguments({ mcpServer }: Launch): string[] {
  return mcpServer ? ["--mcp-config", JSON.stringify(serverConfig(mcpServer))] : [];
}

/** The client reads one `--settings` only. */
function settingsArguments({ acceptsInbound = false, mcpServer, extra = [] }: Launch): string[] {
  const settings = {
    ...(acceptsInbound ? { crossSessionInbound: "accept" } : {}),
    ...(mcpServer ? { permissions: { allow: [serverRule] } } : {}),
  };
  if (Object.keys(settings).length === 0) return [];
  const why = acceptsInbound ? "the setting that accepts messages" : "the rule that allows hivemind's tools";
  if (extra.some((word) => /^--settings(?:=|$)/.test(word)))
    throw new HiveError(`refused: --settings in its arguments would hide ${why}`, {
      hint: `write ${JSON.stringify(settings)} into those settings instead`,
    });
  return ["--settings", JSON.stringify(settings)];
}

function option(name: string, value: string | null | undefined): string[] {
  if (value === null || value === undefined) return [];
  if (value === "" || value.startsWith("-") || /[\u0000-\u001f\u007f-\u009f]/.test(value)) {
    throw new HiveError(`refused "${harmless(value)}": it cannot be the value of ${name}`);
  }
  return [name, value];
}

function checkedPrompt(prompt: string): string {
  if (prompt.trim() === "") throw new HiveError("refused: the prompt is empty");
  if (/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/.test(prompt))
    throw new HiveError("refused: the prompt has control characters");
  const bytes = Buffer.byteLength(prompt);
  if (bytes <= limits.promptBytes) return prompt;
  throw new HiveError(
    `refused: the prompt has ${bytes} bytes; the limit at a start is ${limits.promptBytes}`,
    {
      hint: "put it in a file of the project, and use the prompt: Read <file>",
    },
  );
}
