// Parses a file that a POSIX shell may source, without a shell. Pure.
//
// A value is read as sh reads it: in single quotes, double quotes or none. A value that sh would expand is refused,
// and the problem names the variable and the character. The pieces cover the whole text: joined again they are the
// file.

export interface ShPiece {
  /** Including its line end. A quoted value may span several lines. */
  text: string;
  /** The line where it begins, from 1. */
  line: number;
  /** Null if it assigns nothing. */
  assigned: { name: string; value: string } | null;
  /** The rest after the assignment: blanks, a comment, the line end. */
  tail: string;
  /** The problem with it; null also for a comment or a blank line. */
  why: string | null;
}

export function shPieces(text: string): ShPiece[] {
  const pieces: ShPiece[] = [];
  let line = 1;
  for (let at = 0; at < text.length; ) {
    const piece = pieceAt(text, at, line);
    pieces.push(piece);
    at += piece.text.length;
    line += piece.text.split("\n").length - 1;
  }
  return pieces;
}

export function shAssignment(name: string, value: string): string {
  return `${name}='${value.replaceAll("'", "'\\''")}'`;
}

function pieceAt(text: string, at: number, line: number): ShPiece {
  const endOfLine = (from: number) => {
    const end = text.indexOf("\n", from);
    return end < 0 ? text.length : end + 1;
  };
  const without = (why: string | null, from = at): ShPiece => ({
    text: text.slice(at, endOfLine(from)),
    line,
    assigned: null,
    tail: "",
    why,
  });
  if (matchAt(blankLine, text, at) !== null) return without(null);
  const [head, name] = matchAt(assignmentHead, text, at) ?? [];
  if (head === undefined || name === undefined) return without("not an assignment");
  const word = wordAt(text, at + head.length);
  // After an unclosed quote nothing can be parsed safely, so only its line is skipped.
  if (word.isOpen) return without(`${name}: a quote is not closed`);
  if (word.refused !== null) return without(`${name}: ${word.refused}`, word.end);
  const tail = matchAt(assignmentTail, text, word.end)?.[0];
  if (tail === undefined) return without(`${name}: more than one word follows the =`, word.end);
  const assigned = { name, value: word.value };
  return { text: text.slice(at, word.end + tail.length), line, assigned, tail, why: null };
}

const blankLine = /[ \t\r]*(?:#|\r?\n|$)/y;
const assignmentHead = /[ \t]*([A-Za-z_][A-Za-z0-9_]*)=/y;
const assignmentTail = /[ \t]*(?:;[ \t]*)?(?:[ \t]#[^\n]*)?\r?(?:\n|$)/y;

interface Word {
  value: string;
  /** The offset after its last character. */
  end: number;
  refused: string | null;
  isOpen: boolean;
}

function wordAt(text: string, start: number): Word {
  const parts: string[] = [];
  let refused: string | null = null;
  let at = start;
  let isAfterColon = true;
  const word = (isOpen = false): Word => ({ value: parts.join(""), end: at, refused, isOpen });
  for (;;) {
    const [plain] = matchAt(plainText, text, at)!;
    const tilde = /(?:^|:)~/.test(isAfterColon ? plain : `x${plain}`);
    if (tilde) refused ??= expands("~");
    parts.push(plain);
    at += plain.length;
    isAfterColon = plain.endsWith(":");
    const next = text[at];
    const rest = next === undefined ? null : quoted[next];
    if (!rest) return word();
    const found = matchAt(rest, text, at);
    if (found === null) return word(true);
    const inside = found[1] ?? "";
    const [expanded] = next === "'" ? [] : (/[$`\\]/.exec(next === '"' ? inside : next!) ?? []);
    if (expanded !== undefined && found[0] !== "\\'") refused ??= expands(expanded);
    parts.push(found[0] === "\\'" ? "'" : inside);
    at += found[0].length;
    isAfterColon = false;
  }
}

/** Up to the character that ends a word or begins a quote. */
const plainText = /[^\s'"\\$`;&|<>()]*/y;

/** The forms that may follow plain text in a word; the group is the value. */
const quoted: Readonly<Record<string, RegExp>> = {
  "'": /'([^']*)'/y,
  '"': /"([^"\\]*(?:\\[\s\S][^"\\]*)*)"/y,
  "\\": /\\[\s\S]?/y,
  $: /\$[({]?/y,
  "`": /`[^`\n]*`?/y,
};

function expands(character: string): string {
  return `a shell would expand its ${character}: write the value in single quotes`;
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at;
  return form.exec(text);
}
