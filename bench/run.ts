// npm run bench [PART…]: measures, prints, and writes bench/RESULTS.md.

import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { textTable } from "../src/base/text/table.js";
import { type Bar, isMet } from "./bar.js";
import { fleetBars } from "./fleet.js";
import { hookBars } from "./hooks.js";
import { searchBars } from "./search.js";
import { startBars } from "./start.js";
import { transcriptBars } from "./transcripts.js";

const parts: Readonly<Record<string, () => Promise<Bar[]>>> = {
  start: startBars,
  transcripts: () => transcriptBars(),
  fleet: () => fleetBars(),
  search: () => searchBars(),
  hooks: hookBars,
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

const cells = bars.map((each) => [
  each.name,
  each.ratio.toFixed(2),
  `${each.atLeast ? "≥" : "≤"} ${each.bar}`,
  isMet(each) ? "met" : "MISSED",
  each.detail,
]);
const heading = ["what", "ratio", "bar", "", "measured"];
for (const line of textTable([heading, ...cells])) console.log(line);

if (wanted.length === 0) {
  const table = [heading, heading.map(() => "---"), ...cells].map((row) => `| ${row.join(" | ")} |`);
  const machine = `Node ${process.version}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}.`;
  const text = [
    "# Measured",
    "",
    "`npm run bench` writes this page; ratios are of things measured in one run.",
    machine,
    "",
    ...table,
    "",
  ];
  writeFileSync(fileURLToPath(new URL("RESULTS.md", import.meta.url)), text.join("\n"));
}
process.exitCode = bars.every(isMet) ? 0 : 1;
