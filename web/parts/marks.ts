// Characters that could hide or reorder what a person reads, found and named. Pure.

export interface Piece {
  text: string;
  /** What the character is; null for ordinary text. */
  mark: string | null;
}

/** Controls (tabs and line breaks are shown as such), invisible and bidirectional characters, odd spaces, tags. */
const ranges = [
  "\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f",
  "\\u200b-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufffb",
  "\\u{e0000}-\\u{e0fff}\\ud800-\\udfff",
];
const hiding = new RegExp(`[${ranges.join("")}]`, "gu");

const names: Readonly<Record<number, string>> = {
  0: "NUL",
  7: "BELL",
  8: "BACKSPACE",
  13: "CR",
  27: "ESC",
  127: "DEL",
  173: "soft hyphen",
  1564: "arabic mark",
  8203: "zero-width space",
  8204: "zero-width non-joiner",
  8205: "zero-width joiner",
  8206: "left-to-right mark",
  8207: "right-to-left mark",
  8232: "line separator",
  8233: "paragraph separator",
  8234: "left-to-right embedding",
  8235: "right-to-left embedding",
  8236: "end of direction",
  8237: "left-to-right override",
  8238: "right-to-left override",
  8288: "word joiner",
  8294: "left-to-right isolate",
  8295: "right-to-left isolate",
  8296: "isolate",
  8297: "end of isolate",
  65279: "zero-width no-break space",
};

/** The text in pieces: each character that could hide something is a piece of its own. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { 0: char, index } of text.matchAll(hiding)) {
    if (isEmojiJoin(text, char, index)) continue;
    if (index > end) pieces.push({ text: text.slice(end, index), mark: null });
    pieces.push({ text: codeOf(char), mark: nameOf(char) });
    end = index + char.length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), mark: null });
  return pieces;
}

/** For places that show text only, such as notifications and titles. */
export function withoutHidden(text: string): string {
  return piecesOf(text)
    .map(({ text: piece, mark }) => (mark === null ? piece : "\ufffd"))
    .join("");
}

export function hidesSomething(text: string): boolean {
  return piecesOf(text).some(({ mark }) => mark !== null);
}

/** Inside an emoji the joiner and the variation selector are ordinary: they hide nothing. */
function isEmojiJoin(text: string, char: string, index: number): boolean {
  if (char !== "\u200d" && char !== "\ufe0f") return false;
  return /\p{Extended_Pictographic}[\ufe0f\u{1f3fb}-\u{1f3ff}]?$/u.test(text.slice(0, index));
}

function codeOf(char: string): string {
  return `U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

function nameOf(char: string): string {
  const code = char.codePointAt(0)!;
  return names[code] ?? (code < 0xa0 ? "control character" : "invisible character");
}
