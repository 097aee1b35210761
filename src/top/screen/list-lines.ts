// The list on the left: one line per row. Pure.

import { parseUtc } from "../../base/text/utc.js";
import type { AgentView, BackgroundView, TeamView } from "../../fleet/view.js";
import { type FarRow, farAgeMs, type HostRow, isFarWaiting, shortName } from "../far-rows.js";
import { isWaiting, shareOf } from "../rows.js";
import type { TopState } from "../state.js";
import { columnsOf, fitted, type Line, type Span, type Style, span } from "../terminal/frame.js";
import { rowsIn } from "../updated.js";

export function listLines(state: TopState, columns: number, rows: number): Line[] {
  const all = rowsIn(state);
  const visible = all.slice(state.listTop, state.listTop + rows);
  return visible.map((row) => {
    const isChosen = row.key === state.selected;
    if (row.kind === "team") return chosen(teamLine(row.team, row.isFolded), columns, isChosen);
    if (row.kind === "background") return chosen(backgroundLine(row.job), columns, isChosen);
    if (row.kind === "host") return chosen(hostLine(row, state), columns, isChosen);
    if (row.kind === "far") {
      const mark = markOf(state.marked.has(row.key));
      return chosen([mark, ...farLine(row, state, columns - 1)], columns, isChosen);
    }
    const ago = agoOf(row.agent, state.nowMs);
    const isMarked = state.marked.has(row.key);
    return lineOnce(row.agent, `${columns} ${isChosen} ${isMarked} ${ago}`, () => {
      return chosen([markOf(isMarked), ...agentLine(row.agent, columns - 1, ago)], columns, isChosen);
    });
  });
}

function markOf(isMarked: boolean): Span {
  return isMarked ? span("*", { colour: "cyan", isBold: true }) : span(" ");
}

/** Most agents are the same from one paint to the next, and so are their lines. */
const made = new WeakMap<AgentView, { looks: string; line: Line }>();

function lineOnce(agent: AgentView, looks: string, make: () => Line): Line {
  const known = made.get(agent);
  if (known?.looks === looks) return known.line;
  const line = make();
  made.set(agent, { looks, line });
  return line;
}

function chosen(line: Line, columns: number, isChosen: boolean): Line {
  return isChosen ? fitted(line, columns).map((each) => ({ ...each, isInverse: true })) : line;
}

function teamLine({ team, running, agents, active }: TeamView, isFolded: boolean): Line {
  const waiting = agents.filter(isWaiting).length;
  return [
    span(isFolded ? "▸ " : "▾ ", { isDim: true }),
    span(team, { isBold: true }),
    span(active ? " *" : ""),
    span(running ? "" : "  not running", { isDim: true }),
    span(waiting > 0 ? `  ${waiting} waiting` : "", { colour: "yellow", isBold: true }),
  ];
}

function backgroundLine({ name, job, activity }: BackgroundView): Line {
  const { icon, style } = looksOf(activity);
  return [
    span("  "),
    span(`${icon} `, style),
    span(name ?? job),
    span(`  ${activity}, no pane`, { isDim: true }),
  ];
}

function hostLine({ host, waiting, isFolded }: HostRow, { far, farTrouble, nowMs }: TopState): Line {
  const age = shortAge(far === null ? host.ageMs : farAgeMs(far, host.seenAtMs, nowMs));
  const words =
    farTrouble !== null
      ? span(`  no connection; last sign ${age} ago`, { colour: "red" })
      : host.isReached
        ? span(`  reached ${age} ago`, { isDim: true })
        : host.isStopped
          ? span(`  its watcher was stopped ${age} ago`, { colour: "red" })
          : span(`  not reached for ${age}`, { colour: "red", isBold: true });
  return [
    span(isFolded ? "▸ " : "▾ ", { isDim: true }),
    span(`@${host.host}`, { isBold: true }),
    words,
    span(waiting > 0 ? `  ${waiting} waiting` : "", { colour: "yellow", isBold: true }),
    span(host.agents === 0 ? "  no agents" : "", { isDim: true }),
  ];
}

