// Parses what the terminal sends into events. Pure.
//
// node:readline's parser is not used: it reports a mouse report and a paste as single letters, and a dashboard would
// act on them.
//
// - The events do not depend on how the input is cut into chunks: the beginning of a sequence is held until its end.
// - An Escape is a key only if nothing follows it within a short rest; then the caller calls `flush`.
// - A paste is held until its end, however long the rest: the letters of half a paste would act as keys.
// - An unknown sequence is no event.

export type TerminalEvent =
  | {
      kind: "key";
      /** `enter`, `escape`, `f1`, …, or the character itself. Ctrl has the small letter: `c`. */
      name: string;
      /** What the key adds to a text; empty with Ctrl or Alt, and for named keys. */
      text: string;
      isCtrl: boolean;
      isAlt: boolean;
    }
  | { kind: "paste"; text: string }
  /** The left button was pressed; the first row and column are 0. */
  | { kind: "click"; row: number; column: number }
  | { kind: "wheel"; by: -1 | 1; row: number; column: number }
  | { kind: "resize" }
  /** The program was stopped and runs again. */
  | { kind: "resumed" };

export interface ParsedKeys {
  events: TerminalEvent[];
  /** The beginning of a sequence: the caller puts it before the next chunk. */
  held: string;
}

export function parseKeys(input: string): ParsedKeys {
  return parse(input, { isComplete: false });
}

/** After a rest: an Escape that begins no sequence was the key. */
export function flush(held: string): ParsedKeys {
  return parse(held, { isComplete: true });
}

const pasteBegin = "\x1b[200~";
const pasteEnd = "\x1b[201~";

function parse(input: string, { isComplete }: { isComplete: boolean }): ParsedKeys {
  const events: TerminalEvent[] = [];
  let at = 0;
  while (at < input.length) {
    if (input.startsWith(pasteBegin, at)) {
      const end = input.indexOf(pasteEnd, at);
      if (end < 0) break;
      events.push({ kind: "paste", text: pasted(input.slice(at + pasteBegin.length, end)) });
      at = end + pasteEnd.length;
      continue;
    }
    let piece = matchAt(whole, input, at);
    if (piece === null) {
      if (!isComplete) break;
      piece = matchAt(altered, input, at) ?? "\x1b";
    }
    const event = eventOf(piece);
    if (event !== null) events.push(event);
    at += piece.length;
  }
  return { events, held: input.slice(at) };
}

