// Formats the history of a pane or a session. Pure: stays in, lines out.

import { textTable } from "../../base/text/table.js";
import { localSeconds, utcSeconds } from "../../base/text/utc.js";
import type { Seen, Stay, Unknown } from "../../fleet/lineage/history.js";
import type { PaneAddress } from "../../names/gates.js";
import { shortId } from "../../names/short-id.js";
import { type Colours, shown } from "../output.js";

/** One line per known place of each stay, oldest first, plus one for time spent in an unknown place. */
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
        localSeconds(fromMs),
        localSeconds(toMs),
        stay.sources.join(", "),
        isLast && stay.end === "now" ? colours.green(then) : then,
      ];
    }),
  );
  return textTable([heading, ...rows]);
}

/** One sentence per stay: the session, the pane, the time span, and the sources. */
export function nearLines(stays: readonly Stay[]): string[] {
  return stays.map((stay) => {
    const { session, fromMs, toMs, sources, end } = stay;
    const where = partsOf(stay)
      .map(({ address }) => address ?? "an unknown pane")
      .join(", then ");
    const over = end === null || end === "now" ? "" : `, ended by ${localSeconds(end.atMs)}`;
    const span = `seen from ${localSeconds(fromMs)} to ${localSeconds(toMs)}`;
    return `${session} in ${where}: ${span} (${sources.join(", ")})${over}`;
  });
}

export function whyUnknown({ unknown, near }: Unknown): string {
  const [first, last] = [near[0]!, near.at(-1)!];
  const [from, to] = [localSeconds(first.toMs), localSeconds(last.fromMs)];
  if (unknown === "between") return `that is between ${from} (${id(first)}) and ${to} (${id(last)})`;
  return {
    before: `nothing is recorded before ${to}`,
    since: `nothing is recorded since ${from}`,
    changing: `it changed from ${id(first)} to ${id(last)} in that second`,
    moving: "its pane moved at about that time",
    unplaced: "only hooks reported it, and they do not name the pane's address",
  }[unknown];
}

/** The address is null where the pane is not known. */
type Part = Omit<Seen, "address"> & { address: PaneAddress | null };

function partsOf({ places, fromMs, toMs }: Stay): readonly Part[] {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return [{ address: null, fromMs, toMs }];
  const before = { address: null, fromMs, toMs: first.fromMs };
  const after = { address: null, fromMs: last.toMs, toMs };
  return [before, ...places, after].filter((part) => part.address !== null || part.fromMs < part.toMs);
}

function nextWords(address: PaneAddress | null, next: PaneAddress | null): string {
  if (next === null) return "pane unknown";
  return address === null ? `seen in ${next}` : `moved to ${next}`;
}

function endWords({ end }: Stay): string {
  if (end === null) return "not seen since";
  return end === "now" ? "there now" : `${shown(end.why)}, by ${utcSeconds(end.atMs)}`;
}

function id({ session }: Stay): string {
  return shortId(session);
}
