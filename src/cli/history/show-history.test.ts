import { expect, test } from "vitest";
import { localSeconds } from "../../base/text/utc.js";
import type { Stay } from "../../fleet/lineage/history.js";
import type { PaneAddress, SessionId } from "../../names/gates.js";
import type { Colours } from "../output.js";
import { nearLines, stayLines } from "./show-history.js";

const at = (second: number) => Date.parse("2026-04-22T08:00:00Z") + second * 1000;
const seen = (address: PaneAddress, from: number, to: number) => ({
  ...{ address, fromMs: at(from), toMs: at(to) },
});
const colours = { green: (text: string) => text } as Colours;

/** Seen from second 10 to 50, in these places. */
function stay(...places: Stay["places"]): Stay {
  const session = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
  return { session, role: null, fromMs: at(10), toMs: at(50), places, sources: ["hook"], end: null };
}

test.each<[string, Stay, string[], string]>([
  [
    "all of it",
    stay(seen("a:0.0", 10, 20), seen("a:0.1", 30, 50)),
    ["a:0.0 10 20 moved to a:0.1", "a:0.1 30 50 not seen since"],
    "a:0.0, then a:0.1",
  ],
  [
    "the middle of it",
    stay(seen("a:0.0", 20, 40)),
    ["– 10 20 seen in a:0.0", "a:0.0 20 40 pane unknown", "– 40 50 not seen since"],
    "an unknown pane, then a:0.0, then an unknown pane",
  ],
  ["nothing of it", stay(), ["– 10 50 not seen since"], "an unknown pane"],
])("a stay is shown from start to end when its pane is known for %s", (_, given, table, where) => {
  const rows = stayLines([given], colours).slice(1);
  const form = /^\S+ +(\S+) +– +\S+ \S+:(\d\d) +\S+ \S+:(\d\d) +hook +(.*)$/;
  expect(rows.map((row) => row.replace(form, "$1 $2 $3 $4"))).toEqual(table);
  expect(nearLines([given])[0]).toContain(` in ${where}: seen from ${localSeconds(at(10))} `);
});
