// The rows of a captured screen as a page may draw them: each row for itself, with sequences for colours and nothing else.
// Pure.
//
// [WR1] No other sequence and no control character of a program reaches the page's terminal.
// [WR2] A row looks the same alone: it begins with the colours that tmux left from the row before, and ends without any.

/** `captured` is what `capture-pane -e` prints. */
export function screenRows(captured: string): string[] {
  const look: Look = new Map();
  let isDrawing = false;
  return captured.split("\n").map((line) => {
    let row = lookText(look);
    let wasColoured = look.size > 0;
    for (const [token] of line.matchAll(tokens)) {
      const numbers = /^\x1b\[([\d;:]*)m$/.exec(token)?.[1];
      if (numbers !== undefined) {
        take(look, numbers);
        wasColoured = true;
        row += `\x1b[${numbers}m`;
      } else if (token === "\x0e" || token === "\x0f") isDrawing = token === "\x0e";
      else if (token.length === 1 && isControl(token)) continue;
      else if (!token.startsWith("\x1b")) row += isDrawing ? drawn(token) : token;
    }
    // Blanks at the end are seen only if they have a colour.
    if (look.size === 0) row = row.replace(/ +((?:\x1b\[[\d;:]*m)*)$/, "$1").replace(/ +$/, "");
    return wasColoured && look.size > 0 ? `${row}\x1b[0m` : row;
  });
}

/** Colours and attributes that are on, by what they change. */
type Look = Map<string, string>;

/** Plain text, one control character, or one whole sequence: CSI, OSC and its kin, or two bytes. */
const tokens =
  /[^\x00-\x1f\x7f-\x9f]+|\x1b\[[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]|\x1b[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[\x20-\x2f]*[\x30-\x7e]|[\x00-\x1f\x7f-\x9f]/g;

function isControl(token: string): boolean {
  return /[\x00-\x1f\x7f-\x9f]/.test(token);
}

function lookText(look: Look): string {
  return look.size === 0 ? "" : `\x1b[${[...look.values()].join(";")}m`;
}

const switches: Readonly<Record<string, readonly string[]>> = {
  "22": ["1", "2"],
  "23": ["3"],
  "24": ["4"],
  "25": ["5"],
  "27": ["7"],
  "28": ["8"],
  "29": ["9"],
  "55": ["53"],
  "39": ["fg"],
  "49": ["bg"],
  "59": ["line"],
};
const large: Readonly<Record<string, string>> = { "38": "fg", "48": "bg", "58": "line" };

function take(look: Look, numbers: string): void {
  const codes = numbers === "" ? ["0"] : numbers.split(";");
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at]!;
    const [first = ""] = code.split(":");
    const place = large[first];
    if (first === "0" || first === "") look.clear();
    else if (place !== undefined) {
      // 38;5;N and 38;2;R;G;B, or all of it with colons.
      const more = code.includes(":") ? 0 : codes[at + 1] === "5" ? 2 : codes[at + 1] === "2" ? 4 : 0;
      look.set(place, codes.slice(at, at + 1 + more).join(";"));
      at += more;
    } else if (switches[first] !== undefined) for (const off of switches[first]) look.delete(off);
    else if (/^(?:3|9)[0-7]$/.test(first)) look.set("fg", code);
    else if (/^(?:4|10)[0-7]$/.test(first)) look.set("bg", code);
    else if (first === "21") look.set("4", code);
    else look.set(first, code);
  }
}

/** Lines and corners, which old programs draw with letters. */
function drawn(text: string): string {
  return text.replace(
    /[`a-~]/g,
    (letter) => lines["`abcdefghijklmnopqrstuvwxyz{|}~".indexOf(letter)] ?? letter,
  );
}

const lines = [..."◆▒␉␌␍␊°±␤␋┘┐┌└┼⎺⎻─⎼⎽├┤┴┬│≤≥π≠£·"];
