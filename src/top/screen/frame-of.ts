// The whole screen, from the state. Pure.

import { counted } from "../../base/text/counted.js";
import type { FarAgent } from "../../link/rows.js";
import { isFarWaiting } from "../far-rows.js";
import { layoutOf } from "../layout.js";
import { pageOf } from "../page.js";
import type { TopState } from "../state.js";
import {
  columnsOf,
  type Frame,
  fitted,
  type Line,
  lineWidth,
  span,
  textEnd,
  widthOf,
} from "../terminal/frame.js";
import { rowsOnce } from "../terminal/rows-once.js";
import { rowsIn } from "../updated.js";
import { detailLines } from "./detail-lines.js";
import { keyLine } from "./help-lines.js";
import { listLines } from "./list-lines.js";

export function frameOf(state: TopState): Frame {
  const { columns, rows } = state;
  const bottom = bottomLine(state);
  const lines = [headLine(state), ...bodyOf(state), ...resultLines(state), bottom.line];
  const fit = lines
    .slice(0, Math.max(0, rows - 1))
    .concat([bottom.line])
    .slice(-rows);
  const shown = lines.length > rows ? fit : lines;
  const cursor =
    bottom.column === null ? null : { row: shown.length - 1, column: Math.min(bottom.column, columns - 1) };
  return { lines: shown.map((line) => fitted(line, columns)), cursor };
}

function headLine(state: TopState): Line {
  const { fleet, worker, trouble, filter, order, columns } = state;
  const agents =
    fleet?.teams
      .flatMap((team) => team.agents)
      .filter(({ activity, kind }) => activity !== "shell" && kind !== "shell") ?? [];
  const count = (activity: string) => agents.filter((agent) => agent.activity === activity).length;
  const waiting = count("waiting");
  // What a person has to know comes first: a narrow terminal cuts the end.
  return [
    span(columns >= 60 ? " hivemind " : "", { isInverse: true, isBold: true }),
    span(` ${counted(agents.length, "agent")} `),
    span(waiting > 0 ? ` ${waiting} waiting ` : "", { colour: "yellow", isBold: true, isInverse: true }),
    ...farSpans(state),
    span(trouble === null ? "" : `  old: ${trouble}`, { colour: "red", isBold: true }),
    span(filter === "" ? "" : `  /${filter}`, { colour: "cyan" }),
    span(worker === null && trouble === null ? "  no watcher: w" : "", { colour: "yellow" }),
    span(worker === null && trouble === null && columns >= 80 ? " starts one" : "", { colour: "yellow" }),
    span(`  ${count("busy")} busy · ${count("idle")} idle`, { isDim: true }),
    span(order === "waiting" ? "" : `  by ${order}`, { isDim: true }),
  ];
}

function farSpans({ far, farTrouble }: TopState): Line {
  if (far === null) return [];
  const reached = new Set(far.hosts.filter(({ isReached }) => isReached).map(({ host }) => host));
  const isThere = (agent: FarAgent) => isFarWaiting({ agent, isReached: reached.has(agent.host) });
  const waiting = far.agents.filter(isThere).length;
  const counts = `${far.agents.length} on ${counted(far.hosts.length, "other host")}`;
  return [
    span(farTrouble === null ? "" : `  fleet: ${farTrouble} `, { colour: "red", isBold: true }),
    span(` + ${far.readAtMs === 0 ? "other hosts …" : counts} `),
    span(waiting > 0 ? ` ${waiting} waiting there ` : "", { colour: "yellow", isBold: true }),
  ];
}

