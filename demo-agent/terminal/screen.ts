// Renders the screen from the state. Pure.
//
// - The box is `❯` and a no-break space between two rules; the session name is at the right end of the upper one.
// - `esc to interrupt` ends the footer while it works (cut off in a narrow pane), and is nowhere otherwise.
// - A suggestion is faint and only in an empty box; typed text is never faint.
// - No line is wider than the pane, and there are never more lines than the pane has.
// - The name of a known command is coloured.

import { harmless } from "../../src/base/text/escape-terminal.js";
import type { Question } from "../tool.js";
import { cellsOf, clip, wrap } from "./cells.js";

export interface View {
  name: string | null;
  draft: string;
  /** The known command that the draft begins with, as typed; null for any other. */
  command: string | null;
  /** Faint text in the empty box; null if there is none. */
  suggestion: string | null;
  queue: readonly string[];
  /** The rows of posted messages that wait. */
  posted: readonly string[];
  isBusy: boolean;
  dialog: DialogView | null;
  permissionMode: string;
  statusLine: string;
  /** Replaces the footer for a moment: `Press Ctrl-C again to exit`. */
  notice: string | null;
  /** When it continues by itself, after a limit. */
  goesOnAt: string | null;
}

export type DialogView =
  | { kind: "permission"; command: string; selected: number }
  | { kind: "question"; question: Question; selected: number }
  | { kind: "held"; body: string; selected: number }
  | { kind: "status"; lines: readonly string[] };

export interface Frame {
  lines: string[];
  cursor: { row: number; column: number };
}

export const permissionOptions = ["Yes", "Yes, and don't ask again for this command", "No"] as const;

export function frameOf(view: View, columns: number, rows: number): Frame {
  const frame =
    view.dialog === null ? boxFrame(view, columns, rows) : dialogFrame(view, view.dialog, columns);
  const hidden = Math.max(0, frame.lines.length - Math.max(1, rows - 1));
  return {
    lines: frame.lines.slice(hidden),
    cursor: {
      row: Math.max(0, frame.cursor.row - hidden),
      column: Math.min(frame.cursor.column, columns - 1),
    },
  };
}

export function paneTitle(name: string | null, spinner: number | null): string {
  const mark = spinner === null ? "✳" : ["⠐", "⠂"][spinner % 2];
  return `${mark} ${name ?? "Claude Code"}`;
}

export function bannerLines(version: string, model: string, cwd: string): string[] {
  return [
    ` ▐▛███▜▌   Claude Code v${version}`,
    `▝▜█████▛▘  ${model} · demo, no account`,
    `  ▘▘ ▝▝    ${cwd}`,
    "",
  ];
}

export function spoken(message: string): string[] {
  return [...message.split("\n").map((line, index) => `${index === 0 ? "❯" : " "} ${line}`), ""];
}

/** How to resume the conversation; older clients name it by its title, if it has one. */
export function lastWords({ id, title }: { id: string; title: string | null }, isNewer: boolean): string {
  const name = title === null || isNewer ? id : JSON.stringify(title);
  return `\r\nResume this session with:\r\nclaude --resume ${name}\r\n`;
}

export function answered(answer: string): string[] {
  return [`● ${answer}`, ""];
}

export function remarked(remark: string): string[] {
  return [`  ⎿  ${remark}`, ""];
}

/** An error looks like an answer, a limit like a remark. */
export function failed(failure: "error" | "limit", words: string): string[] {
  const painted = (colour: number, text: string) => `\x1b[38;5;${colour}m${text}\x1b[39m`;
  if (failure === "limit") return [`  ⎿  ${painted(211, words)}`, ""];
  return [`${painted(220, "●")} ${painted(220, words)}`, ""];
}

export const limitQuestion = [
  "  What do you want to do?",
  "",
  "  ❯ 1. Stop and wait for limit to reset",
  "    2. Upgrade your plan",
  "",
  "  Enter to confirm · Esc to cancel",
] as const;

const prompt = "❯\u00a0";
const faint = (text: string) => `\x1b[2m${text}\x1b[22m`;
const coloured = (text: string) => `\x1b[38;5;153m${text}\x1b[39m`;

