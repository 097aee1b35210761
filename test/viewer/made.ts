// The result of a look at the viewer, made from the few facts that a test is about.

import type { TeamName } from "../../src/names/gates.js";
import type { ViewerWindowRow } from "../../src/stores/viewer-windows.js";
import type { ViewerLook } from "../../src/viewer/look.js";

export const [a, b] = ["a" as TeamName, "b" as TeamName];
/** Longer than what a narrow terminal shows of it. */
export const long = "web4team-architecture-and-review" as TeamName;

export interface Looked {
  /** Number → title. */
  windows?: Record<number, string>;
  /** `named shows window`. */
  clients?: string[];
  running?: string[];
  /** The window that a terminal shows (default: no terminal). */
  front?: number;
}

export function look({
  windows = {},
  clients = [],
  running = ["a", "b", "c", "d", long],
  front,
}: Looked): ViewerLook {
  return {
    session: {
      id: "1.tronMon",
      pid: 1,
      name: "tronMon",
      state: front === undefined ? "detached" : "attached",
    },
    windows: Object.entries(windows).map(([number, title]) => ({ number: Number(number), title })),
    shown: front ?? 0,
    clients: clients.map((client) => {
      const [named, shows, window] = client.split(" ") as [string, string, string];
      return { named, shows, window: Number(window) };
    }),
    running: new Set(running),
  };
}

export function rows(noted: Record<number, string>): ViewerWindowRow[] {
  return Object.entries(noted).map(([window, team]) => ({ window: Number(window), team: team as TeamName }));
}
