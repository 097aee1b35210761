// The input box of Gemini CLI, read from its visible screen (`capture-pane -e`, every line of the pane).
//
// - Only the box at the bottom counts, with nothing but its menu and its footer below it.
// - `empty` means: the whole box is visible, and typed text becomes a message. Otherwise the answer is `none`, or the
//   dialog in its place.
// - The text that the client shows in an empty box is not typed text: the cursor's cell comes before it.
// - A draft has one line per row of the screen: wrapped rows and typed lines look alike.
// - A box in the shell mode is a draft that begins with `!`, even if it is empty. It stays in that mode after a command.
// - The box whose keys go to the search in old inputs is a dialog.
// - A command is known if the menu below the box marks it as the choice of Enter.

import type { Box } from "../../box.js";
import { readGlyphs, textOf } from "../../sgr.js";
import { readDialog } from "./dialog.js";
import { type Frame, findFrame } from "./frame.js";

export function readBox(lines: readonly string[]): Box {
  return boxIn(rowsOf(lines));
}

export function rowsOf(lines: readonly string[]): string[] {
  return readGlyphs(lines).map((line) => textOf(line).trimEnd());
}

/** For rows without styles and without trailing blanks. */
export function boxIn(rows: readonly string[]): Box {
  const frame = findFrame(rows);
  if (frame === null) return readDialog(rows) ?? { kind: "none" };
  if (frame.sign === "(r:)") return { kind: "dialog", question: null, options: [] };
  const text = typedIn(rows, frame);
  if (text === "") return { kind: "empty" };
  const isCommand = /^\/[^\s/*]/.test(text) && !text.includes("\n");
  return { kind: "draft", text, ...(isCommand ? { isKnownCommand: isChosen(rows, frame, text) } : {}) };
}

function typedIn(rows: readonly string[], { prompt, end, sign }: Frame): string {
  const typed = rows.slice(prompt, end).map((row) => row.slice(3));
  const mode = sign === "!" ? "!" : "";
  return (
    mode +
    (isPlaceholder(typed)
      ? ""
      : typed
          .map((row) => row.trimEnd())
          .join("\n")
          .trim())
  );
}

const placeholders = [
  "Type your message or @path/to/file",
  "Type your shell command",
  "Press 'i' for INSERT mode.",
];

/** A narrow pane cuts or wraps it. Typed text begins without a blank. */
function isPlaceholder(rows: readonly string[]): boolean {
  if (!/^ /.test(rows[0] ?? "")) return false;
  const words = rows.join(" ").replace(/\s+/g, " ").replace(/…$/, "").trim();
  return words !== "" && placeholders.some((each) => each.replace(/\s+/g, " ").startsWith(words));
}

/** The menu's first row is the choice, as long as nobody moved in it. */
function isChosen(rows: readonly string[], { end }: Frame, text: string): boolean {
  const menu = rows.slice(end).find((row) => /^ \S/u.test(row)) ?? "";
  const name = text.slice(1).split(" ")[0]!;
  return menu.slice(1).split(/\s/)[0] === name;
}
