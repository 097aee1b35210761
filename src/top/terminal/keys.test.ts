import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { flush, parseKeys, type TerminalEvent } from "./keys.js";

/** Everything that comes of these chunks, with a rest after the last one. */
function events(...chunks: string[]): TerminalEvent[] {
  const all: TerminalEvent[] = [];
  let held = "";
  for (const chunk of chunks) {
    const parsed = parseKeys(held + chunk);
    all.push(...parsed.events);
    held = parsed.held;
  }
  return [...all, ...flush(held).events];
}

/** `C-` and `M-` stand for Ctrl and Alt, as in tmux. */
function short(event: TerminalEvent): string {
  if (event.kind === "key") return `${event.isCtrl ? "C-" : ""}${event.isAlt ? "M-" : ""}${event.name}`;
  if (event.kind === "paste") return `paste ${JSON.stringify(event.text)}`;
  if (event.kind === "wheel") return `wheel ${event.by} at ${event.row},${event.column}`;
  return event.kind === "click" ? `click at ${event.row},${event.column}` : event.kind;
}

const rows: [string, string[]][] = [
  ["aG/é😀 ", ["a", "G", "/", "é", "😀", " "]],
  ["\r\t\x7f\b", ["enter", "tab", "backspace", "backspace"]],
  ["\x03\x1a\x0a\0\x1d", ["C-c", "C-z", "C-j", "C- ", "C-]"]],
  ["\x1b", ["escape"]],
  ["\x1b\x1b", ["escape", "escape"]],
  ["\x1b\x1b[A", ["escape", "up"]],
  ["\x1ba\x1bé\x1b\r\x1b\x7f\x1b😀", ["M-a", "M-é", "M-enter", "M-backspace", "M-😀"]],
  ["\x1b[", ["M-["]],
  ["\x1bO", ["M-O"]],
  ["\x1b]", ["M-]"]],
  ["\x1b[A\x1b[B\x1b[C\x1b[D\x1b[H\x1b[F\x1b[Z", ["up", "down", "right", "left", "home", "end", "backtab"]],
  ["\x1bOA\x1bOB\x1bOH\x1bOF\x1bOM", ["up", "down", "home", "end", "enter"]],
  ["\x1b[1~\x1b[2~\x1b[3~\x1b[4~\x1b[5~\x1b[6~", ["home", "insert", "delete", "end", "pageup", "pagedown"]],
  ["\x1bOP\x1bOS\x1b[15~\x1b[24~\x1b[[A\x1b[[E", ["f1", "f4", "f5", "f12", "f1", "f5"]],
  ["\x1b[1;5A\x1b[1;3D\x1b[3;5~\x1b[1;2P", ["C-up", "M-left", "C-delete", "f1"]],
  ["\x1b[97;5u\x1b[27;3;98~\x1b[9;2u\x1b[13;5u", ["C-a", "M-b", "backtab", "C-enter"]],
  ["\x1b[57399u\x1b[1114112u\x1b[0u", []],
  ["\x1b[<0;1;1M\x1b[<0;1;1m", ["click at 0,0"]],
  ["\x1b[<4;300;90M", ["click at 89,299"]],
  ["\x1b[<1;1;1M\x1b[<2;1;1M\x1b[<32;1;1M\x1b[<66;1;1M", []],
  ["\x1b[<64;5;3M\x1b[<65;5;3M", ["wheel -1 at 2,4", "wheel 1 at 2,4"]],
  ["\x1b[M !!q", ["q"]],
  ["\x1b[I\x1b[O\x1b[?1;2c\x1b[24;80Rq", ["q"]],
  ["\x1b]11;rgb:0/0/0\x07\x1bP1+r\x1b\\\x1b]11;x\x1b\\q", ["q"]],
  ["\x1b[200~q\r\nx\ty\x1b[A\x03\x1b[201~q", ['paste "q\\nx\\ty[A"', "q"]],
  ["\x1b[200~\x1b[201~", ['paste ""']],
  ["\x1b[200~q", []],
  ["\u0085\u009b", []],
];

describe("input becomes events", () => {
  test.each(rows)("%j", (input, expected) => {
    expect(events(input).map(short)).toEqual(expected);
    expect(events(...input).map(short)).toEqual(expected);
  });

  test("only a plain character has a text", () => {
    const texts = (input: string) => events(input).map((event) => event.kind === "key" && event.text);
    expect(texts("é \x01\x1ba\r\x1b[A")).toEqual(["é", " ", "", "", "", ""]);
  });

  test("the cuts between chunks change nothing", () => {
    const pieces = fc.array(fc.constantFrom(...rows.map(([input]) => input)), { maxLength: 6 });
    const cuts = fc.array(fc.nat(400), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, cuts, (parts, places) => {
        const input = parts.join("");
        const at = [0, ...places.map((place) => Math.min(place, input.length)).sort((a, b) => a - b)];
        const chunks = at.map((from, index) => input.slice(from, at[index + 1]));
        // Half of a surrogate pair cannot come: the decoder of the bytes holds it back.
        fc.pre(!chunks.some((chunk) => /\p{Surrogate}/u.test(chunk)));
        expect(events(...chunks)).toEqual(events(input));
      }),
    );
  });

  test("no input makes it fail or hold back what a rest ends", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."\x1b[O]P<;0159MmA~u\x07\\ qé") }), (input) => {
        const { held } = flush(parseKeys(input).held);
        expect(held === "" || held.startsWith("\x1b[200~")).toBe(true);
      }),
    );
  });
});
