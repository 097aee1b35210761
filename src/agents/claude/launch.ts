// How the client is started: its program, and the arguments for a conversation whose id the caller chose.
//
// - `argumentsOf` reads the same session back from the arguments, whatever the name or prompt.
// - A prompt is the last argument, after `--`, so it may begin with a dash.
// - Values that the client would misread are refused: an empty prompt, control characters, a name like an option.

import { HiveError } from "../../base/errors.js";
import { onPath } from "../../base/files/on-path.js";
import type { Launch, SessionStart } from "../launch.js";
import { checkedPrompt, option } from "../launch-words.js";
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
