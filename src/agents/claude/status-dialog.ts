// What the client's `/status` dialog shows of its session. Up to 2.0 a line `Session ID:`, later a panel with one or
// both of `Session name:` and `Session ID:`.
//
// [SD1] Only the dialog that stands in the place of the input box is read, never what a conversation or a question
//       quotes of one.
// [SD2] An id wrapped over rows is put together; one that is cut is told as far as it is shown.
// [SD3] A name counts only if it is seen whole: a cut one may be another session's.

import { isSessionId } from "../../names/gates.js";
import type { ShownStatus } from "../agent.js";
import { readBox } from "./box.js";
import { isPanelRule } from "./dialog.js";
import { readGlyphs, textOf } from "./sgr.js";

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

/** Narrow panels put it below its label, and keep up to three columns free at their right side. */
function readName(panel: readonly string[], width: number): string | null {
  const at = panel.findIndex((row) => nameLabel.test(row));
  if (at < 0) return null;
  const isBelow = panel[at]!.replace(nameLabel, "") === "";
  const [row = "", next = ""] = panel.slice(isBelow ? at + 1 : at);
  const isWhole = row.length < width - 4 && (next === "" || anyLabel.test(next));
  const name = row.replace(nameLabel, "").trim();
  return isWhole && name !== "" && name !== "/rename to add a name" ? name : null;
}
