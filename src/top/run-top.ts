// `top` as a running program: shows the fleet, and carries out what the keys ask for.
//
// - It only looks, and does what is pressed. Delivering and saving is the watcher's work.
// - A failed look leaves the last one on the screen, and says that it is old.

import type { Attention } from "../hive/attention.js";
import type { Hive } from "../hive/hive.js";
import { limits } from "../limits.js";
import type { Host, PaneId } from "../names/gates.js";
import { capturePane } from "../tmux/capture.js";
import { FleetFollower } from "../watch/follow/follow-fleet.js";
import { restAfter } from "../watch/loop.js";
import { failureLines } from "./failure.js";
import { type FarRow, isFarWaiting, nothingFar } from "./far-rows.js";
import { type ShownPane, topListener } from "./follow-fleet.js";
import { layoutOf } from "./layout.js";
import { labelOf, nameOf, screenLines } from "./rows.js";
import { frameOf } from "./screen/frame-of.js";
import { keepHeapSmall } from "./small-heap.js";
import { type Detail, initialState, type Result, type Tab, type TopState } from "./state.js";
import type { TerminalEvent } from "./terminal/keys.js";
import type { TopTerminal } from "./terminal/terminal.js";
import { type TopEvent, update } from "./update.js";
import { type Effect, rowsIn } from "./updated.js";

export interface TopWorld {
  hive: Hive;
  openTerminal(onEvent: (event: TerminalEvent) => void): TopTerminal;
  /** Runs a command of hivemind and collects what it prints. */
  run(words: readonly string[]): Promise<Result>;
  /** Runs a command of hivemind at the terminal, and waits for Enter. */
  runHere(words: readonly string[]): Promise<void>;
  /** Goes to a pane. True if `top` shall end: it covers that pane. */
  go(name: string, lend: TopTerminal["lend"]): Promise<boolean>;
  /** A text from the user's editor. */
  edit(): Promise<string | null>;
  /** The words that may follow. */
  propose(text: string): Promise<readonly string[]>;
  /** What could be restored if nothing runs, in words. */
  comeback(): string | null;
  interrupted: AbortSignal;
  /** Shown at first. */
  guidance: readonly string[];
  /** The other hosts of the fleet; null if they are not shown. */
  far: FarWorld | null;
}

export interface FarWorld {
  /** Tells about the other hosts until interrupted. */
  follow(on: (event: TopEvent) => unknown, interrupted: AbortSignal): Promise<void>;
  /** What agents of that host ask. Its names can be typed here. */
  requests(host: Host): Promise<readonly Attention[]>;
}

export async function runTop(world: TopWorld): Promise<void> {
  keepHeapSmall();
  const ended = new AbortController();
  const terminal = world.openTerminal((event) => take(event));
  const { columns, rows } = terminal.size();
  let state: TopState = initialState(columns, rows, Date.now());
  if (world.guidance.length > 0) state = { ...state, result: { isFailed: false, lines: world.guidance } };
  if (world.far !== null) state = { ...state, far: nothingFar };
  const loader = openLoader(world, on);
  const screen = {
    on,
    shown: () => shownPane(state),
    shownMs: () => state.nowMs,
    comeback: world.comeback,
  };
  let following: Promise<void> | undefined;
  const follower = new FleetFollower(world.hive, topListener(world.hive, screen));

  function take(event: TerminalEvent): void {
    if (event.kind === "resize" || event.kind === "resumed") on({ kind: "sized", ...terminal.size() });
    else on(event);
    follower.chosen();
  }

  function on(event: TopEvent): void {
    const { state: next, effects } = update(state, event);
    state = next;
    terminal.paint(frameOf(state));
    loader.follow(state);
    for (const effect of effects) void carryOut(effect);
  }

  async function carryOut(effect: Effect): Promise<void> {
    try {
      const isOver = await effectOf(world, terminal, effect, on);
      if (isOver) ended.abort();
    } catch (error) {
      on({ kind: "ran", result: { isFailed: true, lines: failureLines(error) } });
    }
    loader.expire();
    follower.lookAtOnce();
  }

  try {
    terminal.paint(frameOf(state));
    const end = AbortSignal.any([world.interrupted, ended.signal]);
    following = world.far
      ?.follow((event) => end.aborted || on(event), end)
      .catch((error) => {
        on({ kind: "far lost", why: failureLines(error)[0]! });
      });
    await follower.run(end);
  } finally {
    ended.abort();
    loader.close();
    terminal.close();
  }
  await following;
}

/** True if `top` shall end. */
async function effectOf(
  world: TopWorld,
  terminal: TopTerminal,
  effect: Effect,
  on: (event: TopEvent) => void,
): Promise<boolean> {
  switch (effect.do) {
    case "quit":
      return true;
    case "go":
      return world.go(effect.name, (work) => terminal.lend(work));
    case "run":
      on({ kind: "ran", result: await runAll(world, effect.commands) });
      return false;
    case "lend":
      await terminal.lend(() => world.runHere(effect.words));
      return false;
    case "edit": {
      const text = await terminal.lend(() => world.edit());
      const commands = text === null ? [] : effect.names.map((name) => ["send", name, "--", text]);
      const nothing = { isFailed: false, lines: ["nothing was sent"] };
      on({ kind: "ran", result: text === null ? nothing : await runAll(world, commands) });
      return false;
    }
    case "far requests": {
      const { host, next } = effect;
      on({ kind: "far asked", host, attention: (await world.far?.requests(host)) ?? [], next });
      return false;
    }
    case "propose":
      on({ kind: "proposed", text: effect.text, proposals: await world.propose(effect.text) });
      return false;
  }
}

