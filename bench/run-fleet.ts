// npm run bench:fleet [-- --hosts N --agents N --seconds N --rate N]: measures one nats-server under a simulated fleet.
// `--write` updates bench/RESULTS.md.

import { parseArgs } from "node:util";
import { isMet } from "./bar.js";
import { fleetBars, usualFleetRun } from "./fleet-scale.js";
import { printBars, writeBars } from "./results.js";

const { values } = parseArgs({
  options: {
    hosts: { type: "string", default: String(usualFleetRun.hosts) },
    agents: { type: "string", default: String(usualFleetRun.agentsPerHost) },
    seconds: { type: "string", default: String(usualFleetRun.seconds) },
    rate: { type: "string", default: String(usualFleetRun.changesPerSecond) },
    /** Updates the page. */
    write: { type: "boolean", default: false },
  },
});

const bars = await fleetBars({
  hosts: Number(values.hosts),
  agentsPerHost: Number(values.agents),
  seconds: Number(values.seconds),
  changesPerSecond: Number(values.rate),
});
printBars(bars);
if (values.write)
  writeBars("fleet", bars, [
    "Simulated over 8 connections on loopback; the publishers share the machine with the server.",
  ]);
process.exitCode = bars.every(isMet) ? 0 : 1;
