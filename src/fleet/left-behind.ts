// What the process of an ended agent left behind, in a pane that keeps it: its registry file if it was killed, its last
// report if hooks are installed, its last words if it ended in order.

import { agents, registryAgent } from "../agents/all.js";
import type { PaneId, SessionId } from "../names/gates.js";
import { capturePanes } from "../tmux/capture.js";
import type { LeftBehind } from "./discover.js";
import type { HookFindings } from "./hook-claims.js";
import type { FleetPane, Panes, World } from "./panes.js";

/** The session that the last words in a pane name. */
export type LastWords = ReadonlyMap<PaneId, SessionId>;

/** One spawn for all dead panes, none where there is no such pane. */
export async function lastWordsIn({ tmux }: Pick<World, "tmux">, { panes }: Panes): Promise<LastWords> {
  const dead = panes.filter((pane) => pane.dead);
  const screens = await capturePanes(
    tmux,
    dead.map(({ id }) => id),
  );
  return new Map(
    [...screens].flatMap(([id, screen]) => {
      const session = registryAgent.readLastWords(screen.split("\n"));
      return session === null ? [] : [[id, session]];
    }),
  );
}

/** Strongest first. A killed process left its file, one that ended in order removed it and spoke: seldom both. */
export function leftBehind(
  { id, pid, deadAtMs }: FleetPane,
  folders: readonly string[],
  { lastReports }: Pick<HookFindings, "lastReports">,
  words: LastWords,
): LeftBehind[] {
  const endedAtMs = deadAtMs ?? Number.POSITIVE_INFINITY;
  const process = { pid, pane: id, endedAtMs };
  const filed = folders.flatMap((folder) =>
    agents.flatMap((agent) => agent.leftSession(folder, process) ?? []),
  );
  const report = lastReports.get(id);
  const isOwn = report !== undefined && report.pid === pid && report.atMs <= endedAtMs;
  const said = words.get(id);
  return [
    ...filed.slice(0, 1).map((uuid) => ({ source: "registry" as const, uuid })),
    ...(isOwn ? [{ source: "hook" as const, uuid: report.sessionId }] : []),
    ...(said === undefined ? [] : [{ source: "screen" as const, uuid: said }]),
  ];
}
