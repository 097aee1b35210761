// The Claude Code dialogs that hivemind knows, and what Escape does to each.
//
// Only a dialog in this table can be closed by Escape. In a start-up question, or an unknown dialog, Escape may end
// the client or decline for good.

interface Named {
  /** Null if the client's own question is clearest. */
  question: string | null;
  known: KnownDialog;
}

/** The parts of a dialog that the rules look at; rows are trimmed. */
import type { DialogOption, KnownDialog } from "../../box.js";
export interface Shown {
  title: string | null;
  /** The row with the question, in the client's words. */
  question: string | null;
  /** The rows above its options. */
  rows: readonly string[];
  options: readonly DialogOption[];
}

export function nameDialog(shown: Shown): Named | null {
  for (const rule of table) {
    const thing = thingIn(rule, shown);
    if (thing === null) continue;
    const { question, asks, isClosedByEscape = false } = rule;
    const filled = (text: string) => text.replace("$1", () => thing);
    return {
      question: question === undefined ? null : filled(question),
      known: { asks: filled(asks), isClosedByEscape },
    };
  }
  return null;
}

/** What the dialog is about, for `$1`; null if the form does not match. */
function thingIn({ form, of, label, thing }: KnownForm, shown: Shown): string | null {
  // A file or a command that a dialog shows may contain the words of another dialog, but not its options.
  if (label !== undefined && !shown.options.some((option) => label.test(option.label))) return null;
  if (form === undefined) return thing?.(shown.rows) ?? "";
  const places = of === undefined ? shown.rows : [shown[of] ?? ""];
  const found = places.map((row) => form.exec(row)).find((match) => match !== null);
  return found === undefined ? null : (found[1] ?? "");
}

interface KnownForm {
  form?: RegExp;
  /** Where to look for the form (default: every row above the options). */
  of?: "title" | "question";
  /** An option that the dialog must have. */
  label?: RegExp;
  /** What the dialog is about, if no single row says it. */
  thing?(rows: readonly string[]): string;
  /** Replaces the client's own question if that is incomplete. */
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
    question: "Which of the $1 MCP servers of this project should it use?",
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
    asks: "to press Enter after its first notes",
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
  // Must come after the panel that `/theme` opens, which has the same words.
  {
    form: /^(Choose the text style that looks best with your) ?/,
    label: /\bDark mode\b/,
    question: "Which theme should it use?",
    asks: "which theme to use",
  },
];

function serverIn(rows: readonly string[]): string {
  const name = /\bfound in this project: (\S+)/.exec(rows.join(" "))?.[1];
  return name === undefined ? "an MCP server" : `the MCP server ${name}`;
}

/** The folder has no name if it is out of sight, or wrapped at a blank that cannot be restored. */
function folderIn(rows: readonly string[]): string {
  const title = rows.indexOf("Accessing workspace:");
  const rest = title < 0 ? [] : rows.slice(title + 1);
  const begin = rest.findIndex((row) => row !== "");
  const length = rest.slice(begin).indexOf("");
  const path = rest.slice(begin, begin + length);
  const isWhole = path[0]?.startsWith("/") && (path.length === 1 || path.every((row) => !row.includes(" ")));
  return isWhole ? path.join("") : "its folder";
}
