// Splits lines of `tmux capture-pane -e` into characters with their styles.
//
// - Faint and reversed continue over line ends, because tmux writes a style only where it changes.
// - Escape sequences are never text; unknown ones are dropped.
// - A colour is identified by its codes. The theme decides how it looks, but equal codes are equal colours.

export interface Glyph {
  char: string;
  isFaint: boolean;
  /** The client draws its cursor as one reversed cell. */
  isReversed: boolean;
  /** The colour's codes as written; empty for the terminal's default. */
  colour: string;
}

export function readGlyphs(lines: readonly string[]): Glyph[][] {
  let style = plain;
  return lines.map((line) => {
    const glyphs: Glyph[] = [];
    for (const [piece, codes] of line.matchAll(pieces)) {
      if (codes !== undefined) style = restyled(style, codes);
      else if (!piece.startsWith("\u001b")) glyphs.push({ char: piece, ...style });
    }
    return glyphs;
  });
}

export function textOf(glyphs: readonly Glyph[]): string {
  return glyphs.map(({ char }) => char).join("");
}

type Style = Omit<Glyph, "char">;
const plain: Style = { isFaint: false, isReversed: false, colour: "" };

// SGR with its codes · any other control sequence, including operating system commands such as links · one
// character.
const pieces =
  /\u001b\[([\d;:]*)m|\u001b\[[\d;:?]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b.?|./gsu;

function restyled(before: Style, codes: string): Style {
  let style = before;
  const numbers = codes.split(";");
  for (let at = 0; at < numbers.length; at++) {
    const code = numbers[at]!;
    // A colour follows 38, 48 and 58. Its numbers (a 2 or a 7 among them) are not styles.
    if (/^[345]8$/.test(code)) {
      const end = at + (numbers[at + 1] === "2" ? 4 : 2);
      if (code === "38") style = { ...style, colour: numbers.slice(at, end + 1).join(";") };
      at = end;
    } else if (/^(38:.*|3[0-7]|9[0-7])$/.test(code)) style = { ...style, colour: code };
    else if (code === "39") style = { ...style, colour: "" };
    else if (code === "" || code === "0") style = plain;
    else if (code === "2") style = { ...style, isFaint: true };
    else if (code === "7") style = { ...style, isReversed: true };
    else if (code === "22") style = { ...style, isFaint: false };
    else if (code === "27") style = { ...style, isReversed: false };
  }
  return style;
}