/** What its host wrote last, and how long ago. Nothing of its conversation is known here. */
function farLine(row: FarRow, { far, nowMs }: TopState, columns: number): Line {
  const { agent, isReached } = row;
  const isHere = agent.standing === "present" || agent.standing === "background";
  const activity = (isHere ? agent.activity : agent.standing) ?? agent.activity ?? "unknown";
  const { icon, style } = isReached ? looksOf(activity) : { icon: "·", style: { isDim: true } };
  const age = far === null ? "" : `${shortAge(farAgeMs(far, agent.writtenAtMs, nowMs))} old`;
  const parts: { line: Line; columns: number }[] = [
    { line: [span(`${icon} `, style)], columns: 2 },
    {
      line: [span(shortName(agent), isFarWaiting(row) ? { isBold: true } : {})],
      columns: nameColumnsOf(columns),
    },
    {
      line: [span(" "), span(isReached ? activity : `was ${activity}`, style)],
      columns: columns >= 60 ? 12 : 10,
    },
    { line: [span(age, { isDim: true })], columns: 8 },
  ];
  if (columns >= 40) parts.push({ line: [span(" "), ...contextSpans(agent)], columns: 11 });
  if (agent.queued > 0 || columns >= 60)
    parts.push({ line: [span(agent.queued > 0 ? ` ✉${agent.queued}` : "", { colour: "cyan" })], columns: 4 });
  const rest = columns - parts.reduce((sum, part) => sum + part.columns, 0) - 1;
  const place = [agent.team, agent.folder].filter((text) => text !== null).join(" · ");
  if (rest >= 8) parts.push({ line: [span(" "), span(place, { isDim: true })], columns: rest });
  return columnsOf(parts);
}

function nameColumnsOf(columns: number): number {
  return Math.min(18, Math.max(8, Math.floor(columns / 4)));
}

/** The least important part is left out first. */
function agentLine(agent: AgentView, columns: number, ago: string): Line {
  const { icon, style } = looksOf(agent.standing === "away" ? "away" : agent.activity);
  const wide = columns >= 60;
  const nameColumns = nameColumnsOf(columns);
  const name = agent.role ?? (agent.pane || "unnamed");
  const parts: { line: Line; columns: number }[] = [
    { line: [span(`${icon} `, style)], columns: 2 },
    { line: [span(name, isWaiting(agent) ? { isBold: true } : {})], columns: nameColumns },
    { line: [span(" "), span(stateOf(agent), style)], columns: wide ? 12 : 10 },
    { line: [span(ago, { isDim: true })], columns: 5 },
  ];
  if (columns >= 40) parts.push({ line: [span(" "), ...contextSpans(agent)], columns: 11 });
  // Where there is room, the columns behind it stay in their place.
  if (agent.queued > 0 || columns >= 60)
    parts.push({ line: [span(agent.queued > 0 ? ` ✉${agent.queued}` : "", { colour: "cyan" })], columns: 4 });
  if (columns >= 76) parts.push({ line: [span(" "), span(modelOf(agent), { isDim: true })], columns: 12 });
  const used = parts.reduce((sum, part) => sum + part.columns, 0);
  const rest = columns - used - 1;
  if (rest >= 8) parts.push({ line: [span(" "), wordsOf(agent)], columns: rest });
  return columnsOf(parts);
}

function wordsOf({ waitingFor, about, lastWords, activity }: AgentView): Span {
  if (activity === "waiting") return span(waitingFor ?? "", { colour: "yellow" });
  if (about !== null) return span(about, { colour: "red" });
  return span(lastWords ?? "", { isDim: true });
}

function stateOf({ activity, standing }: AgentView): string {
  return activity ?? standing ?? "unknown";
}

function modelOf({ model }: AgentView): string {
  return model?.replace(/^claude-/, "") ?? "";
}

/** `12s`, `4m`, `3h`, `2d` */
export function agoOf({ since }: Pick<AgentView, "since">, nowMs: number): string {
  const sinceMs = since === null ? null : parseUtc(since);
  return sinceMs === null ? "" : shortAge(nowMs - sinceMs);
}

export function shortAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

/** A bar of five cells, and the percentage. */
function contextSpans(agent: Pick<AgentView, "context">): Span[] {
  const share = shareOf(agent);
  if (share < 0) return [span("          ")];
  const filled = Math.min(5, Math.max(share > 0 ? 1 : 0, Math.round(share * 5)));
  const colour = share >= 0.9 ? "red" : share >= 0.7 ? "yellow" : "green";
  const percent = `${Math.min(999, Math.round(share * 100))}%`;
  return [
    span("█".repeat(filled), { colour }),
    span("░".repeat(5 - filled), { isDim: true }),
    span(percent.padStart(5)),
  ];
}

export function looksOf(activity: string | null): { icon: string; style: Style } {
  switch (activity) {
    case "waiting":
      return { icon: "?", style: { colour: "yellow", isBold: true } };
    case "busy":
      return { icon: "●", style: { colour: "green" } };
    case "idle":
    case "context-low":
      return { icon: "○", style: activity === "idle" ? {} : { colour: "yellow" } };
    case "limited":
    case "error":
      return { icon: "!", style: { colour: "red", isBold: true } };
    case "crashed":
      return { icon: "✗", style: { colour: "red", isBold: true } };
    case "parked":
      return { icon: "‖", style: { colour: "blue" } };
    default:
      return { icon: "·", style: { isDim: true } };
  }
}
