// A dialog replaces the input box and takes every key.
//
// A digit chooses, Enter takes the marked option, Escape means no. Any other input is lost, including pasted text. The
// question about a posted message has no digits, and its first option is no.

import type { InputEvent } from "./input.js";
import { permissionOptions } from "./screen.js";

export type Permission = "yes" | "always" | "no";

export type Dialog =
  | { kind: "permission"; command: string; selected: number; choose(choice: Permission): void }
  | { kind: "held"; body: string; selected: number; choose(isDelivered: boolean): void }
  | { kind: "status"; lines: readonly string[]; close(): void };

const choices: readonly Permission[] = ["yes", "always", "no"];

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
  const digit = event.kind === "text" ? choices[["1", "2", "3"].indexOf(event.text)] : undefined;
  if (digit !== undefined) dialog.choose(digit);
  else if (isCancelled) dialog.choose("no");
  else if (event.kind === "enter") dialog.choose(choices[dialog.selected]!);
  else if (event.kind === "up") dialog.selected = Math.max(0, dialog.selected - 1);
  else if (event.kind === "down")
    dialog.selected = Math.min(permissionOptions.length - 1, dialog.selected + 1);
}
