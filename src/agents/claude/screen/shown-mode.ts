// The permission mode in the line below the input box. What an agent prints is above the box.

import { bypassMode } from "../arguments.js";

/** Null if a menu, a dialog or a narrow pane hides it. */
export function shownMode(lines: readonly string[]): string | null {
  const rule = lines.findLastIndex((line) => /\u2500{3,}\s*$/.test(line));
  const below = rule < 0 ? "" : lines.slice(rule + 1).join("\n");
  return words.find(([form]) => form.test(below))?.[1] ?? null;
}

const words: readonly (readonly [RegExp, string])[] = [
  [/\bplan mode on\b/, "plan"],
  [/\baccept edits on\b/, "acceptEdits"],
  [/\bauto mode on\b/, "auto"],
  [/\bbypass permissions on\b/, bypassMode],
  [/\bmanual mode on\b/, "default"],
  // 2.1.197 shows no word for it.
  [/^\s*\? for shortcuts\b/m, "default"],
];
