// A changed state, and what has to be done for it.

import type { FleetView } from "../hive/view-fleet.js";
import type { Host } from "../names/gates.js";
import { type FarView, farRowsOf } from "./far-rows.js";
import { layoutOf } from "./layout.js";
import { keyOf, type Row, type RowWishes, rowsOf } from "./rows.js";
import type { AfterReading, TopState } from "./state.js";

export type Effect =
  | { do: "quit" }
  /** Runs the commands one after the other, and shows what they print. */
  | { do: "run"; title: string; commands: readonly (readonly string[])[] }
  /** Runs one command at the terminal itself, then waits for a key. */
  | { do: "lend"; words: readonly string[] }
  | { do: "go"; name: string }
  /** Writes a message in the user's editor, then sends it. */
  | { do: "edit"; names: readonly string[] }
  | { do: "propose"; text: string }
  /** Reads what agents of that host ask; `next` is what the person wants to do about it. */
  | { do: "far requests"; host: Host; next: AfterReading };

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
function stillThere({ marked, fleet, far }: TopState): TopState["marked"] {
  if (marked.size === 0 || fleet === null) return marked;
  const keys = new Set(fleet.teams.flatMap(({ agents }) => agents.map(keyOf)));
  const wishes: RowWishes = { folded: new Set(), filter: "", order: "tmux" };
  for (const { key } of far === null ? [] : farRowsOf(far, wishes)) keys.add(key);
  return new Set([...marked].filter((key) => keys.has(key)));
}

/** Made once for one fleet and one way to see it: every part of the screen asks for them. */
export function rowsIn({ fleet, far, folded, filter, order }: TopState): readonly Row[] {
  if (fleet === null) return [];
  const known = made.get(fleet);
  const isSame =
    known?.far === far && known.folded === folded && known.filter === filter && known.order === order;
  if (known !== undefined && isSame) return known.rows;
  const wishes = { folded, filter, order };
  const own = rowsOf(fleet, wishes);
  const rows = far === null ? own : [...own, ...farRowsOf(far, wishes)];
  made.set(fleet, { ...wishes, far, rows });
  return rows;
}

const made = new WeakMap<FleetView, RowWishes & { far: FarView | null; rows: readonly Row[] }>();

function firstAgent(rows: readonly Row[]): number {
  return Math.max(
    0,
    rows.findIndex(({ kind }) => kind !== "team" && kind !== "host"),
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
