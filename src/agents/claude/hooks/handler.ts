// The hook: a few lines of sh that the client runs at its session events, and the settings that make it do so. The one
// for permission requests is in request-handler.ts.
//
// - The hook always exits 0 and prints nothing: exit code 2 would stop a prompt, and its output would become part of
//   the conversation.
// - A report is one line of our own (valid JSON whatever the environment holds), then the client's input as it came.
//   Above the size limit it is our line alone.
// - A report is private, and is visible whole or not at all.
// - The size of what was written says whether the input was longer: `head` of BSD, macOS and busybox reads more than it
//   prints, so what is left of the input says nothing.
// - Reports do not pile up: of an event that only means "still here" each process keeps the last one.
// - A report has the machine's uptime if it can be read: file times follow a clock that can be set.
//
// The client runs the command with `/bin/sh -c`, as its own child. The handler is sourced there, so $PPID is the
// client.

import { limits } from "../../../limits.js";
import { aboutLines } from "./about-lines.js";
import { requestHandler } from "./request-handler.js";

export const hookEvents = [
  "SessionStart",
  "SessionEnd",
  "UserPromptSubmit",
  "Stop",
  "Notification",
  "PreCompact",
  "PermissionRequest",
] as const;
export type HookEventName = (typeof hookEvents)[number];

/** Stored in the folder of the reports. */
export const handler = {
  name: "handler.sh",
  text: `# Tells hivemind which session is in this pane: one report into the folder $hooks for each event of the client.
# Sourced by the lines that \`hivemind hooks install\` adds to the client's settings; that command also writes this file.
exec >/dev/null 2>&1
umask 077
${aboutLines}
about="$about}"
new=$hooks/.$client-$$.tmp report=$hooks/$client-$event
case $event in Session*) report=$report-$$ ;; esac
{ printf '%s\\n' "$about" && head -c ${limits.hookInputBytes + 1}; } >"$new"
size=$(wc -c <"$new")
if [ $((size - \${#about} - 1)) -gt ${limits.hookInputBytes} ]; then printf '%s\\n' "$about" >"$new"; cat; fi
mv -f "$new" "$report.json"
exit 0
`,
};

/** Every file that the settings name. */
export const handlers = [handler, requestHandler] as const;

/**
 * The command for the client. The trap also covers a missing or broken handler, where `.` would end the shell with
 * 2. zsh as sh ends with 1 and without the trap, except behind `command`.
 */
export function hookCommand(hookFolder: string, event: HookEventName | typeof statusLineEvent): string {
  const set = `event=${event} hooks=${quoted(hookFolder)}`;
  const { name } = event === "PermissionRequest" ? requestHandler : handler;
  // `exec`: a shell that redirects one command keeps a copy of its stderr, which a child in the background would hold.
  return `trap 'exit 0' 0; ${set}; exec 2>/dev/null; command . "$hooks/${name}" ${mark}`;
}

/**
 * A command for the client's `statusLine`, which reports its context window. It prints nothing. A person who has a
 * status line puts this before their own, in brackets and with the same input.
 */
export function statusLineCommand(hookFolder: string): string {
  return hookCommand(hookFolder, statusLineEvent);
}

const statusLineEvent = "StatusLine";

/** Whether a command in the settings is one of ours, from this folder or another. */
export function isHookCommand(command: string): boolean {
  return command.endsWith(` ${mark}`) && handlers.some(({ name }) => command.includes(`/${name}"`));
}

export interface HookGroup {
  hooks: { type: "command"; command: string; timeout: number }[];
}

export function hookGroup(hookFolder: string, event: HookEventName): HookGroup {
  const command = hookCommand(hookFolder, event);
  const timeout = event === "PermissionRequest" ? limits.requestSeconds : limits.hookTimeoutSeconds;
  return { hooks: [{ type: "command", command, timeout }] };
}

/** For `--settings`: hooks for one launch, without touching the user's files. The handler must be in the folder. */
export function launchSettings(hookFolder: string): { hooks: Record<HookEventName, HookGroup[]> } {
  const entries = hookEvents.map((event) => [event, [hookGroup(hookFolder, event)]]);
  return { hooks: Object.fromEntries(entries) };
}

const mark = "# hivemind";

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
