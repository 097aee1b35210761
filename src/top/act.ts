// What a key does in the list. Pure: an action is a change of the state, or a command to run.

import type { AgentView } from "../fleet/view.js";
import type { Attention } from "../hive/attention.js";
import type { ActionName } from "./bindings.js";
import { layoutOf } from "./layout.js";
import { keyOf, labelOf, nameOf, orders, type Row } from "./rows.js";
import { type Mode, type Result, type TopState, type Typing, tabs } from "./state.js";
import { only, rowsIn, running, settled, type Updated } from "./updated.js";

type AgentRow = Extract<Row, { kind: "agent" }>;

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
      return only({ ...state, mode: { kind: "help", top: 0 } });
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
  if (action === "go" && rowsIn(state).length === 0 && state.comeback !== null)
    return running(state, [["restore"]]);
  const targets = targetsIn(state, chosen);
  if (targets.length === 0) return only(said(state, "choose an agent first", true));
  const names = targets.map((row) => nameOf(row)!);
  const who = targets.length === 1 ? labelOf(targets[0]!) : `${targets.length} agents`;
  const words = (...before: (readonly string[])[]): Typing => ({ kind: "words", before, isOptional: false });
  switch (action) {
    case "go":
      return { state, effects: [{ do: "go", name: names[0]! }] };
    case "send":
      return only(asksFor(state, words(...names.map((name) => ["send", name])), `to ${who}: `));
    case "edit":
      return { state, effects: [{ do: "edit", names }] };
    case "hold":
      return running(
        state,
        names.map((name) => ["hold", name]),
      );
    case "release":
      return running(
        state,
        names.map((name) => ["release", name]),
      );
    case "fork":
      return only(
        asksFor(state, words(["agent", "fork", names[0]!, "--as"]), `fork ${labelOf(targets[0]!)} as: `),
      );
    case "rename":
      return only(
        asksFor(state, words(["agent", "rename", names[0]!]), `new role of ${labelOf(targets[0]!)}: `),
      );
    case "restart":
      return only(
        asks(
          state,
          `Restart ${who}?`,
          [],
          names.map((name) => ["agent", "restart", name]),
        ),
      );
    case "kill":
      return only(
        asks(
          state,
          `End ${who}?`,
          [],
          names.map((name) => ["agent", "kill", name, "--yes"]),
        ),
      );
    default:
      return answering(state, action, targets);
  }
}

function answering(state: TopState, action: ActionName, targets: readonly AgentRow[]): Updated {
  const open = targets.flatMap((row) => openOf(state, row));
  if (open.length === 0) return only(said(state, "nothing waits for an answer here", true));
  const [first] = open;
  const ids = open.map(({ id }) => id);
  if (action === "approve") return approving(state, open);
  if (open.length > 1) return only(said(state, `answer one at a time: ${ids.join(", ")}`, true));
  if (action === "always")
    return only(
      asks(
        state,
        "Approve, and add this rule?",
        [...first!.lines, ...first!.rules],
        [["approve", first!.id, "--always"]],
      ),
    );
  if (action === "reject") {
    const about: Typing = { kind: "words", before: [["reject", first!.id]], isOptional: true };
    return only(asksFor(state, about, "reject, because (may be empty): "));
  }
  const about: Typing = { kind: "words", before: [["answer", first!.id]], isOptional: false };
  return only(asksFor({ ...state, tab: "request" }, about, "answer (a number, or words): "));
}

/** Several only if each of them can be read as it is. */
function approving(state: TopState, open: readonly OpenOne[]): Updated {
  const fit = open.length === 1 ? open : open.filter(({ isForBulk }) => isForBulk);
  if (fit.length === 0) return only(said(state, "these cannot be approved together: look at each", true));
  const left = open.length - fit.length;
  const lines = fit.flatMap(({ who, lines }) => [`${who}:`, ...lines.map((line) => `  ${line}`)]);
  const question = `Approve ${fit.length === 1 ? "this" : `these ${fit.length}`}?${left > 0 ? ` (${left} left out)` : ""}`;
  return only(
    asks(
      state,
      question,
      lines,
      fit.map(({ id }) => ["approve", id]),
    ),
  );
}

interface OpenOne {
  /** A request's id; a pane for a dialog that is answered by key. */
  id: string;
  who: string;
  lines: readonly string[];
  rules: readonly string[];
  isForBulk: boolean;
}

function openOf({ attention }: TopState, row: AgentRow): OpenOne[] {
  const own = attention.filter((item) => isOf(item, row.agent));
  return own.flatMap((item): OpenOne[] => {
    const { who } = item;
    if (item.kind === "request") {
      const { id, lines, rules, isPlain, questions } = item.request;
      return [{ id, who, lines, rules, isForBulk: isPlain && questions.length === 0 }];
    }
    if (item.kind !== "dialog" || item.paneId === null) return [];
    return [{ id: item.paneId, who, lines: item.rows ?? [item.about ?? ""], rules: [], isForBulk: false }];
  });
}

export function isOf(item: Attention, agent: AgentView): boolean {
  return item.agent === null ? item.paneId === agent.paneId : `@${item.agent}` === keyOf(agent);
}

function targetsIn(state: TopState, chosen: Row | undefined): AgentRow[] {
  const all = rowsIn(state).filter((row): row is AgentRow => row.kind === "agent" && nameOf(row) !== null);
  if (state.marked.size > 0) return all.filter(({ key }) => state.marked.has(key));
  return all.filter(({ key }) => key === chosen?.key);
}

function folded(state: TopState, chosen: Row | undefined, isFolded: boolean): TopState {
  if (chosen === undefined || chosen.kind === "background") return state;
  const key = chosen.kind === "team" ? chosen.key : `team ${chosen.team}`;
  const now = new Set(state.folded);
  if (isFolded) now.add(key);
  else now.delete(key);
  return settled({ ...state, folded: now, selected: isFolded ? key : state.selected });
}

function marked(state: TopState, chosen: Row | undefined, next: () => Updated): Updated {
  if (chosen?.kind !== "agent") return only(state);
  const now = new Set(state.marked);
  if (!now.delete(chosen.key)) now.add(chosen.key);
  const moved = next().state;
  return only({ ...moved, marked: now });
}

function asksFor(state: TopState, about: Typing, prompt: string, text = ""): TopState {
  const mode: Mode = { kind: "typing", about, prompt, text, place: text.length, proposals: [] };
  return { ...state, mode, result: null };
}

function asks(
  state: TopState,
  question: string,
  lines: readonly string[],
  commands: readonly (readonly string[])[],
): TopState {
  return { ...state, mode: { kind: "asking", question, lines, commands }, result: null };
}

export function said(state: TopState, line: string, isFailed = false): TopState {
  const result: Result = { isFailed, lines: [line] };
  return { ...state, result };
}
