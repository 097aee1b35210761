// What a key does in the list. Pure: an action is a change of the state, or a command to run.

import type { Attention } from "../hive/attention.js";
import type { ActionName } from "./bindings.js";
import { hostKey, isFarWaiting } from "./far-rows.js";
import { layoutOf } from "./layout.js";
import { labelOf, nameOf, orders, type Row } from "./rows.js";
import {
  type AfterReading,
  type Mode,
  type Result,
  type Shown,
  type TopState,
  type Typing,
  tabs,
} from "./state.js";
import { only, rowsIn, running, settled, type Updated } from "./updated.js";

/** A row that can wait for a person. */
export type Asker = Exclude<Row, { kind: "team" | "host" }>;

export function act(state: TopState, action: ActionName, key: string): Updated {
  const rows = rowsIn(state);
  const at = rows.findIndex((row) => row.key === state.selected);
  const page = Math.max(1, layoutOf(state).list.rows - 1);
  const chosen = rows[at];
  const select = (place: number) => {
    const row = rows[Math.max(0, Math.min(place, rows.length - 1))];
    return only(row === undefined ? state : settled({ ...state, selected: row.key, detailTop: 0 }));
  };
  switch (action) {
    case "up":
      return select(at - 1);
    case "down":
      return select(at + 1);
    case "page-up":
      return select(at - page);
    case "page-down":
      return select(at + page);
    case "first":
      return select(0);
    case "last":
      return select(rows.length - 1);
    case "fold":
    case "unfold":
      return only(folded(state, chosen, action === "fold"));
    case "mark":
      return marked(state, chosen, () => select(at + 1));
    case "unmark":
      return only({ ...state, marked: new Set() });
    case "order": {
      const order = orders[(orders.indexOf(state.order) + 1) % orders.length]!;
      return only(settled(said({ ...state, order }, `order: ${order}`)));
    }
    case "next-tab":
      return only({ ...state, tab: tabs[(tabs.indexOf(state.tab) + 1) % tabs.length]!, detailTop: 0 });
    case "tab":
      return only({ ...state, tab: tabs[Number(key) - 1] ?? state.tab, detailTop: 0 });
    case "scroll-up":
    case "scroll-down": {
      // A pane begins at its end, everything else at its beginning.
      const isAway = (action === "scroll-up") === (state.tab === "pane");
      return only({ ...state, detailTop: Math.max(0, state.detailTop + (isAway ? 3 : -3)) });
    }
    case "help":
      return only({ ...state, mode: { kind: "help", top: 0 }, result: null });
    case "back":
      return only(settled({ ...state, filter: "", result: null, marked: new Set() }));
    case "quit":
      return { state, effects: [{ do: "quit" }] };
    case "filter":
      return only(asksFor(state, { kind: "filter" }, "/", state.filter));
    case "command":
      return only(asksFor(state, { kind: "command" }, ":"));
    case "save":
      return running(state, [["save"]]);
    case "watch":
      return running(state, [["watch", "--background"]]);
    case "restore":
      return only(asks(state, "Bring the saved teams back?", [], [["restore"]]));
    default:
      return onAgents(state, action, chosen);
  }
}

/** Actions for the marked agents, or the chosen one. */
function onAgents(state: TopState, action: ActionName, chosen: Row | undefined): Updated {
  if (action === "go") return going(state, chosen);
  const isAnswer = answers.includes(action);
  const targets = targetsIn(state, chosen, isAnswer);
  if (targets.length === 0) return only(said(state, whyNobody(state, chosen), true));
  if (isAnswer && targets.some(({ kind }) => kind === "far")) return readingFirst(state, action, targets);
  if (isAnswer) return answering(state, action, targets);
  const names = targets.flatMap((row) => nameOf(row) ?? []);
  const labels = targets.map(labelOf);
  const who = labels.length === 1 ? labels[0]! : `${labels.length} agents`;
  const each = (...words: string[]) => names.map((name) => [...words, name]);
  const several = labels.length === 1 ? [] : labels;
  switch (action) {
    case "send":
      return only(asksFor(state, words(...names.map((name) => ["send", name, "--"])), `to ${who}: `));
    case "edit":
      return { state, effects: [{ do: "edit", names }] };
    case "hold":
    case "release":
      return running(state, each(action));
    case "restart":
      return only(asks(state, `Restart ${who}?`, several, each("agent", "restart")));
    case "kill":
      return only(asks(state, `End ${who}?`, several, each("agent", "kill", "--yes")));
    default:
      return onOne(state, action, chosen);
  }
}

const answers: readonly ActionName[] = ["approve", "always", "reject", "answer"];

function words(...before: (readonly string[])[]): Typing {
  return { kind: "words", before, isOptional: false };
}

