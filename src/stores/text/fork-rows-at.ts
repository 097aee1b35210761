// The rows of S5 of some panes, found by bytes: a history of one pane needs a few thousand of a million rows.
//
// Who reads them in file order, with other dated facts in between, gets the same as from all rows:
// - A row about the past was written together with the next current row, of whichever pane. So that row is given too.
// - A row that is older than one before it was written later than that one. So the youngest row before it is given
//   too.

import type { PaneAddress } from "../../names/gates.js";
import type { ForkRow } from "../forks.js";

export function* rowsAt(
  pieces: Iterable<Buffer>,
  panes: ReadonlySet<PaneAddress>,
  parse: (line: string) => ForkRow | string,
): Generator<ForkRow> {
  const wanted = [...panes].map((pane) => Buffer.from(pane));
  const youngest = new YoungestRow();
  let isPastOpen = false;
  /** The latest time that was given. */
  let givenAt = "";
  for (const piece of pieces) {
    youngest.enter(piece);
    for (let from = 0; from < piece.length; ) {
      const end = piece.indexOf(lineFeed, from);
      const cut = firstDelimiter(piece, from, end);
      if (isPastOpen || isOneOf(piece, cut + 1, end, wanted)) {
        const row = parse(textOf(piece, from, end));
        const isCurrent = typeof row === "object" && row.state !== "stale";
        if (typeof row === "object" && (isCurrent || isOneOf(piece, cut + 1, end, wanted))) {
          const younger = youngest.after(row.at > givenAt ? row.at : givenAt);
          const witness = younger === null ? null : parse(younger);
          if (typeof witness === "object" && witness !== null) yield witness;
          yield row;
          for (const each of [witness, row])
            if (typeof each === "object" && each !== null && each.at > givenAt) givenAt = each.at;
          isPastOpen = !isCurrent;
        }
      }
      youngest.meet(from, end, cut);
      from = end + 1;
    }
  }
}

/** The row with the latest time so far, by its position: only a row that is out of order needs it. */
class YoungestRow {
  #piece: Buffer = Buffer.alloc(0);
  #from = 0;
  #end = 0;
  /** Set if it is in an earlier piece, whose bytes are gone. */
  #line: string | null = "";

  enter(piece: Buffer): void {
    this.#line ??= textOf(this.#piece, this.#from, this.#end);
    this.#piece = piece;
  }

  meet(from: number, end: number, cut: number): void {
    const piece = this.#piece;
    if (cut - from < timeLength || !isTimed(piece, from)) return;
    if (!this.#isEarlierThan(from)) return;
    this.#from = from;
    this.#end = end;
    this.#line = null;
  }

  /** Its line, if it is younger than that time. */
  after(at: string): string | null {
    const line = this.#line ?? textOf(this.#piece, this.#from, this.#end);
    return line.slice(0, timeLength) > at.slice(0, timeLength) ? line : null;
  }

  #isEarlierThan(from: number): boolean {
    const piece = this.#piece;
    for (let place = 0; place < timeLength; place++) {
      const own = this.#line === null ? piece[this.#from + place]! : this.#line.charCodeAt(place);
      if (own !== piece[from + place]) return !(own > piece[from + place]!);
    }
    return false;
  }
}

const [lineFeed, delimiter, digitTwo, letterZ] = [0x0a, 0x7c, 0x32, 0x5a];
/** `2026-04-22T08:52:40Z` */
const timeLength = 20;

function textOf(piece: Buffer, from: number, end: number): string {
  return piece.toString("latin1", from, end).replace(/\r$/, "");
}

function firstDelimiter(piece: Buffer, from: number, end: number): number {
  let at = from;
  while (at < end && piece[at] !== delimiter) at++;
  return at;
}

function isTimed(piece: Buffer, from: number): boolean {
  return piece[from] === digitTwo && piece[from + timeLength - 1] === letterZ;
}

function isOneOf(piece: Buffer, from: number, end: number, wanted: readonly Buffer[]): boolean {
  for (const text of wanted) {
    const to = from + text.length;
    if (to < end && piece[to] === delimiter && hasText(piece, from, text)) return true;
  }
  return false;
}

/** The digits at the end of an address differ more often than the team at its beginning. */
function hasText(piece: Buffer, from: number, text: Buffer): boolean {
  let at = text.length - 1;
  while (at >= 0 && piece[from + at] === text[at]) at--;
  return at < 0;
}
