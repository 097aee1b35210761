// All that `top` knows, as one plain value. `update.ts` changes it, `screen/` shows it.

import type { Attention } from "../hive/attention.js";
import type { FleetView } from "../hive/view-fleet.js";
import type { Host } from "../names/gates.js";
import type { ActionName } from "./bindings.js";
import type { FarView } from "./far-rows.js";
import type { Order, RowKey } from "./rows.js";

export const tabs = ["pane", "request", "evidence", "lineage", "messages", "history"] as const;
export type Tab = (typeof tabs)[number];

export interface TopState {
  columns: number;
  rows: number;
  nowMs: number;
  /** Null before the first look. */
  fleet: FleetView | null;
  attention: readonly Attention[];
  /** Why the last look failed; null if it did not. What is shown is old then. */
  trouble: string | null;
  /** Other hosts; null without `--fleet`. */
  far: FarView | null;
  /** Why the other hosts cannot be read; null if they can. What is shown of them is old. */
  farTrouble: string | null;
  /** What agents of other hosts ask, as far as it was read. Its names have their host behind them. */
  farAttention: ReadonlyMap<Host, readonly Attention[]>;
  /** Who delivers and saves; null if nobody does. */
  worker: string | null;
  selected: RowKey | null;
  marked: ReadonlySet<RowKey>;
  folded: ReadonlySet<RowKey>;
  filter: string;
  order: Order;
  /** The first visible row of the list. */
  listTop: number;
  tab: Tab;
  detail: Detail | null;
  /** Lines that the detail is scrolled away from where it begins: a pane from its end, everything else from its top. */
  detailTop: number;
  mode: Mode;
  /** The command that runs now, in words. */
  running: string | null;
  /** What the last command printed. */
  result: Result | null;
  /** What Enter brings back if nothing runs; null if there is nothing. */
  comeback: string | null;
}

/** The right side, as far as it is loaded. */
export interface Detail {
  key: RowKey;
  tab: Tab;
  lines: readonly string[];
}

export interface Result {
  isFailed: boolean;
  lines: readonly string[];
}

export type Mode =
  | { kind: "list" }
  | { kind: "help"; top: number }
  /** A line that a person types. `about` is what the text is for. */
  | {
      kind: "typing";
      about: Typing;
      prompt: string;
      text: string;
      place: number;
      proposals: readonly string[];
      answers: readonly Shown[];
    }
  /** A question that y answers; the lines are shown above it, from the row `top`. */
  | {
      kind: "asking";
      question: string;
      lines: readonly string[];
      top: number;
      commands: readonly (readonly string[])[];
      answers: readonly Shown[];
    };

/** What a person was shown, and answers now. If it changes meanwhile, the answer is refused. */
export interface Shown {
  /** A request's id; a pane for a dialog that is answered by key. */
  id: string;
  lines: readonly string[];
}

/** What a person wants to do with the request of a far row, once it was read. */
export interface AfterReading {
  action: ActionName;
  key: RowKey;
}

/** `filter` changes the list as it is typed; all others run commands. */
export type Typing =
  | { kind: "filter" }
  | { kind: "command" }
  /** Command words for each name; the typed text is the last word. A free text comes behind `--`: it is no option. */
  | { kind: "words"; before: readonly (readonly string[])[]; isOptional: boolean };

export function initialState(columns: number, rows: number, nowMs: number): TopState {
  return {
    ...{ columns, rows, nowMs, fleet: null, attention: [], trouble: null, worker: null },
    ...{ selected: null, marked: new Set(), folded: new Set(), filter: "", order: "waiting", listTop: 0 },
    ...{ tab: "pane", detail: null, detailTop: 0, mode: { kind: "list" }, running: null, result: null },
    ...{ comeback: null, far: null, farTrouble: null, farAttention: new Map() },
  };
}
