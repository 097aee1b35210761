// Our block in the user's tmux configuration: two marker lines and the lines between them. Pure.
//
// The block comes last. A file whose last line has no line end gets the block in front of that missing end: the new
// last line has none either. So removing the block restores every byte.

import { FileRefused } from "../../base/files/atomic-file.js";
import type { Addition } from "../../base/files/edited-file.js";

const begin = "# >>> hivemind tmux: `hivemind tmux remove` removes these lines";
const end = "# <<< hivemind tmux";

export function blockAddition(lines: string): Addition {
  const block = `${begin}\n${lines}${end}`;
  return {
    isIn: (text) => spanOf(text) !== null,
    added(text, _before) {
      const whole = text ?? "";
      const span = spanOf(whole);
      if (span !== null) return whole.slice(0, span.start) + block + whole.slice(span.end);
      return whole === "" || whole.endsWith("\n") ? `${whole}${block}\n` : `${whole}\n${block}`;
    },
    removed(text, before) {
      const { start, end } = spanOf(text)!;
      const rest =
        text[end] === "\n"
          ? text.slice(0, start) + text.slice(end + 1)
          : text.slice(0, Math.max(start - 1, 0)) + text.slice(end);
      return rest === "" && before === null ? null : rest;
    },
  };
}

function spanOf(text: string): { start: number; end: number } | null {
  const [starts, ends] = [begin, end].map((line) => placesOf(text, line)) as [number[], number[]];
  if (starts.length === 0 && ends.length === 0) return null;
  const [start, last] = [starts[0]!, ends[0]!];
  if (starts.length === 1 && ends.length === 1 && start < last) return { start, end: last + end.length };
  throw new FileRefused("hivemind's two marker lines are not there once each, in their order");
}

/** Where this whole line is. */
function placesOf(text: string, line: string): number[] {
  const places: number[] = [];
  let at = 0;
  for (const each of text.split("\n")) {
    if (each === line) places.push(at);
    at += each.length + 1;
  }
  return places;
}
