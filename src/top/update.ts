// What an event makes of the state, and what has to be done for it. Pure.

import type { Attention } from "../hive/attention.js";
import type { FleetView } from "../hive/view-fleet.js";
import type { Host } from "../names/gates.js";
import { type Patches, patchedAttention, patchedFleet } from "../watch/follow/patch-view.js";
import { act, afterReading, stillAsked } from "./act.js";
import { actionFor } from "./bindings.js";
import type { FarView } from "./far-rows.js";
import { layoutOf } from "./layout.js";
import { pageOf, turned } from "./page.js";
import type { AfterReading, Detail, Mode, Result, TopState } from "./state.js";
import type { TerminalEvent } from "./terminal/keys.js";
import { typedWords } from "./typed-words.js";
import { only, rowsIn, running, settled, type Updated } from "./updated.js";

export type TopEvent =
  | Exclude<TerminalEvent, { kind: "resize" | "resumed" }>
  | { kind: "sized"; columns: number; rows: number }
  | {
      kind: "looked";
      fleet: FleetView;
      attention: readonly Attention[];
      worker: string | null;
      comeback: string | null;
      nowMs: number;
    }
  | { kind: "look failed"; why: string }
  /** Some agents reported that they do something else. */
  | { kind: "patched"; patches: Patches }
  /** Other hosts were read. */
  | { kind: "far looked"; far: FarView; nowMs: number }
  | { kind: "far lost"; why: string }
  /** What agents of that host ask. `next` is null if it is only shown. */
  | { kind: "far asked"; host: Host; attention: readonly Attention[]; next: AfterReading | null }
  | { kind: "clock"; nowMs: number }
  | { kind: "loaded"; detail: Detail }
  | { kind: "ran"; result: Result }
  | { kind: "proposed"; text: string; proposals: readonly string[] };

export function update(state: TopState, event: TopEvent): Updated {
  switch (event.kind) {
    case "sized":
      return only(settled({ ...state, columns: event.columns, rows: event.rows }));
    case "looked": {
      const { kind: _, ...seen } = event;
      return only(stillAsked(settled({ ...state, ...seen, trouble: null }, state)));
    }
    case "patched":
      if (state.fleet === null) return only(state);
      return only(
        stillAsked(
          settled(
            {
              ...state,
              fleet: patchedFleet(state.fleet, event.patches),
              attention: patchedAttention(state.attention, event.patches),
            },
            state,
          ),
        ),
      );
    case "far looked": {
      const { far, nowMs } = event;
      return only(settled({ ...state, far, nowMs, farTrouble: null }, state));
    }
    case "far lost":
      return only({ ...state, farTrouble: event.why });
    case "far asked":
      return farAsked(state, event);
    case "clock":
      return only({ ...state, nowMs: event.nowMs });
    case "look failed":
      return only({ ...state, trouble: event.why });
    case "loaded":
      return only({ ...state, detail: event.detail });
    case "ran":
      return only(settled({ ...state, running: null, result: event.result }));
    case "proposed":
      return only(withProposals(state, event.text, event.proposals));
    case "paste":
      return typed(state, event.text);
    case "wheel":
      return wheel(state, event);
    case "click":
      return click(state, event);
    case "key":
      return pressed(state, event);
  }
}

function farAsked(
  state: TopState,
  { host, attention, next }: Extract<TopEvent, { kind: "far asked" }>,
): Updated {
  const read = stillAsked({
    ...state,
    farAttention: new Map([...state.farAttention, [host, attention]]),
    running: next === null ? state.running : null,
  });
  return next === null ? only(read) : afterReading(read, next);
}

function pressed(state: TopState, event: Extract<TerminalEvent, { kind: "key" }>): Updated {
  const key = event.isCtrl ? `C-${event.name}` : event.name === " " ? "space" : event.name;
  const { mode } = state;
  if (mode.kind === "typing") return typing(state, mode, key, event);
  if (mode.kind === "asking") return answered(state, mode, key);
  if (mode.kind === "help") return helped(state, mode, key);
  const action = event.isAlt ? null : actionFor(key);
  return action === null ? only(state) : act(state, action, key);
}

function typed(state: TopState, text: string): Updated {
  if (state.mode.kind !== "typing") return only(state);
  const { mode } = state;
  const line = text.replace(/[\r\n]+/g, " ");
  const now = mode.text.slice(0, mode.place) + line + mode.text.slice(mode.place);
  return edited(state, { ...mode, text: now, place: mode.place + line.length, proposals: [] });
}

type TypingMode = Extract<Mode, { kind: "typing" }>;

