// What stands on Claude Code's screen in place of an input box that takes messages, in words for a person. Pure.

import { limits } from "../../limits.js";

/** Rows without styles and without blanks at their end; null for a view without a name here. */
export function namedView(rows: readonly string[]): string | null {
  const bottom = rows.filter((row) => row.trim() !== "").slice(-4);
  return views.find(({ form }) => bottom.some((row) => form.test(row)))?.name ?? null;
}

export function whyNoBox(rows: readonly string[]): string {
  const isSmall = isTooSmall(rows);
  return namedView(rows) ?? `its ${isSmall ? "pane is too small to show its" : "screen shows no"} input box`;
}

const views: readonly { form: RegExp; name: string }[] = [
  { form: /^ {2}Showing detailed transcript\b/, name: "its transcript view is open (ctrl+o)" },
  { form: /^ {2}search prompts:/, name: "the search in its prompts is open (ctrl+r)" },
  {
    form: /\bctrl\+x to (delete|remove)\b/,
    name: "its list of agents is open: text typed there starts another agent",
  },
  { form: /^ {2}-- VISUAL/, name: "vim's VISUAL mode is on, in which Enter enters nothing" },
  { form: /^Claude Code has been suspended\b/, name: "it is suspended (ctrl+z)" },
];

function isTooSmall(rows: readonly string[]): boolean {
  const widest = Math.max(0, ...rows.map((row) => row.length));
  return rows.length < limits.boxRows || (widest > 0 && widest < limits.boxColumns);
}
