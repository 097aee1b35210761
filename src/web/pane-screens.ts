// The screens of the panes that somebody looks at, captured together in one call: often while they change, rarely
// otherwise, and not at all while nobody looks.

import type { Hive } from "../hive/hive.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import { type LiveScreen, liveScreens } from "../tmux/live-screens.js";
import type { PaneScreen } from "./contract.js";
import { screenRows } from "./screen-rows.js";
import { openStreamHub, type Sink, type StreamHub } from "./stream-hub.js";

interface Watched {
  hub: StreamHub;
  last: LiveScreen | null;
  screen: PaneScreen | null;
  changedMs: number;
  capturedMs: number;
}

export class PaneScreens {
  private readonly watched = new Map<PaneId, Watched>();
  private timer: NodeJS.Timeout | undefined;
  private isCapturing = false;
  private restUntilMs = 0;

  /** `isBusy`: whether the agent of a pane works, as far as it is known. */
  constructor(
    private readonly hive: Pick<Hive, "tmux">,
    private readonly isBusy: (pane: PaneId) => boolean,
  ) {}

  /** Returns what removes the reader. */
  watch(pane: PaneId, sink: Sink): () => void {
    const each = this.watched.get(pane) ?? this.begin(pane);
    const remove = each.hub.add(sink, each.screen === null ? [] : [{ event: "screen", data: each.screen }]);
    this.plan();
    return remove;
  }

  /** Something was typed into it: it changes soon. */
  touch(pane: PaneId): void {
    const each = this.watched.get(pane);
    if (each === undefined) return;
    each.changedMs = performance.now();
    this.plan();
  }

  close(): void {
    clearTimeout(this.timer);
    for (const { hub } of [...this.watched.values()]) hub.close();
  }

  private begin(pane: PaneId): Watched {
    const hub = openStreamHub(() => {
      this.watched.delete(pane);
      hub.close();
    });
    const never = Number.NEGATIVE_INFINITY;
    const made = { hub, last: null, screen: null, changedMs: performance.now(), capturedMs: never };
    this.watched.set(pane, made);
    return made;
  }

  private dueMs(pane: PaneId, { changedMs, capturedMs }: Watched): number {
    const isClose = this.isBusy(pane) || performance.now() - changedMs < limits.screenLatelyMs;
    return capturedMs + (isClose ? limits.screenBusyMs : limits.screenCalmMs);
  }

  private plan(): void {
    clearTimeout(this.timer);
    if (this.watched.size === 0 || this.isCapturing) return;
    const next = Math.min(...[...this.watched].map(([pane, each]) => this.dueMs(pane, each)));
    const inMs = Math.max(next, this.restUntilMs) - performance.now();
    this.timer = setTimeout(() => void this.capture(), Math.max(0, inMs));
  }

  private async capture(): Promise<void> {
    const beganMs = performance.now();
    // A little early is together with the others.
    const soonMs = beganMs + limits.screenBusyMs / 2;
    const due = [...this.watched].filter(([pane, each]) => this.dueMs(pane, each) <= soonMs);
    const panes = due.map(([pane]) => pane);
    this.isCapturing = true;
    try {
      const screens = await liveScreens(this.hive.tmux, panes);
      for (const [pane, each] of due) show(each, screens.get(pane) ?? null);
    } catch {
      // tmux could not be asked; the look says why. The page keeps the last screen.
    }
    this.isCapturing = false;
    for (const [, each] of due) each.capturedMs = performance.now();
    this.restUntilMs = performance.now() + limits.screenRestTimes * (performance.now() - beganMs);
    this.plan();
  }
}

function show(each: Watched, screen: LiveScreen | null): void {
  if (screen === null) {
    each.hub.send({ event: "gone", data: {} });
    each.hub.close();
    return;
  }
  if (isSame(each.last, screen)) return;
  each.last = screen;
  each.changedMs = performance.now();
  each.screen = paneScreen(screen);
  each.hub.send({ event: "screen", data: each.screen });
}

function paneScreen({ columns, rows, cursor, text }: LiveScreen): PaneScreen {
  return { columns, rows, cursor, lines: screenRows(text) };
}

function isSame(a: LiveScreen | null, b: LiveScreen): boolean {
  return (
    a !== null &&
    a.text === b.text &&
    a.columns === b.columns &&
    a.rows === b.rows &&
    a.cursor?.column === b.cursor?.column &&
    a.cursor?.row === b.cursor?.row
  );
}
