// How the client is started: its program, and the arguments for a conversation.
//
// - The client chooses the id of a conversation. `make-session.ts` lets it make one before the start, so a start always
//   names a known id, for a new conversation and for a fork too.
// - The client ignores `--prompt` beside a conversation, so the prompt follows when it is up (`promptsByInbox`).
// - With a port the process itself takes messages. `--port 0` leaves the choice to the client: its own socket tells.

import { HiveError } from "../../base/errors.js";
import { onPath } from "../../base/files/on-path.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { Launch } from "../launch.js";
import { checkedPrompt, option } from "../launch-words.js";

export function opencodeProgram(env: NodeJS.ProcessEnv): string[] {
  const [program] = onPath("opencode", env);
  if (program !== undefined) return [program];
  throw new HiveError("there is no opencode in PATH", { hint: "npm install --global opencode-ai" });
}

export function launchArguments({ session, model, permissionMode, extra = [], prompt }: Launch): string[] {
  if (prompt !== null && prompt !== undefined) checkedPrompt(prompt);
  return [
    ...["--port", "0", "--hostname", "127.0.0.1"],
    ...option("--model", model),
    ...permissionArguments(permissionMode ?? null),
    ...extra,
    `--session=${session.id}`,
  ];
}

/** The one mode that a start can choose; the others are in the client's settings. */
function permissionArguments(mode: string | null): readonly string[] {
  if (mode === null) return [];
  if (mode === "auto") return ["--auto"];
  throw new HiveError(`opencode has no permission mode "${harmless(mode)}"`, {
    hint: "use auto, or set permission in opencode.json",
  });
}
