// npm run bench:web [-- --agents N --sessions N --seconds N --quiet N --rate N]: measures `serve` in a browser, and prints.
// `--write` updates bench/RESULTS.md.

import { parseArgs } from "node:util";
import { isMet } from "./bar.js";
import { printBars, writeBars } from "./results.js";
import { usualWebRun, webBars } from "./web.js";

const { values } = parseArgs({
  options: {
    agents: { type: "string", default: String(usualWebRun.agents) },
    sessions: { type: "string", default: String(usualWebRun.sessions) },
    seconds: { type: "string", default: String(usualWebRun.seconds) },
    quiet: { type: "string", default: String(usualWebRun.quietSeconds) },
    rate: { type: "string", default: String(usualWebRun.changesPerSecond) },
    /** Updates the page. */
    write: { type: "boolean", default: false },
  },
});

const bars = await webBars({
  agents: Number(values.agents),
  sessions: Number(values.sessions),
  seconds: Number(values.seconds),
  quietSeconds: Number(values.quiet),
  changesPerSecond: Number(values.rate),
});
printBars(bars);
if (values.write) writeBars("web", bars);
process.exitCode = bars.every(isMet) ? 0 : 1;
