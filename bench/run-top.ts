// npm run bench:top [-- --agents N --seconds N --quiet N --rate N]: measures `top`, prints, and updates bench/RESULTS.md.

import { parseArgs } from "node:util";
import { isMet } from "./bar.js";
import { printBars, writeBars } from "./results.js";
import { topBars, usualRun } from "./top.js";

const { values } = parseArgs({
  options: {
    agents: { type: "string", default: String(usualRun.agents) },
    seconds: { type: "string", default: String(usualRun.seconds) },
    quiet: { type: "string", default: String(usualRun.quietSeconds) },
    rate: { type: "string", default: String(usualRun.changesPerSecond) },
    /** Updates the page. */
    write: { type: "boolean", default: false },
  },
});

const bars = await topBars({
  agents: Number(values.agents),
  seconds: Number(values.seconds),
  quietSeconds: Number(values.quiet),
  changesPerSecond: Number(values.rate),
});
printBars(bars);
if (values.write) writeBars("top", bars);
process.exitCode = bars.every(isMet) ? 0 : 1;
