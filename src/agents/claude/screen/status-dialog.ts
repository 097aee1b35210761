// The session in the client's `/status` dialog: up to 2.0 a line `Session ID:`, later a panel with `Session name:`,
// `Session ID:` or both.
//
// - Only the dialog in place of the input box counts, not one quoted in a conversation or a question.
// - An id wrapped over rows is joined; a cut one is returned as far as it is visible.
// - A name counts only if it is whole: a cut name may be another session's.

import { isSessionId } from "../../../names/gates.js";
import type { ShownStatus } from "../../agent.js";
import { readGlyphs, textOf } from "../../sgr.js";
import { isPanelRule } from "./dialog.js";
import { readBox } from "./input-box.js";

export function readStatus(lines: readonly string[]): ShownStatus | null {
  const box = readBox(lines);
  if (box.kind !== "dialog" || box.options.length > 0) return null;
  const rows = readGlyphs(lines).map((glyphs) => textOf(glyphs).trimEnd());
  const rule = rows.findLastIndex(isPanelRule);
  const panel = rows.slice(rule + 1);
  const isStatus = panel.some((row) => idLabel.test(row) || nameLabel.test(row));
  return isStatus ? { id: readId(panel), name: readName(panel, rows[rule]?.length ?? 0) } : null;
}

const idLabel = /^\s*Session ID:\s*/;
const nameLabel = /^\s*Session name:\s*/;
const anyLabel = /^\s*[\w (),]+:/;
const noId = "00000000-0000-0000-0000-000000000000";

function readId(panel: readonly string[]): string | null {
  const at = panel.findIndex((row) => idLabel.test(row));
  if (at < 0) return null;
  let id = panel[at]!.replace(idLabel, "");
  for (const row of panel.slice(at + 1)) {
    if (id.length >= noId.length || !/^\s*[0-9a-f-]+…?$/.test(row)) break;
    id += row.trim();
  }
  const shown = id.replace(/…$/, "");
  return shown !== "" && isSessionId(shown + noId.slice(shown.length)) ? shown : null;
}

/** Narrow panels put the name below its label, and keep up to three columns free at the right side. */
function readName(panel: readonly string[], width: number): string | null {
  const at = panel.findIndex((row) => nameLabel.test(row));
  if (at < 0) return null;
  const isBelow = panel[at]!.replace(nameLabel, "") === "";
  const [row = "", next = ""] = panel.slice(isBelow ? at + 1 : at);
  const isWhole = row.length < width - 4 && (next === "" || anyLabel.test(next));
  const name = row.replace(nameLabel, "").trim();
  return isWhole && name !== "" && name !== "/rename to add a name" ? name : null;
}
