// The chosen agent: who it is, its views, and the view that is shown. Pure.

import type { AgentView } from "../../fleet/view.js";
import type { FarAgent } from "../../link/rows.js";
import { shortId } from "../../names/short-id.js";
import { type Asker, askedBy } from "../act.js";
import { farAgeMs, isFarWaiting } from "../far-rows.js";
import type { Area } from "../layout.js";
import { labelOf, type Row } from "../rows.js";
import { type Detail, type TopState, tabs } from "../state.js";
import { type Line, type Style, span, textRows } from "../terminal/frame.js";
import { rowsIn } from "../updated.js";
import { looksOf, shortAge } from "./list-lines.js";

export function detailLines(state: TopState, { columns, rows }: Pick<Area, "columns" | "rows">): Line[] {
  const chosen = rowsIn(state).find(({ key }) => key === state.selected);
  if (chosen === undefined) return [];
  const head = [headLine(chosen, state), tabLine(state)];
  const body = bodyLines(state, chosen, columns);
  const room = Math.max(0, rows - head.length);
  // A pane shows its end, everything else its beginning.
  const isPane = state.tab === "pane";
  const most = Math.max(0, body.length - room);
  const top = isPane ? most - Math.min(most, state.detailTop) : Math.min(most, state.detailTop);
  return [...head, ...body.slice(top, top + room)];
}

function headLine(row: Row, { far, nowMs }: TopState): Line {
  if (row.kind === "team") {
    const { description, registered } = row.team;
    const about = description ?? (registered ? "" : "not registered");
    return [span(labelOf(row), { isBold: true }), span(about === "" ? "" : `  ${about}`, { isDim: true })];
  }
  if (row.kind === "background") {
    const { uuid, activity } = row.job;
    return [
      span(labelOf(row), { isBold: true }),
      span(`  ${activity} · ${shortId(uuid)} · no pane`, { isDim: true }),
    ];
  }
  if (row.kind === "host") {
    const { machine, version } = row.host;
    const about = [machine, version && `hivemind ${version}`].filter(Boolean).join(" · ");
    return [span(labelOf(row), { isBold: true }), span(`  ${about}`, { isDim: true })];
  }
  if (row.kind === "far") {
    const { activity, standing, kind, pane, writtenAtMs } = row.agent;
    const age = far === null ? "" : `${shortAge(farAgeMs(far, writtenAtMs, nowMs))} old`;
    return [
      span(labelOf(row), { isBold: true }),
      span(`  ${activity ?? standing ?? ""}`, row.isReached ? looksOf(activity).style : { isDim: true }),
      span(`  ${[pane, kind, age].filter(Boolean).join(" · ")}`, { isDim: true }),
    ];
  }
  const { agent, team } = row;
  const { style } = looksOf(agent.activity);
  const place = [agent.pane || team, agent.kind, agent.uuid && shortId(agent.uuid)]
    .filter(Boolean)
    .join(" · ");
  return [
    span(labelOf(row), { isBold: true }),
    span(`  ${agent.activity ?? agent.standing ?? ""}`, style),
    span(`  ${place}`, { isDim: true }),
  ];
}

function tabLine({ tab }: TopState): Line {
  return tabs.flatMap((each, at) => [
    span(`${at + 1} `, { isDim: true }),
    span(each, each === tab ? { isBold: true, isUnderlined: true } : { isDim: true }),
    span("  "),
  ]);
}

function bodyLines(state: TopState, row: Row, columns: number): Line[] {
  if (row.kind === "team") return row.team.agents.length === 0 ? [[span("no agents", { isDim: true })]] : [];
  if (row.kind === "background")
    return [...requestLines(state, row, columns), [span(`show it: claude attach ${row.job.job}`)]];
  if (row.kind === "host") return hostBody(row.host.unreadable);
  if (row.kind === "far") return farBody(state, row, columns);
  if (state.tab === "request") return requestLines(state, row, columns);
  if (state.tab === "evidence") return evidenceLines(row.agent);
  return loadedLines(state, row);
}

function loadedLines({ detail, tab }: TopState, row: Row): Line[] {
  if (detail === null || detail.key !== row.key || detail.tab !== tab) return [[span("…", { isDim: true })]];
  return plainLines(detail);
}