/** Marks do not count here: only one agent can be meant. */
function onOne(state: TopState, action: ActionName, chosen: Row | undefined): Updated {
  const name = chosen === undefined ? null : nameOf(chosen);
  if (chosen === undefined || name === null) return only(said(state, "choose an agent first", true));
  const label = labelOf(chosen);
  if (chosen.kind === "far" && action === "rename")
    return only(said(state, `${label} gets another role on its own host only`, true));
  return action === "fork"
    ? only(asksFor(state, words(["agent", "fork", name, "--as"]), `fork ${label} as: `))
    : only(asksFor(state, words(["agent", "rename", name]), `new role of ${label}: `));
}

function going(state: TopState, chosen: Row | undefined): Updated {
  if (chosen === undefined && state.comeback !== null && state.filter === "")
    return running(state, [["restore"]]);
  if (chosen?.kind === "team" || chosen?.kind === "host")
    return only(folded(state, chosen, !chosen.isFolded));
  if (chosen?.kind === "far")
    return only(
      said(state, `its pane is on ${chosen.agent.host}: go to it there, or send it a message with s`, true),
    );
  if (chosen?.kind === "background")
    return only(said(state, `it has no pane; show it: claude attach ${chosen.job.job}`, true));
  const name = chosen === undefined ? null : nameOf(chosen);
  if (name === null) return only(said(state, "choose an agent first", true));
  return { state, effects: [{ do: "go", name }] };
}

function whyNobody({ marked }: TopState, chosen: Row | undefined): string {
  if (marked.size > 0) return "the marked agents are not on the screen; u removes the marks";
  if (chosen?.kind === "far")
    return `it has no pane on ${chosen.agent.host}: only its request can be answered here`;
  return chosen?.kind === "background"
    ? "it has no pane: only its request can be answered here"
    : "choose an agent first";
}

/** The words of a far request are on its host: they are read before anything is decided. */
function readingFirst(state: TopState, action: ActionName, targets: readonly Asker[]): Updated {
  const [row] = targets;
  if (row?.kind !== "far" || targets.length > 1)
    return only(said(state, "answer agents of other hosts one at a time", true));
  const { host } = row.agent;
  if (!row.isReached)
    return only(said(state, `${host} is not reached: nothing can be answered there now`, true));
  if (!isFarWaiting(row)) return only(said(state, "nothing waits for an answer here", true));
  if (state.running !== null) return only(said(state, `still running: ${state.running}`, true));
  return {
    state: { ...state, running: `reading what ${labelOf(row)} asks`, result: null },
    effects: [{ do: "far requests", host, next: { action, key: row.key } }],
  };
}

/** Goes on with what was asked for, unless the person does something else by now. */
export function afterReading(state: TopState, { action, key }: AfterReading): Updated {
  const row = rowsIn(state).find((each) => each.key === key);
  if (state.mode.kind !== "list" || row?.kind !== "far") return only(state);
  const open = openOf(state, row);
  if (open.length > 0 && open.every(({ lines }) => lines.join("").trim() === ""))
    return only(
      said(
        state,
        `${row.agent.host} does not show its requests; type there: hivemind fleet allow approve`,
        true,
      ),
    );
  return answering(state, action, [row]);
}

function answering(state: TopState, action: ActionName, targets: readonly Asker[]): Updated {
  const open = targets.flatMap((row) => openOf(state, row));
  const [first] = open;
  if (first === undefined) return only(said(state, "nothing waits for an answer here", true));
  if (action === "approve") return approving(state, open);
  if (open.length > 1)
    return only(said(state, `answer one at a time: ${open.map(({ id }) => id).join(", ")}`, true));
  if (action === "always") {
    if (first.rules.length === 0)
      return only(said(state, "its client suggests no rule; a approves once", true));
    const lines = [...linesOf(first), "", ...first.rules.map((rule) => `From then on: ${rule}`)];
    return only(asks(state, "Approve, and add this rule?", lines, [["approve", first.id, "--always"]], open));
  }
  if (action === "reject") {
    const about: Typing = { kind: "words", before: [["reject", first.id, "--"]], isOptional: true };
    return only(asksFor(state, about, "reject, because (may be empty): ", "", open));
  }
  const about = words(["answer", first.id, "--"]);
  return only(asksFor({ ...state, tab: "request" }, about, "answer (a number, or words): ", "", open));
}

/** Several only if each of them can be read as it is. */
function approving(state: TopState, open: readonly OpenOne[]): Updated {
  const fit = open.length === 1 ? open : open.filter(({ isForBulk }) => isForBulk);
  if (fit.length === 0) return only(said(state, "these cannot be approved together: look at each", true));
  const left = open.length - fit.length;
  const question = `Approve ${fit.length === 1 ? "this" : `these ${fit.length}`}?${left > 0 ? ` (${left} left out)` : ""}`;
  const lines = fit.flatMap((each, at) => [...(at > 0 ? [""] : []), ...linesOf(each)]);
  const commands = fit.map(({ id }) => ["approve", id]);
  return only(asks(state, question, lines, commands, fit));
}