function boxFrame(view: View, columns: number, rows: number): Frame {
  const above = [
    ...view.posted.map((row) => clip(row, columns)),
    ...(view.isBusy ? ["✻ Thinking…", ""] : []),
    ...view.queue.map((message) => faint(clip(`  ❯ ${message.replaceAll("\n", " ")}`, columns))),
    upperRule(view.name, columns),
  ];
  // A tall draft shows its end, where the cursor is.
  const drafted = wrap(view.draft, columns - 3).slice(-Math.max(1, rows - above.length - 4));
  const hint =
    view.draft !== "" ? null : view.queue.length > 0 ? "Press up to edit queued messages" : view.suggestion;
  const { command } = view;
  const marked = (line: string) =>
    command !== null && line.startsWith(command) ? coloured(command) + line.slice(command.length) : line;
  const box = drafted.map((line, index) => (index === 0 ? prompt + marked(line) : `  ${line}`));
  if (hint !== null) box[0] = prompt + faint(clip(hint, columns - 3));
  return {
    lines: [...above, ...box, "─".repeat(columns), ...footer(view, columns)],
    cursor: { row: above.length + box.length - 1, column: 2 + cellsOf(drafted.at(-1)!) },
  };
}

function upperRule(name: string | null, columns: number): string {
  if (name === null) return "─".repeat(columns);
  const label = ` ${clip(name, Math.max(1, columns - 8))} `;
  const left = columns - cellsOf(label) - 2;
  return left < 1 ? "─".repeat(columns) : `${"─".repeat(left)}${label}──`;
}

const modeWords: Record<string, string> = {
  acceptEdits: "⏵⏵ accept edits on (shift+tab to cycle)",
  auto: "⏵⏵ auto mode on (shift+tab to cycle)",
  bypassPermissions: "⏵⏵ bypass permissions on (shift+tab to cycle)",
  dontAsk: "⏵⏵ don't ask on (shift+tab to cycle)",
  plan: "⏸ plan mode on (shift+tab to cycle)",
  manual: "⏸ manual mode on (shift+tab to cycle)",
};

function footer(view: View, columns: number): string[] {
  const words =
    view.notice ??
    [
      modeWords[view.permissionMode] ?? (view.isBusy || view.draft !== "" ? "" : "? for shortcuts"),
      view.isBusy ? "esc to interrupt" : "",
    ]
      .filter(Boolean)
      .join(" · ");
  // One cell stays free: a full last line would make the terminal wrap unexpectedly.
  const limit =
    view.goesOnAt === null
      ? []
      : [
          `⚠ Usage limit reached · limit resets ${view.goesOnAt}`,
          `  Continuing automatically at ${view.goesOnAt} · Esc to cancel`,
        ];
  return [...view.statusLine.split("\n").filter(Boolean), ...limit, words].map((line) =>
    clip(`  ${line}`, columns - 1),
  );
}

function dialogFrame({ posted }: View, dialog: DialogView, columns: number): Frame {
  const words = dialogLines(dialog, columns);
  const above = dialog.kind === "status" ? [] : posted.map((row) => clip(row, columns));
  const lines = [...above, "─".repeat(columns), ...words.flatMap((line) => wrap(line, columns - 1))];
  return { lines, cursor: { row: lines.length - 1, column: 0 } };
}

function dialogLines(dialog: DialogView, columns: number): readonly string[] {
  if (dialog.kind === "permission") return permissionLines(dialog);
  if (dialog.kind === "question") return questionLines(dialog, columns);
  return dialog.kind === "held" ? heldLines(dialog, columns) : dialog.lines;
}

function questionLines(
  { question: { text, options }, selected }: { question: Question; selected: number },
  columns: number,
): string[] {
  return [
    " ☐ Question",
    "",
    harmless(text),
    "",
    ...options.map((option, at) => `${at === selected ? "❯" : " "} ${at + 1}. ${harmless(option)}`),
    `  ${options.length + 1}. Type something.`,
    "─".repeat(columns - 1),
    `  ${options.length + 2}. Chat about this`,
    "",
    "Enter to select · ↑/↓ to navigate · Esc to cancel",
  ];
}

function permissionLines({ command, selected }: { command: string; selected: number }): string[] {
  return [
    " Bash command",
    "",
    `   ${command}`,
    "",
    " Do you want to proceed?",
    ...permissionOptions.map((option, index) => ` ${index === selected ? "❯" : " "} ${index + 1}. ${option}`),
    "",
    " Esc to cancel",
  ];
}

const heldOptions = ["Deny — drop it and tell the sender it was declined", "Deliver this message to Claude"];

function heldLines({ body, selected }: { body: string; selected: number }, columns: number): string[] {
  const rule = "╌".repeat(columns - 1);
  return [
    " Held message from another session",
    "",
    " Message body (this is what will be delivered):",
    rule,
    ...body.split("\n").map((line) => ` ${harmless(line)}`),
    rule,
    ...heldOptions.map((option, index) => ` ${index === selected ? "❯" : " "} ${option}`),
  ];
}