function hostBody(unreadable: number): Line[] {
  const words = `${unreadable} of its rows cannot be read by this version`;
  return unreadable > 0 ? [[span(words, { colour: "yellow" })]] : [];
}

/** Its screen and its queue stay on its host. */
function farBody(state: TopState, row: Extract<Row, { kind: "far" }>, columns: number): Line[] {
  const { host } = row.agent;
  switch (state.tab) {
    case "pane":
      return styledRows(`Its screen is on ${host}; top does not show screens of other hosts.`, columns, {
        isDim: true,
      });
    case "messages":
      return styledRows(`Its queue is on ${host}. What you sent there: hivemind fleet mail`, columns, {
        isDim: true,
      });
    case "evidence":
      return farFacts(row.agent);
    case "request":
      if (askedBy(state, row).length === 0 && isFarWaiting(row)) return loadedLines(state, row);
      return requestLines(state, row, columns);
    default:
      return loadedLines(state, row);
  }
}

function farFacts(agent: FarAgent): Line[] {
  const { context } = agent;
  return [
    fact("host", agent.host),
    fact("session", agent.session),
    fact("team", agent.team),
    fact("model", agent.model),
    fact("context", context === null ? null : `${context.used} of ${context.window ?? "an unknown window"}`),
    fact("folder", agent.folder),
    fact("since", agent.since),
  ];
}

function fact(name: string, value: string | null): Line {
  return [span(name.padEnd(10), { isDim: true }), span(value ?? "–")];
}

const plain = new WeakMap<Detail, Line[]>();

/** The same lines for every paint of what was loaded once. */
function plainLines(detail: Detail): Line[] {
  const lines = plain.get(detail) ?? detail.lines.map((line) => [span(line)]);
  plain.set(detail, lines);
  return lines;
}

function requestLines(state: TopState, row: Asker, columns: number): Line[] {
  const own = askedBy(state, row);
  if (own.length === 0) return [[span("It asks nothing.", { isDim: true })]];
  return own.flatMap((item): Line[] => {
    if (item.kind === "request") {
      const { id, tool, lines, rules, isPlain } = item.request;
      const warning = "Its text has control or invisible characters: read it carefully.";
      return [
        [span(tool, { isBold: true, colour: "yellow" }), span(`  ${id}`, { isDim: true })],
        ...lines.flatMap((line) => styledRows(line, columns, changeStyle(line))),
        ...(isPlain ? [] : styledRows(warning, columns, { colour: "red" })),
        ...rules.flatMap((rule) => styledRows(`always would: ${rule}`, columns, { isDim: true })),
        [],
      ];
    }
    if (item.kind === "dialog")
      return [
        ...styledRows(item.about ?? "", columns, { isBold: true }),
        ...(item.rows ?? []).map((each): Line => [span(each)]),
        [],
      ];
    if (item.kind === "message")
      return styledRows(`a message is ${item.message.step}: ${item.text ?? item.message.detail}`, columns);
    return styledRows(`${item.kind}: ${item.about ?? ""}`, columns, { colour: "red" });
  });
}

function styledRows(text: string, columns: number, style: Style = {}): Line[] {
  return textRows(text, columns).map((each) => [span(each, style)]);
}

function changeStyle(line: string): { colour?: "green" | "red" } {
  if (line.startsWith("+")) return { colour: "green" };
  return line.startsWith("-") ? { colour: "red" } : {};
}

function evidenceLines(agent: AgentView): Line[] {
  const { context } = agent;
  return [
    fact("session", agent.uuid),
    fact("state", agent.state),
    fact("model", agent.model),
    fact("context", context === null ? null : `${context.used} of ${context.window ?? "an unknown window"}`),
    fact("folder", agent.cwd),
    fact("title", agent.title),
    [],
    ...agent.activityEvidence.map(
      ({ source, activity, chosen, reason }): Line => [
        span(chosen ? "✓ " : "  ", { colour: "green" }),
        span(source.padEnd(11), { isDim: true }),
        span(activity.padEnd(9)),
        span(reason, { isDim: true }),
      ],
    ),
  ];
}
