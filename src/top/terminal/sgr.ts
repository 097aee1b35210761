// A line as text for the terminal, with the codes of its styles. Pure.
//
// - The colours are the terminal's own sixteen, by name: a person's light or dark theme decides what they look like.
// - Control characters of a span never get into the text.
// - Terminals disagree about the width of some characters. The span after such a text begins with a move to its
//   column, so that columns stay columns.

import { harmless } from "../../base/text/escape-terminal.js";
import { type Colour, isWidthSure, type Line, type Style, widthOf } from "./frame.js";

const colours: Record<Colour, number> = {
  ...{ black: 30, red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, white: 37 },
  grey: 90,
};

/** It begins in the first column, and leaves no style on. Without colours a line is bold, inverse or underlined at most. */
export function lineText(line: Line, { isColoured }: { isColoured: boolean }): string {
  let written = "";
  let column = 0;
  let styleOn = "";
  let isColumnSure = true;
  for (const span of line) {
    if (span.text === "") continue;
    const style = styleCodes(span, isColoured);
    if (!isColumnSure) written += `\x1b[${column + 1}G`;
    if (style !== styleOn) written += style === "" ? "\x1b[m" : `\x1b[${styleOn === "" ? "" : "0;"}${style}m`;
    isColumnSure = isWidthSure(span.text);
    written += isColumnSure ? span.text : harmless(span.text);
    column += widthOf(span.text);
    styleOn = style;
  }
  return styleOn === "" ? written : `${written}\x1b[m`;
}

function styleCodes({ colour, isBold, isDim, isInverse, isUnderlined }: Style, isColoured: boolean): string {
  const codes: number[] = [];
  if (isBold) codes.push(1);
  if (isDim && isColoured) codes.push(2);
  if (isUnderlined) codes.push(4);
  if (isInverse) codes.push(7);
  if (colour !== undefined && isColoured) codes.push(colours[colour]);
  return codes.join(";");
}