function linesOf({ who, tool, lines, isPlain }: OpenOne): string[] {
  const head = tool === null ? `${who} shows:` : `${who} asks to use ${tool}:`;
  const hidden = isPlain
    ? []
    : ["Its text has control or invisible characters, shown as marks: read it carefully."];
  return [head, ...lines.map((line) => `  ${line}`), ...hidden];
}

interface OpenOne extends Shown {
  who: string;
  /** Null for a dialog that is answered by key. */
  tool: string | null;
  rules: readonly string[];
  isPlain: boolean;
  isForBulk: boolean;
}

function openOf(state: TopState, row: Asker): OpenOne[] {
  return askedBy(state, row).flatMap((item) => openOne(item) ?? []);
}

export function askedBy({ attention, farAttention }: TopState, row: Asker): readonly Attention[] {
  const items = row.kind === "far" ? (farAttention.get(row.agent.host) ?? []) : attention;
  return items.filter((item) => isOf(item, row));
}

function openOne(item: Attention): OpenOne | null {
  const { who } = item;
  if (item.kind === "request") {
    const { id, tool, lines, rules, isPlain, questions } = item.request;
    return { id, who, tool, lines, rules, isPlain, isForBulk: isPlain && questions.length === 0 };
  }
  if (item.kind !== "dialog" || item.paneId === null) return null;
  const lines = item.rows ?? [item.about ?? ""];
  return { id: item.paneId, who, tool: null, lines, rules: [], isPlain: true, isForBulk: false };
}

/** Ends a question about something that is not there any more, or not as it was shown. */
export function stillAsked(state: TopState): TopState {
  const { mode } = state;
  if (mode.kind !== "asking" && mode.kind !== "typing") return state;
  if (mode.answers.length === 0) return state;
  const attention = [state.attention, ...state.farAttention.values()].flat();
  const open = new Map(attention.flatMap((item) => openOne(item) ?? []).map((each) => [each.id, each]));
  const isSame = ({ id, lines }: Shown) => open.get(id)?.lines.join("\n") === lines.join("\n");
  if (mode.answers.every(isSame)) return state;
  return said(
    { ...state, mode: { kind: "list" } },
    "it changed, or was answered elsewhere: nothing was decided",
    true,
  );
}

/** A conversation in the background is known by its request. */
function isOf(item: Attention, row: Asker): boolean {
  if (row.kind === "far") {
    const { host, agent, pane, role } = row.agent;
    if (agent !== null && item.agent !== null) return item.agent === `${agent}@${host}`;
    return pane === null ? item.pane === null && item.who === `${role}@${host}` : item.pane === pane;
  }
  if (row.kind === "background")
    return item.kind === "request" && row.job.requests.some(({ id }) => id === item.request.id);
  if (item.agent !== null) return `@${item.agent}` === row.key;
  return item.paneId !== null && item.paneId === row.agent.paneId;
}

function targetsIn({ marked, ...state }: TopState, chosen: Row | undefined, isAnswer: boolean): Asker[] {
  const isMeant = ({ key }: Row) => (marked.size > 0 ? marked.has(key) : key === chosen?.key);
  return rowsIn({ ...state, marked }).filter(
    (row): row is Asker => isMeant(row) && (nameOf(row) !== null || (isAnswer && isAsker(row))),
  );
}

function isAsker({ kind }: Row): boolean {
  return kind === "background" || kind === "far";
}

function folded(state: TopState, chosen: Row | undefined, isFolded: boolean): TopState {
  if (chosen === undefined || chosen.kind === "background") return state;
  const key = headingOf(chosen);
  const now = new Set(state.folded);
  if (isFolded) now.add(key);
  else now.delete(key);
  return settled({ ...state, folded: now, selected: isFolded ? key : state.selected });
}

function headingOf(row: Exclude<Row, { kind: "background" }>): string {
  if (row.kind === "agent") return `team ${row.team}`;
  return row.kind === "far" ? hostKey(row.agent.host) : row.key;
}

function marked(state: TopState, chosen: Row | undefined, next: () => Updated): Updated {
  if (chosen?.kind !== "agent" && chosen?.kind !== "far") return only(state);
  const now = new Set(state.marked);
  if (!now.delete(chosen.key)) now.add(chosen.key);
  const moved = next().state;
  return only({ ...moved, marked: now });
}

function asksFor(
  state: TopState,
  about: Typing,
  prompt: string,
  text = "",
  answers: readonly Shown[] = [],
): TopState {
  const mode: Mode = { kind: "typing", about, prompt, text, place: text.length, proposals: [], answers };
  return { ...state, mode, result: null };
}

function asks(
  state: TopState,
  question: string,
  lines: readonly string[],
  commands: readonly (readonly string[])[],
  answers: readonly Shown[] = [],
): TopState {
  return { ...state, mode: { kind: "asking", question, lines, top: 0, commands, answers }, result: null };
}

export function said(state: TopState, line: string, isFailed = false): TopState {
  const result: Result = { isFailed, lines: [line] };
  return { ...state, result };
}
