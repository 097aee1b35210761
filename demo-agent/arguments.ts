// The command line, with the error messages of the real client.
//
// Options are `--name value` or `--name=value`; the rest is the first message. An invalid command line is refused
// with exit code 1 before anything is written.

import { parseArgs } from "node:util";
import { errorCode, HiveError } from "../src/base/errors.js";
import { harmless } from "../src/base/text/escape-terminal.js";
import { type SessionId, sessionId } from "../src/names/gates.js";

export interface Launch {
  sessionId: SessionId | null;
  /** As typed; it may be no UUID, and then no conversation is found. */
  resume: string | null;
  isFork: boolean;
  name: string | null;
  model: string;
  settings: string | null;
  permissionMode: string;
  isPrint: boolean;
  showsVersion: boolean;
  prompt: string | null;
}

const permissionModes = ["default", "acceptEdits", "plan", "bypassPermissions", "auto", "manual", "dontAsk"];

export function readArguments(argv: readonly string[]): Launch {
  const { values, positionals } = parsed(argv);
  const mode = values["permission-mode"] ?? "default";
  if (!permissionModes.includes(mode)) {
    const allowed = permissionModes.join(", ");
    throw new HiveError(
      `error: option '--permission-mode <mode>' argument '${mode}' is invalid. Allowed choices are ${allowed}.`,
    );
  }
  const isFork = values["fork-session"] === true;
  if (values["session-id"] !== undefined && values.resume !== undefined && !isFork) {
    throw new HiveError(
      "Error: --session-id can only be used with --continue or --resume if --fork-session is also specified.",
    );
  }
  return {
    sessionId: values["session-id"] === undefined ? null : validId(values["session-id"]),
    resume: values.resume ?? null,
    isFork,
    name: harmless(values.name?.trim() ?? "") || null,
    model: fullModel(values.model ?? "opus"),
    settings: values.settings ?? null,
    permissionMode: values["dangerously-skip-permissions"] === true ? "bypassPermissions" : mode,
    isPrint: values.print === true,
    showsVersion: values.version === true,
    prompt: positionals.length > 0 ? positionals.join(" ") : null,
  };
}

/** An alias means a model; `[1m]` requests its large context window and stays. */
export function fullModel(model: string): string {
  const [, alias, suffix] = /^(opus|sonnet|haiku)(\[1m\])?$/.exec(model) ?? [];
  const known: Record<string, string> = {
    opus: "claude-opus-4-8",
    sonnet: "claude-sonnet-4-5",
    haiku: "claude-haiku-4-5",
  };
  return alias === undefined ? model : `${known[alias]}${suffix ?? ""}`;
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        "session-id": { type: "string" },
        resume: { type: "string", short: "r" },
        "fork-session": { type: "boolean" },
        name: { type: "string", short: "n" },
        model: { type: "string" },
        settings: { type: "string" },
        "permission-mode": { type: "string" },
        "append-system-prompt": { type: "string" },
        "mcp-config": { type: "string" },
        "dangerously-skip-permissions": { type: "boolean" },
        print: { type: "boolean", short: "p" },
        version: { type: "boolean", short: "v" },
      },
    });
  } catch (error) {
    if (errorCode(error)?.startsWith("ERR_PARSE_ARGS") !== true) throw error;
    const unknown = /^Unknown option '([^']+)'/.exec((error as Error).message);
    throw new HiveError(
      unknown ? `error: unknown option '${unknown[1]}'` : `error: ${(error as Error).message}`,
    );
  }
}

function validId(value: string): SessionId {
  try {
    return sessionId(value);
  } catch {
    throw new HiveError("Error: Invalid session ID. Must be a valid UUID.");
  }
}
