// A dialog replaces the input box and takes every key.
//
// A digit chooses, Enter takes the marked option, Escape means no. Any other input is lost, including pasted text. The
// question about a posted message has no digits, and its first option is no.

import type { Question, Tool } from "../tool.js";
import type { InputEvent } from "./input.js";
import { permissionOptions } from "./screen.js";

export type Permission = "yes" | "always" | "no";
/** The answer is that to a question of the agent. */
export type Choose = (choice: Permission, answer?: string) => void;

export type Dialog =
  | { kind: "permission"; command: string; selected: number; choose: Choose }
  | { kind: "question"; question: Question; selected: number; choose: Choose }
  | { kind: "held"; body: string; selected: number; choose(isDelivered: boolean): void }
  | { kind: "status"; lines: readonly string[]; close(): void };

const choices: readonly Permission[] = ["yes", "always", "no"];

export function toolDialog({ question, input }: Tool, choose: Choose): Dialog {
  if (question !== null) return { kind: "question", question, selected: 0, choose };
  return { kind: "permission", command: String(input.command), selected: 0, choose };
}

export function dialogKey(dialog: Dialog, event: InputEvent): void {
  const isCancelled = event.kind === "escape" || event.kind === "ctrl-c";
  if (dialog.kind === "status") {
    if (isCancelled) dialog.close();
    return;
  }
  if (dialog.kind === "held") {
    if (isCancelled) dialog.choose(false);
    else if (event.kind === "enter") dialog.choose(dialog.selected === 1);
    else if (event.kind === "up") dialog.selected = 0;
    else if (event.kind === "down") dialog.selected = 1;
    return;
  }
  const count = dialog.kind === "question" ? dialog.question.options.length : permissionOptions.length;
  const digit = event.kind === "text" && /^[1-9]$/.test(event.text) ? Number(event.text) - 1 : count;
  if (digit < count) take(dialog, digit);
  else if (isCancelled) dialog.choose("no");
  else if (event.kind === "enter") take(dialog, dialog.selected);
  else if (event.kind === "up") dialog.selected = Math.max(0, dialog.selected - 1);
  else if (event.kind === "down") dialog.selected = Math.min(count - 1, dialog.selected + 1);
}

function take(dialog: Extract<Dialog, { kind: "permission" | "question" }>, at: number): void {
  if (dialog.kind === "permission") dialog.choose(choices[at]!);
  else dialog.choose("yes", dialog.question.options[at]!);
}
