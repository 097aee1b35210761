// How the client is started: its program, and the arguments for a conversation whose id the caller chose.
//
// - `argumentsOf` reads the same session back from the arguments, whatever the prompt.
// - The prompt is joined to its option with `=`, so it may begin with a dash. A prompt that the client would run as a
//   command is marked as prose.
// - A conversation has no name that a start could set, and the client cannot copy one.
// - A new session needs an id whose first eight digits are random: the client names its file by the minute and those.

import { HiveError } from "../../base/errors.js";
import { onPath } from "../../base/files/on-path.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { Launch, SessionStart } from "../launch.js";
import { checkedPrompt, option } from "../launch-words.js";
import { asProse } from "./text/shape.js";

export function geminiProgram(env: NodeJS.ProcessEnv): string[] {
  const [program] = onPath("gemini", env);
  if (program !== undefined) return [program];
  throw new HiveError("there is no gemini in PATH", { hint: "npm install --global @google/gemini-cli" });
}

export function launchArguments({ session, model, permissionMode, extra = [], prompt }: Launch): string[] {
  return [
    ...sessionArguments(session),
    ...option("--model", model),
    ...approvalArguments(permissionMode),
    ...extra,
    ...(prompt === null || prompt === undefined
      ? []
      : [`--prompt-interactive=${asProse(checkedPrompt(prompt))}`]),
  ];
}

function sessionArguments(session: SessionStart): string[] {
  switch (session.how) {
    case "create":
      return ["--session-id", session.id];
    case "resume":
      return ["--resume", session.id];
    case "fork":
      throw new HiveError("Gemini CLI cannot continue a copy of a conversation", {
        hint: "start a new conversation, or resume this one",
      });
  }
}

const approvalModes = ["default", "auto_edit", "yolo", "plan"];

function approvalArguments(mode: string | null | undefined): string[] {
  if (mode === null || mode === undefined) return [];
  if (approvalModes.includes(mode)) return ["--approval-mode", mode];
  throw new HiveError(`Gemini CLI has no permission mode "${harmless(mode)}"`, {
    hint: `its modes are ${approvalModes.join(", ")}`,
  });
}
