// The page of measured figures: one row per figure.

import { readFileSync, writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { textTable } from "../src/base/text/table.js";
import { type Bar, isMet } from "./bar.js";

const page = fileURLToPath(new URL("RESULTS.md", import.meta.url));
const heading = ["what", "ratio", "bar", "", "measured"];

export function printBars(bars: readonly Bar[]): void {
  for (const line of textTable([heading, ...bars.map(cellsOf)])) console.log(line);
}

/** Rows of other figures stay as they are. */
export function writeBars(bars: readonly Bar[]): void {
  const [, , ...known] = readFileSync(page, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("|"));
  const rows = new Map(known.map((row) => [row.split(" | ")[0], row]));
  for (const row of bars.map(cellsOf).map(tableRow)) rows.set(row.split(" | ")[0], row);
  const machine = `Node ${process.version}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}.`;
  const text = [
    "# Measured",
    "",
    "`npm run bench` writes this page, `npm run bench:top -- --write` the rows of `top`, `npm run bench:web -- --write` those of",
    "`serve`. Ratios are of things measured in one run.",
    machine,
    "",
    ...[heading, heading.map(() => "---")].map(tableRow),
    ...rows.values(),
    "",
  ];
  writeFileSync(page, text.join("\n"));
}

function cellsOf(bar: Bar): string[] {
  const limit = `${bar.atLeast ? "≥" : "≤"} ${bar.bar}`;
  return [bar.name, bar.ratio.toFixed(2), limit, isMet(bar) ? "met" : "MISSED", bar.detail];
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
