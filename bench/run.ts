// npm run bench [PART…]: measures, prints, and writes bench/RESULTS.md.

import { type Bar, isMet } from "./bar.js";
import { fleetBars } from "./fleet.js";
import { hookBars } from "./hooks.js";
import { printBars, writeBars } from "./results.js";
import { searchBars } from "./search.js";
import { startBars } from "./start.js";
import { topBars } from "./top.js";
import { transcriptBars } from "./transcripts.js";
import { waitBars } from "./waits.js";

const parts: Readonly<Record<string, () => Promise<Bar[]>>> = {
  start: startBars,
  transcripts: () => transcriptBars(),
  fleet: () => fleetBars(),
  search: () => searchBars(),
  hooks: hookBars,
  waits: () => waitBars(),
  top: () => topBars(),
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in parts));
if (unknown.length > 0) {
  console.error(`no such part: ${unknown.join(", ")}; there are: ${Object.keys(parts).join(", ")}`);
  process.exit(2);
}

const bars: Bar[] = [];
for (const [name, measure] of Object.entries(parts)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.error(`measuring ${name} …`);
  bars.push(...(await measure()));
}

printBars(bars);
if (wanted.length === 0) writeBars(bars);
process.exitCode = bars.every(isMet) ? 0 : 1;
