// A changed state, and what has to be done for it.

import type { FleetView } from "../hive/view-fleet.js";
import { layoutOf } from "./layout.js";
import { keyOf, type Row, type RowWishes, rowsOf } from "./rows.js";
import type { TopState } from "./state.js";

export type Effect =
  | { do: "quit" }
  /** Runs the commands one after the other, and shows what they print. */
  | { do: "run"; title: string; commands: readonly (readonly string[])[] }
  /** Runs one command at the terminal itself, then waits for a key. */
  | { do: "lend"; words: readonly string[] }
  | { do: "go"; name: string }
  /** Writes a message in the user's editor, then sends it. */
  | { do: "edit"; names: readonly string[] }
  | { do: "propose"; text: string };

export interface Updated {
  state: TopState;
  effects: readonly Effect[];
}

export function only(state: TopState): Updated {
  return { state, effects: [] };
}

/** Keeps the choice on a row that exists, and that row on the screen. `before` had the rows of the last look. */
export function settled(state: TopState, before: TopState = state): TopState {
  const rows = rowsIn(state);
  const marked = stillThere(state);
  if (rows.length === 0) return { ...state, marked, selected: null, listTop: 0 };
  const at = rows.findIndex(({ key }) => key === state.selected);
  const old = rowsIn(before).findIndex(({ key }) => key === state.selected);
  const place = at >= 0 ? at : Math.min(Math.max(old, firstAgent(rows)), rows.length - 1);
  const height = layoutOf(state).list.rows;
  const top = Math.min(Math.max(state.listTop, place - height + 1), place);
  const listTop = Math.max(0, Math.min(top, rows.length - height));
  const selected = rows[place]!.key;
  const detailTop = selected === state.selected ? state.detailTop : 0;
  return { ...state, marked, selected, listTop, detailTop };
}

/** The marks of agents that exist; a fold or a filter hides a row and keeps its mark. */
function stillThere({ marked, fleet }: TopState): TopState["marked"] {
  if (marked.size === 0 || fleet === null) return marked;
  const keys = new Set(fleet.teams.flatMap(({ agents }) => agents.map(keyOf)));
  return new Set([...marked].filter((key) => keys.has(key)));
}

/** Made once for one fleet and one way to see it: every part of the screen asks for them. */
export function rowsIn({ fleet, folded, filter, order }: TopState): readonly Row[] {
  if (fleet === null) return [];
  const known = made.get(fleet);
  const isSame = known?.folded === folded && known.filter === filter && known.order === order;
  if (known !== undefined && isSame) return known.rows;
  const rows = rowsOf(fleet, { folded, filter, order });
  made.set(fleet, { folded, filter, order, rows });
  return rows;
}

const made = new WeakMap<FleetView, RowWishes & { rows: readonly Row[] }>();

function firstAgent(rows: readonly Row[]): number {
  return Math.max(
    0,
    rows.findIndex(({ kind }) => kind !== "team"),
  );
}

export function running(state: TopState, commands: readonly (readonly string[])[]): Updated {
  if (state.running !== null)
    return only({ ...state, result: { isFailed: true, lines: [`still running: ${state.running}`] } });
  const title = commands.map((words) => words.join(" ")).join("; ");
  return {
    state: { ...state, running: title, marked: new Set(), result: null },
    effects: [{ do: "run", title, commands }],
  };
}
