// Runs the commands of the settings: hooks one after the other, the status line when something changed.
//
// A hook gets its event as JSON on stdin and the client's environment, including TMUX_PANE. Hooks run in the order
// of their events, and a failing or hanging one stops nothing.

import { spawn } from "node:child_process";
import type { Hook } from "./files/settings.js";

export type HookEvent = { hook_event_name: string } & Record<string, unknown>;

/** Long enough for any test's handler, short enough that a hanging one does not block. */
const hookMs = 10_000;

export async function runHooks(hooks: readonly Hook[], event: HookEvent, cwd: string): Promise<void> {
  for (const { command } of hooksFor(hooks, event)) await runCommand(command, event, cwd);
}

/** A hook that may take as long as it likes. Its answer is what it prints; the abort ends it. */
export function askHooks(
  hooks: readonly Hook[],
  event: HookEvent,
  cwd: string,
  signal: AbortSignal,
): Promise<string>[] {
  return hooksFor(hooks, event).map(({ command }) => runCommand(command, event, cwd, signal));
}

function hooksFor(hooks: readonly Hook[], event: HookEvent): Hook[] {
  const details = ["source", "trigger", "reason", "tool_name", "notification_type"].map(
    (name) => event[name],
  );
  return hooks.filter(
    ({ event: name, matcher }) =>
      name === event.hook_event_name &&
      (matcher === null || details.some((detail) => typeof detail === "string" && matcher.test(detail))),
  );
}

/** The command's output; empty if it failed or took too long. */
export function runCommand(
  command: string,
  input: unknown,
  cwd: string,
  patience?: AbortSignal,
): Promise<string> {
  return new Promise((resolve) => {
    const env = { ...process.env, CLAUDE_PROJECT_DIR: cwd };
    const child = spawn(command, { shell: true, cwd, env, stdio: ["pipe", "pipe", "ignore"] });
    patience?.addEventListener("abort", () => child.kill(), { once: true });
    let output = "";
    const done = (printed: string) => {
      clearTimeout(late);
      resolve(printed);
    };
    // Not spawn's own timeout: a background process of the command would keep its stdout open.
    const late = patience === undefined ? setTimeout(giveUp, hookMs) : undefined;
    function giveUp() {
      child.kill();
      done("");
    }
    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      output += chunk;
    });
    // A handler may close the pipe without reading its stdin.
    child.stdin.on("error", () => {});
    child.stdin.end(JSON.stringify(input));
    child.on("error", () => done(""));
    child.on("close", (code) => done(code === 0 ? output : ""));
  });
}