function typing(
  state: TopState,
  mode: TypingMode,
  key: string,
  { text, isCtrl, isAlt }: Extract<TerminalEvent, { kind: "key" }>,
): Updated {
  const { place, text: line } = mode;
  const moved = (to: number) =>
    only({ ...state, mode: { ...mode, place: Math.max(0, Math.min(to, line.length)) } });
  const cut = (from: number, to: number) =>
    edited(state, {
      ...mode,
      text: line.slice(0, Math.max(0, from)) + line.slice(to),
      place: Math.max(0, from),
      proposals: [],
    });
  switch (key) {
    case "escape":
    case "C-c":
      return only(
        settled({
          ...state,
          mode: { kind: "list" },
          filter: mode.about.kind === "filter" ? "" : state.filter,
        }),
      );
    case "enter":
      return entered({ ...state, mode: { kind: "list" } }, mode);
    case "left":
      return moved(before(line, place));
    case "right":
      return moved(after(line, place));
    case "home":
    case "C-a":
      return moved(0);
    case "end":
    case "C-e":
      return moved(line.length);
    case "backspace":
      return cut(before(line, place), place);
    case "delete":
      return cut(place, after(line, place));
    case "C-u":
      return cut(0, place);
    case "C-w":
      return cut(line.slice(0, place).replace(/\S+\s*$/, "").length, place);
    case "tab":
      if (mode.about.kind !== "command") return only(state);
      return { state, effects: [{ do: "propose", text: line.slice(0, place) }] };
    default:
      return isCtrl || isAlt || text === "" ? only(state) : typed(state, text);
  }
}

/** A filter acts while it is typed. */
function edited(state: TopState, mode: TypingMode): Updated {
  const filter = mode.about.kind === "filter" ? mode.text : state.filter;
  return only(settled({ ...state, mode, filter }, state));
}

function entered(state: TopState, { about, text }: TypingMode): Updated {
  const words = typedWords(text);
  if (about.kind === "filter") return only(settled({ ...state, filter: text }));
  if (about.kind === "command") {
    if (words.length === 0) return only(state);
    return { state, effects: [{ do: "lend", words: words[0] === "hivemind" ? words.slice(1) : words }] };
  }
  if (text.trim() === "" && !about.isOptional) return only(state);
  const last = text.trim() === "" ? [] : about.before[0]?.[0] === "answer" ? words : [text.trim()];
  const commands = about.before.map((each) => [...each, ...last]);
  return running(state, commands);
}

function answered(state: TopState, mode: Extract<Mode, { kind: "asking" }>, key: string): Updated {
  const list: TopState = { ...state, mode: { kind: "list" } };
  const isRead = (pageOf(state)?.below ?? 0) === 0;
  if ((key === "y" || key === "Y") && isRead) return running(list, mode.commands);
  if (["n", "N", "escape", "q", "C-c", "enter"].includes(key)) return only(list);
  return only(onPage(state, mode, key) ?? state);
}

/** Every key that turns no page closes the help. */
function helped(state: TopState, mode: Extract<Mode, { kind: "help" }>, key: string): Updated {
  return only(onPage(state, mode, key) ?? { ...state, mode: { kind: "list" } });
}

function onPage(state: TopState, mode: Extract<Mode, { top: number }>, key: string): TopState | null {
  const top = turned(state, key);
  return top === null ? null : { ...state, mode: { ...mode, top } };
}

function wheel(state: TopState, { by, row, column }: Extract<TerminalEvent, { kind: "wheel" }>): Updated {
  const { detail } = layoutOf(state);
  const { mode } = state;
  const isOver = detail !== null && row >= detail.top && column >= detail.left;
  if (mode.kind === "help" || mode.kind === "asking")
    return only(onPage(state, mode, by < 0 ? "up" : "down") ?? state);
  if (mode.kind !== "list") return only(state);
  if (isOver) return act(state, by < 0 ? "scroll-up" : "scroll-down", "");
  return act(state, by < 0 ? "up" : "down", "");
}

function click(state: TopState, { row, column }: Extract<TerminalEvent, { kind: "click" }>): Updated {
  const { list } = layoutOf(state);
  const isInside = row >= list.top && row < list.top + list.rows && column < list.left + list.columns;
  if (state.mode.kind !== "list" || !isInside) return only(state);
  const chosen = rowsIn(state)[state.listTop + row - list.top];
  return only(chosen === undefined ? state : settled({ ...state, selected: chosen.key, detailTop: 0 }));
}

/** One proposal completes the word; several are listed, and their common beginning is typed. */
function withProposals(state: TopState, text: string, proposals: readonly string[]): TopState {
  const { mode } = state;
  if (mode.kind !== "typing" || mode.text.slice(0, mode.place) !== text) return state;
  const word = /\S*$/.exec(text)![0];
  const common = commonStart(proposals);
  const added = common.slice(word.length) + (proposals.length === 1 ? " " : "");
  const now = text + added + mode.text.slice(mode.place);
  const listed = proposals.length > 1 ? proposals : [];
  return { ...state, mode: { ...mode, text: now, place: text.length + added.length, proposals: listed } };
}

function commonStart(words: readonly string[]): string {
  const [first = "", ...more] = words;
  let length = first.length;
  for (const word of more) while (!word.startsWith(first.slice(0, length))) length--;
  return first.slice(0, length);
}

/** Never inside a pair of code units. */
function before(text: string, place: number): number {
  const last = [...text.slice(0, place)].at(-1) ?? "";
  return place - last.length;
}

function after(text: string, place: number): number {
  const [next = ""] = text.slice(place);
  return place + next.length;
}