async function runAll({ run }: TopWorld, commands: readonly (readonly string[])[]): Promise<Result> {
  const results: Result[] = [];
  for (const words of commands) results.push(await run(words));
  return { isFailed: results.some(({ isFailed }) => isFailed), lines: results.flatMap(({ lines }) => lines) };
}

/** What the right side shows of a pane. */
function shownPane(state: TopState): ShownPane | null {
  const { tab, mode, detail, selected } = state;
  if (tab !== "pane" || mode.kind === "help" || layoutOf(state).detail === null) return null;
  const row = rowsIn(state).find(({ key }) => key === selected);
  if (row?.kind !== "agent" || row.agent.paneId === null) return null;
  const isLoaded = detail?.key === row.key && detail.tab === tab;
  return {
    key: row.key,
    pane: row.agent.paneId as PaneId,
    isBusy: row.agent.activity === "busy",
    lines: isLoaded ? detail.lines : null,
  };
}

/** Loads what the right side shows: when it is chosen, after a command, and now and then while the fleet changes. */
function openLoader(world: TopWorld, on: (event: TopEvent) => void) {
  let wanted = "";
  let timer: NodeJS.Timeout | undefined;
  let isFarRequest = false;
  /** The last fleet for which it was loaded, and when it may be loaded again. */
  let seen: TopState["fleet"] = null;
  let againMs = 0;

  const onLoaded = (detail: Detail) => on({ kind: "loaded", detail });

  async function load(state: TopState, id: string): Promise<void> {
    const row = rowsIn(state).find(({ key }) => key === state.selected);
    const name = row === undefined ? null : nameOf(row);
    if (row?.kind === "far" && state.tab === "request") return loadFarRequest(row, id);
    const isElsewhere = row?.kind === "far" && (state.tab === "pane" || state.tab === "messages");
    if (row === undefined || name === null || isElsewhere) return;
    const beganMs = performance.now();
    const lines = await linesOf(world, state.tab, name, labelOf(row)).catch(failureLines);
    const endedMs = performance.now();
    againMs = endedMs + restAfter(endedMs - beganMs, limits.topTickMs).untilTickMs;
    if (wanted === id) onLoaded({ key: row.key, tab: state.tab, lines });
  }

  async function loadFarRequest(row: FarRow, id: string): Promise<void> {
    if (world.far === null || !isFarWaiting(row)) return;
    const { host } = row.agent;
    try {
      const attention = await world.far.requests(host);
      if (wanted === id) on({ kind: "far asked", host, attention, next: null });
      if (wanted === id) onLoaded({ key: row.key, tab: "request", lines: [`${host} says nothing about it`] });
    } catch (error) {
      if (wanted === id) onLoaded({ key: row.key, tab: "request", lines: failureLines(error) });
    }
  }

  function begin(state: TopState, id: string): void {
    wanted = id;
    seen = state.fleet;
    againMs = Number.POSITIVE_INFINITY;
    clearTimeout(timer);
    timer = setTimeout(() => void load(state, id), limits.topLoadMs);
  }

  return {
    follow(state: TopState): void {
      if (state.mode.kind === "help") return;
      // A far row is loaded when it is chosen: each load is a question to its host.
      const row = state.far === null ? null : farRowIn(state);
      isFarRequest = row !== null && state.tab === "request";
      const id = `${state.selected} ${state.tab}${isFarRequest ? ` ${row?.agent.writtenAtMs}` : ""}`;
      const isOld =
        row === null && isFromCommand(state.tab) && seen !== state.fleet && performance.now() >= againMs;
      if (id !== wanted || isOld) begin(state, id);
    },
    /** A command may have changed what is shown: the next look loads it again. */
    expire(): void {
      againMs = 0;
      if (isFarRequest) wanted = "";
    },
    close(): void {
      wanted = "";
      clearTimeout(timer);
    },
  };
}

async function linesOf(
  { hive, run }: TopWorld,
  tab: Tab,
  name: string,
  label: string,
): Promise<readonly string[]> {
  if (tab === "pane") {
    if (!name.startsWith("%")) return [`${label} is away`];
    return screenLines(await capturePane(hive.tmux, name as PaneId));
  }
  return isFromCommand(tab) ? (await run([...commandsOf[tab], name])).lines : [];
}

function farRowIn(state: TopState): FarRow | null {
  if (state.selected?.startsWith("far ") !== true) return null;
  const row = rowsIn(state).find(({ key }) => key === state.selected);
  return row?.kind === "far" ? row : null;
}

/** The command whose output is the view; the pane is followed with each glance. */
const commandsOf = { lineage: ["lineage"], messages: ["queue", "list"], history: ["history"] };

function isFromCommand(tab: Tab): tab is keyof typeof commandsOf {
  return tab in commandsOf;
}