function bodyOf(state: TopState): Line[] {
  const { list, detail } = layoutOf(state);
  const height = detail === null || detail.left > 0 ? list.rows : list.rows + 1 + detail.rows;
  const page = pageOf(state);
  if (page !== null) return padded(page.rows, height);
  if (rowsIn(state).length === 0) return padded(emptyLines(state), height);
  const left = padded(listLines(state, list.columns, list.rows), list.rows);
  if (detail === null) return left;
  const right = padded(detailLines(state, detail), detail.rows);
  if (detail.left === 0) return [...left, [span("─".repeat(state.columns), { isDim: true })], ...right];
  return left.map((line, at) => besideOnce(line, list.columns, right[at] ?? noLine, detail.columns));
}

const joined = new WeakMap<Line, { right: Line; columns: string; line: Line }>();

/** Two lines that were side by side before give the same line again. */
function besideOnce(left: Line, leftColumns: number, right: Line, rightColumns: number): Line {
  const columns = `${leftColumns} ${rightColumns}`;
  const known = joined.get(left);
  if (known?.right === right && known.columns === columns) return known.line;
  const line = columnsOf([
    { line: left, columns: leftColumns },
    { line: [span("│", { isDim: true })], columns: 1 },
    { line: right, columns: rightColumns },
  ]);
  if (left !== noLine) joined.set(left, { right, columns, line });
  return line;
}

const noLine: Line = [];

function emptyLines({ fleet, filter, comeback }: TopState): Line[] {
  if (fleet === null) return [[], [span("  looking …", { isDim: true })]];
  if (filter !== "") return [[], [span(`  nothing has "${filter}"; Escape ends the filter`)]];
  const hint =
    comeback === null ? "start a team: hivemind team setup NAME ROLE …" : `Enter brings back ${comeback}`;
  return [[], [span("  No agents run.")], [span(`  ${hint}`, { colour: "cyan" })]];
}

function resultLines(state: TopState): Line[] {
  const { result, columns } = state;
  const { rows } = layoutOf(state).result;
  if (result === null) return [];
  const style = result.isFailed ? { colour: "red" as const } : { colour: "green" as const };
  const all = rowsOnce(result.lines, columns);
  const more = all.length > rows ? [`… and ${counted(all.length - rows + 1, "more line")}`] : [];
  const lines = [...all.slice(0, rows - more.length), ...more];
  return lines.map((line, at): Line => [span(line, at === 0 ? style : { isDim: true })]);
}

/** What is typed, asked or runs; else the keys. `column` is the place of the cursor. */
function bottomLine(state: TopState): { line: Line; column: number | null } {
  const { mode, running, columns } = state;
  const below = pageOf(state)?.below ?? 0;
  if (mode.kind === "help") {
    const more = below > 0 ? `↓ PgDn: ${below} more · ` : "";
    return { line: [span(`${more}other keys close it`, { isDim: true })], column: null };
  }
  if (mode.kind === "asking") {
    const keys = below > 0 ? `↓ PgDn: ${counted(below, "more line")} to read` : "y/n";
    return {
      line: [span(`${mode.question} `, { isBold: true, colour: "yellow" }), span(keys, { isBold: true })],
      column: null,
    };
  }
  if (mode.kind === "typing") {
    const prompt = fitted([span(mode.prompt)], Math.min(widthOf(mode.prompt), Math.floor(columns / 2)));
    const before = mode.text.slice(0, mode.place);
    // A long line shows the part around the cursor.
    const shown = textEnd(before, Math.max(2, columns - lineWidth(prompt) - 1));
    const line: Line = [
      ...prompt.map(({ text }) => span(text, { isBold: true, colour: "cyan" })),
      span(shown + mode.text.slice(mode.place)),
      span(mode.proposals.length > 0 ? `   ${mode.proposals.join("  ")}` : "", { isDim: true }),
    ];
    return { line, column: lineWidth(prompt) + widthOf(shown) };
  }
  if (running !== null) return { line: [span(`running: ${running}`, { colour: "cyan" })], column: null };
  return { line: keyLine(columns), column: null };
}

function padded(lines: readonly Line[], height: number): Line[] {
  return Array.from({ length: Math.max(0, height) }, (_, at) => lines[at] ?? noLine);
}
