// What the process of an ended agent left behind, in a pane that keeps it: its registry file if it was killed, its last
// report if hooks are installed, its last words if it ended in order.

import type { LastWords } from "../agents/agent.js";
import { agents, registryAgent } from "../agents/all.js";
import type { PaneId } from "../names/gates.js";
import { capturePanes } from "../tmux/capture.js";
import type { LeftBehind } from "./discover.js";
import type { HookFindings } from "./hook-claims.js";
import type { FleetPane, Panes, World } from "./panes.js";

/** What the last words in panes say. */
export type LastWordsBy = ReadonlyMap<PaneId, LastWords>;

/** One spawn for all dead panes, none where there is no such pane. */
export async function lastWordsIn({ tmux }: Pick<World, "tmux">, { panes }: Panes): Promise<LastWordsBy> {
  const dead = panes.filter((pane) => pane.dead);
  const screens = await capturePanes(
    tmux,
    dead.map(({ id }) => id),
    { joined: true },
  );
  return new Map(
    [...screens].flatMap(([id, screen]) => {
      const words = registryAgent.readLastWords(screen.split("\n"));
      return words === null ? [] : [[id, words]];
    }),
  );
}

/** Strongest first. A killed process left its file, one that ended in order removed it and spoke: seldom both. */
export function leftBehind(
  { id, pid, deadAtMs }: FleetPane,
  folders: readonly string[],
  { lastReports }: Pick<HookFindings, "lastReports">,
  words: LastWordsBy,
): LeftBehind[] {
  const endedAtMs = deadAtMs ?? Number.POSITIVE_INFINITY;
  const process = { pid, pane: id, endedAtMs };
  const filed = folders.flatMap((folder) =>
    agents.flatMap((agent) => agent.leftSession(folder, process) ?? []),
  );
  const report = lastReports.get(id);
  const isOwn = report !== undefined && report.pid === pid && report.atMs <= endedAtMs;
  const said = words.get(id)?.session ?? null;
  return [
    ...filed.slice(0, 1).map((uuid) => ({ source: "registry" as const, uuid })),
    ...(isOwn ? [{ source: "hook" as const, uuid: report.sessionId }] : []),
    ...(said === null ? [] : [{ source: "screen" as const, uuid: said }]),
  ];
}
