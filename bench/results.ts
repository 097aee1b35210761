// The page of measured figures: a table per command that measures.

import { readFileSync, writeFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import { textTable } from "../src/base/text/table.js";
import { type Bar, isMet } from "./bar.js";

const page = fileURLToPath(new URL("RESULTS.md", import.meta.url));
const heading = ["what", "ratio", "bar", "", "measured"];

/** On a busy machine the figures by the clock say little. */
const loadBefore = loadavg()[0]!;

/** The tables of the page, in order. */
export const sections = {
  usual: "npm run bench",
  warm20: "npm run bench -- warm --node 20",
  warm22: "npm run bench -- warm --node 22",
  warm24: "npm run bench -- warm --node 24",
  huge: "npm run bench -- --huge",
  idle: "npm run bench -- --watch-minutes N",
  top: "npm run bench:top -- --write",
  web: "npm run bench:web -- --write",
  fleet: "npm run bench:fleet -- --write",
} as const;
export type Section = keyof typeof sections;

export function printBars(bars: readonly Bar[]): void {
  for (const line of textTable([heading, ...bars.map(cellsOf)])) console.log(line);
}

/** Replaces one table. The others stay as they are. */
export function writeBars(section: Section, bars: readonly Bar[], remarks: readonly string[] = []): void {
  const machine = `Node ${process.version}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}; load ${loadBefore.toFixed(1)} when the run began.`;
  const table = [heading, heading.map(() => "---"), ...bars.map(cellsOf)].map(tableRow);
  const now = [machine, ...remarks, "", ...table].join("\n");
  const known = tablesIn(readFileSync(page, "utf8"));
  const tables = Object.entries(sections).flatMap(([name, command]) => {
    const text = name === section ? now : known.get(command);
    return text === undefined ? [] : [`## \`${command}\``, "", text, ""];
  });
  const intro = "Each command writes its own table. Both sides of a ratio are measured in one run.";
  writeFileSync(page, ["# Measured", "", intro, "", ...tables].join("\n"));
}

/** By the command that wrote them. */
function tablesIn(text: string): Map<string, string> {
  const [, ...parts] = text.split(/^## /m);
  return new Map(
    parts.map((part) => {
      const [head = "", ...rest] = part.split("\n");
      return [head.replaceAll("`", ""), rest.join("\n").trim()];
    }),
  );
}

function cellsOf(bar: Bar): string[] {
  const limit = Number.isFinite(bar.bar) ? `${bar.atLeast ? "≥" : "≤"} ${bar.bar}` : "none";
  return [bar.name, bar.ratio.toFixed(2), limit, isMet(bar) ? "met" : "MISSED", bar.detail];
}

function tableRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