/** One whole character or sequence. */
const whole = new RegExp(
  [
    // Two Escapes are two keys.
    /\x1b(?=\x1b)/,
    // A mouse report of old terminals, and a function key of Linux's console: both look like the end of a CSI sequence.
    /\x1b\[M[\s\S]{3}/,
    /\x1b\[\[[A-E]/,
    // CSI and SS3: most keys, and the mouse.
    /\x1b\[(?![M[])[0-?]*[ -/]*[@-~]/,
    /\x1bO[ -~]/,
    // The answer of a terminal to the question of another program.
    /\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)/,
    // A key with Alt, and a character.
    /\x1b[^\x1b[O\]PX^_]/,
    /[^\x1b]/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "uy",
);

/** What begins a sequence and has no end was a key with Alt. */
const altered = /\x1b[[O\]PX^_]/uy;

function matchAt(pattern: RegExp, input: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(input)?.[0] ?? null;
}

function eventOf(piece: string): TerminalEvent | null {
  const mouse = /^\x1b\[<(\d+);(\d+);(\d+)([Mm])$/.exec(piece);
  if (mouse !== null) return mouseEvent(Number(mouse[1]), Number(mouse[2]), Number(mouse[3]), mouse[4]!);
  if (piece.startsWith("\x1b[[")) return key(`f${piece.charCodeAt(3) - 64}`);
  const csi = /^\x1b[[O]([\d;:]*)([A-Za-z~])$/.exec(piece);
  if (csi !== null) return sequenceKey(csi[1]!.split(/[;:]/).map(Number), csi[2]!);
  if (piece === "\x1b") return key("escape");
  if (!piece.startsWith("\x1b")) return characterKey(piece, 0);
  return /^\x1b[\s\S]$/u.test(piece) ? characterKey(piece.slice(1), alt) : null;
}

/** Bits of a modifier in a sequence, which is 1 more than their sum. */
const [shift, alt, ctrl] = [1, 2, 4];

function key(name: string, modifiers = 0): TerminalEvent {
  const [isAlt, isCtrl] = [(modifiers & alt) !== 0, (modifiers & ctrl) !== 0];
  return { kind: "key", name, text: "", isCtrl, isAlt };
}

const controls: Record<string, string> = {
  ...{ "\r": "enter", "\t": "tab", "\x7f": "backspace", "\b": "backspace", "\x1b": "escape" },
};

function characterKey(char: string, modifiers: number): TerminalEvent | null {
  const name = controls[char];
  if (name !== undefined)
    return key(name === "tab" && (modifiers & shift) !== 0 ? "backtab" : name, modifiers);
  // Ctrl with a key is the key's code without its high bits: Ctrl-A is 1, Ctrl-Space 0.
  const code = char.codePointAt(0)!;
  if (code === 0) return key(" ", modifiers | ctrl);
  if (code < 0x20) return key(String.fromCharCode(code + 0x40).toLowerCase(), modifiers | ctrl);
  if (code >= 0x80 && code < 0xa0) return null;
  if ((modifiers & (alt | ctrl)) !== 0) return key(char, modifiers);
  return { kind: "key", name: char, text: char, isCtrl: false, isAlt: false };
}

const finals: Record<string, string> = {
  ...{ A: "up", B: "down", C: "right", D: "left", H: "home", F: "end", Z: "backtab", M: "enter" },
  ...{ P: "f1", Q: "f2", R: "f3", S: "f4" },
};

const numbered: Record<number, string> = {
  ...{ 1: "home", 2: "insert", 3: "delete", 4: "end", 5: "pageup", 6: "pagedown", 7: "home", 8: "end" },
  ...{ 11: "f1", 12: "f2", 13: "f3", 14: "f4", 15: "f5", 17: "f6", 18: "f7", 19: "f8", 20: "f9", 21: "f10" },
  ...{ 23: "f11", 24: "f12" },
};

function sequenceKey(numbers: readonly number[], final: string): TerminalEvent | null {
  const modifiers = Math.max((numbers[1] ?? 1) - 1, 0);
  // Keys by their character, as tmux sends them with `extended-keys always`.
  if (final === "u") return codeKey(numbers[0]!, modifiers);
  if (final === "~" && numbers[0] === 27) return codeKey(numbers[2] ?? 0, modifiers);
  if (final === "~") return namedKey(numbered[numbers[0]!], modifiers);
  // Other numbers are answers to questions, such as the place of the cursor.
  return numbers[0]! <= 1 ? namedKey(finals[final], modifiers) : null;
}

function namedKey(name: string | undefined, modifiers: number): TerminalEvent | null {
  return name === undefined ? null : key(name, modifiers);
}

function codeKey(code: number, modifiers: number): TerminalEvent | null {
  if (code === 0 || code > 0x10ffff || (code >= 0xe000 && code <= 0xf8ff)) return null;
  return characterKey(String.fromCodePoint(code), modifiers);
}

function mouseEvent(button: number, x: number, y: number, final: string): TerminalEvent | null {
  const place = { row: y - 1, column: x - 1 };
  // Shift, Alt and Ctrl are bits of the button's number.
  const plain = button & ~0b11100;
  if (plain === 0 && final === "M") return { kind: "click", ...place };
  if (plain === 64 || plain === 65) return { kind: "wheel", by: plain === 64 ? -1 : 1, ...place };
  return null;
}

function pasted(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(/[\x00-\x08\x0b-\x1f\x7f]/g, "");
}
