// What `top` makes of the followed fleet: events of its own.

import type { Hive } from "../hive/hive.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import type { FleetListener } from "../watch/follow/follow-fleet.js";
import { watcherOf } from "../watch/process/watcher.js";
import { failureLines } from "./failure.js";
import { type RowKey, screenLines } from "./rows.js";
import type { TopEvent } from "./update.js";

export interface FollowedScreen {
  on(event: TopEvent): void;
  /** The pane that the right side shows; null if it shows none. */
  shown(): ShownPane | null;
  /** The time on the screen. */
  shownMs(): number;
  /** What could be restored if nothing runs, in words. */
  comeback(): string | null;
}

export interface ShownPane {
  key: RowKey;
  pane: PaneId;
  isBusy: boolean;
  lines: readonly string[] | null;
}

export function topListener(
  { paths }: Pick<Hive, "paths">,
  { on, shown, shownMs, comeback }: FollowedScreen,
): FleetListener {
  return {
    shown,
    looked({ fleet, attention }) {
      const isEmpty = fleet.teams.every(({ agents }) => agents.length === 0);
      const worker = watcherOf(paths) === null ? null : "watcher";
      const nowMs = Date.now();
      on({ kind: "looked", fleet, attention, worker, comeback: isEmpty ? comeback() : null, nowMs });
    },
    patched: (patches) => on({ kind: "patched", patches }),
    failed: (error) => on({ kind: "look failed", why: failureLines(error)[0]! }),
    glanced() {
      if (Date.now() - shownMs() >= limits.topClockMs) on({ kind: "clock", nowMs: Date.now() });
    },
    showed(pane, screen) {
      const now = shown();
      const lines = screenLines(screen);
      const isSame =
        now?.lines?.length === lines.length && lines.every((line, at) => line === now.lines![at]);
      if (now?.pane === pane && !isSame) on({ kind: "loaded", detail: { key: now.key, tab: "pane", lines } });
    },
  };
}
