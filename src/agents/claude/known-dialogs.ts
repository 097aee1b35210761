// The dialogs of Claude Code that hivemind knows by name, and what Escape does to each.
//
// [KD1] Only a dialog in this table can be closed by Escape. At a start-up question Escape ends the client or says no
//       for good, and so it may in a dialog that is not in the table.

import type { DialogOption, KnownDialog } from "../agent.js";

interface Named {
  /** Null where the client's own question says it best. */
  question: string | null;
  known: KnownDialog;
}

/** What a dialog shows, as the rules look at it: rows without blanks around them. */
export interface Shown {
  title: string | null;
  /** The row that asks, as the client says it. */
  question: string | null;
  /** Those above its options. */
  rows: readonly string[];
  options: readonly DialogOption[];
}

export function nameDialog(shown: Shown): Named | null {
  for (const rule of table) {
    const thing = thingIn(rule, shown);
    if (thing === null) continue;
    const { question, asks, isClosedByEscape = false } = rule;
    const said = (text: string) => text.replace("$1", () => thing);
    return {
      question: question === undefined ? null : said(question),
      known: { asks: said(asks), isClosedByEscape },
    };
  }
  return null;
}

/** What the dialog is about, for `$1`; null where it is another one. */
function thingIn({ form, of, label, thing }: KnownForm, shown: Shown): string | null {
  // A file or a command that a dialog shows may have the words of another one, but not its options.
  if (label !== undefined && !shown.options.some((option) => label.test(option.label))) return null;
  if (form === undefined) return thing?.(shown.rows) ?? "";
  const places = of === undefined ? shown.rows : [shown[of] ?? ""];
  const found = places.map((row) => form.exec(row)).find((match) => match !== null);
  return found === undefined ? null : (found[1] ?? "");
}

interface KnownForm {
  form?: RegExp;
  /** Where the form is looked for; without it in every row above the options. */
  of?: "title" | "question";
  /** An option that the dialog has. */
  label?: RegExp;
  /** What it is about, where no single row says it. */
  thing?(rows: readonly string[]): string;
  /** Where the client's own question does not say it all. */
  question?: string;
  asks: string;
  isClosedByEscape?: true;
}

const panelTitles = [
  "Agents",
  "Background",
  "Diagnostics",
  "Effort",
  "Export conversation",
  "Help",
  "Hooks",
  "Login",
  "Manage MCP servers",
  "Memory",
  "Permissions",
  "Plugins",
  "Resume session",
  "Rewind",
  "Sandbox",
  "Select model",
  "Settings",
  "Skills",
  "Stats",
  "Theme",
  "Uncommitted changes",
];

const table: readonly KnownForm[] = [
  {
    thing: folderIn,
    label: /^Yes, I trust this folder$/,
    question: "Do you trust $1?",
    asks: "whether you trust $1",
  },
  {
    label: /^Yes, I accept$/,
    question: "Run without any permission prompt (bypass permissions mode)?",
    asks: "whether to run without any permission prompt (bypass permissions mode)",
  },
  {
    thing: serverIn,
    label: /^Use this MCP server$/,
    question: "Use $1 of this project?",
    asks: "whether to use $1 of this project",
  },
  {
    form: /^(\d+) new MCP servers found in this project$/,
    of: "title",
    label: /^\[.\] /u,
    question: "Which of the $1 MCP servers of this project shall it use?",
    asks: "which of the $1 MCP servers of this project to use",
  },
  {
    label: /^Yes, allow external imports$/,
    question: "Allow external CLAUDE.md file imports?",
    asks: "whether CLAUDE.md may import files from outside its folder",
  },
  {
    form: /^(Do you want to use this API key\?)$/,
    of: "question",
    label: /^No \(recommended\)$/,
    asks: "whether to use the API key in its environment",
  },
  {
    form: /^(Settings Error)$/,
    of: "title",
    label: /^Continue without these settings$/,
    asks: "what to do about an error in its settings",
  },
  {
    label: /^Press Enter to continue$/,
    question: "Press Enter to continue",
    asks: "to go on from its first notes",
  },
  {
    form: /^(.*Would you like to proceed\?|Exit plan mode\?)$/,
    of: "question",
    label: /^(No|Tell Claude what to change)\b/,
    asks: "whether to carry out its plan",
    isClosedByEscape: true,
  },
  {
    form: /^(Ready to submit your answers\?)$/,
    of: "question",
    label: /^Submit answers$/,
    asks: "whether to take these answers",
    isClosedByEscape: true,
  },
  { label: /^Chat about this$/, asks: "a question", isClosedByEscape: true },
  {
    form: /^Do you want to .*\?$/,
    of: "question",
    label: /^No\b/,
    asks: "for permission",
    isClosedByEscape: true,
  },
  {
    form: new RegExp(`^(${panelTitles.join("|")})\\b`),
    of: "title",
    asks: "something in its panel $1",
    isClosedByEscape: true,
  },
  // Behind the panel that `/theme` opens, which says the same.
  {
    form: /^(Choose the text style that looks best with your) ?/,
    label: /\bDark mode\b/,
    question: "Which theme shall it use?",
    asks: "which theme to use",
  },
];

function serverIn(rows: readonly string[]): string {
  const name = /\bfound in this project: (\S+)/.exec(rows.join(" "))?.[1];
  return name === undefined ? "an MCP server" : `the MCP server ${name}`;
}

/** Out of sight, or wrapped at a blank that nobody can put back, it has no name. */
function folderIn(rows: readonly string[]): string {
  const title = rows.indexOf("Accessing workspace:");
  const rest = title < 0 ? [] : rows.slice(title + 1);
  const begin = rest.findIndex((row) => row !== "");
  const length = rest.slice(begin).indexOf("");
  const path = rest.slice(begin, begin + length);
  const isWhole = path[0]?.startsWith("/") && (path.length === 1 || path.every((row) => !row.includes(" ")));
  return isWhole ? path.join("") : "its folder";
}
