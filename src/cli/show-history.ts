// The history of a pane or a session on a terminal. Pure: stays in, lines out.

import { textTable } from "../base/table.js";
import { utcSeconds } from "../base/utc.js";
import type { Stay, Unknown } from "../fleet/history.js";
import type { PaneAddress } from "../names/gates.js";
import { type Colours, shown } from "./output.js";
import { shortId } from "./show-sessions.js";

/** One line for each place of each stay, oldest first, and for what was seen before or after them. */
export function stayLines(stays: readonly Stay[], colours: Colours): string[] {
  const heading = ["SESSION", "PANE", "ROLE", "SEEN FROM", "SEEN TO", "SOURCE", "THEN"];
  const rows = stays.flatMap((stay) =>
    partsOf(stay).map(({ address, fromMs, toMs }, at, parts) => {
      const isLast = at === parts.length - 1;
      const then = isLast ? endWords(stay) : nextWords(address, parts[at + 1]!.address);
      return [
        shortId(stay.session),
        shown(address),
        shown(stay.role),
        utcSeconds(fromMs),
        utcSeconds(toMs),
        stay.sources.join(", "),
        isLast && stay.end === "now" ? colours.green(then) : then,
      ];
    }),
  );
  return textTable([heading, ...rows]);
}

/** For a sentence: which session, where, seen from when to when, and how that is known. */
export function nearLines(stays: readonly Stay[]): string[] {
  return stays.map((stay) => {
    const { session, fromMs, toMs, sources, end } = stay;
    const where = partsOf(stay)
      .map(({ address }) => address ?? "a place that nobody saw")
      .join(", then ");
    const over = end === null || end === "now" ? "" : `, over by ${utcSeconds(end.atMs)}`;
    const span = `seen from ${utcSeconds(fromMs)} to ${utcSeconds(toMs)}`;
    return `${session} in ${where}: ${span} (${sources.join(", ")})${over}`;
  });
}

export function whyUnknown({ unknown, near }: Unknown): string {
  const [first, last] = [near[0]!, near.at(-1)!];
  const [from, to] = [utcSeconds(first.toMs), utcSeconds(last.fromMs)];
  if (unknown === "between") return `that is between ${from} (${id(first)}) and ${to} (${id(last)})`;
  return {
    before: `nothing was seen before ${to}`,
    since: `nothing was seen since ${from}`,
    changing: `it changed from ${id(first)} to ${id(last)} in that very second`,
    moving: "its pane was moved about then",
    unplaced: "hooks told of it, and they do not say where its pane stood",
  }[unknown];
}

export function stayRow({ session, role, fromMs, toMs, places, sources, end }: Stay) {
  const isOver = end !== null && end !== "now";
  return {
    session,
    role,
    seenFrom: utcSeconds(fromMs),
    seenTo: utcSeconds(toMs),
    places: places.map((seen) => ({
      pane: seen.address,
      seenFrom: utcSeconds(seen.fromMs),
      seenTo: utcSeconds(seen.toMs),
    })),
    sources,
    isThereNow: end === "now",
    overBy: isOver ? utcSeconds(end.atMs) : null,
    why: isOver ? end.why : null,
  };
}

interface Part {
  /** Null where nobody saw where its pane stood. */
  address: PaneAddress | null;
  fromMs: number;
  toMs: number;
}

function partsOf({ places, fromMs, toMs }: Stay): readonly Part[] {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return [{ address: null, fromMs, toMs }];
  const before = { address: null, fromMs, toMs: first.fromMs };
  const after = { address: null, fromMs: last.toMs, toMs };
  return [before, ...places, after].filter((part) => part.address !== null || part.fromMs < part.toMs);
}

function nextWords(address: PaneAddress | null, next: PaneAddress | null): string {
  if (next === null) return "not seen where";
  return address === null ? `seen in ${next}` : `moved to ${next}`;
}

function endWords({ end }: Stay): string {
  if (end === null) return "not seen since";
  return end === "now" ? "there now" : `${shown(end.why)}, by ${utcSeconds(end.atMs)}`;
}

function id({ session }: Stay): string {
  return shortId(session);
}
