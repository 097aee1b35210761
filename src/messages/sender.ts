// Who says it: `[@role pane] ` before what one agent tells another.
//
// [MW1] Only prose of an agent gets it, and once: never a command, a shell line or what carries one already.

import type { PaneAddress, Role } from "../names/gates.js";
import { isCommand } from "./text.js";

export interface Sender {
  role: Role | null;
  pane: PaneAddress;
}

export function withSender(text: string, sender: Sender | null): string {
  if (sender === null || isCommand(text) || /^\[@\S+ \S+\] /.test(text)) return text;
  return `[@${sender.role ?? "unnamed"} ${sender.pane}] ${text}`;
}
