// What an ended agent's process left behind in a dead pane: its registry file if it was killed, its last hook
// report, and its last words on the screen if it ended normally.

import type { LastWords } from "../../agents/agent.js";
import { agentOfKind, agents } from "../../agents/all.js";
import type { PaneId } from "../../names/gates.js";
import { screensOf } from "../../tmux/capture.js";
import type { ClientFolder } from "../folders.js";
import type { FleetPane, Panes, World } from "../panes.js";
import type { LeftBehind } from "./discover.js";
import type { HookFindings } from "./hook-claims.js";

/** The last words in each pane. */
export type LastWordsBy = ReadonlyMap<PaneId, LastWords>;

/** One spawn for all dead panes; none if no pane is dead. */
export async function lastWordsIn({ tmux }: Pick<World, "tmux">, { panes }: Panes): Promise<LastWordsBy> {
  const dead = panes.filter((pane) => pane.dead);
  const screens = await screensOf(tmux, dead, { joined: true });
  return new Map(
    [...screens].flatMap(([id, lines]) => {
      const words = wordsIn(lines);
      return words === null ? [] : [[id, words]];
    }),
  );
}

/** A dead pane does not say which agent ended in it, and each agent has words of its own. */
function wordsIn(lines: readonly string[]): LastWords | null {
  for (const { screen } of agents) {
    const words = screen?.readLastWords?.(lines) ?? null;
    if (words !== null) return words;
  }
  return null;
}

/**
 * Strongest first. A killed process leaves its file; one that ends normally removes it and prints its last words.
 */
export function endedAgentEvidence(
  { id, pid, deadAtMs }: FleetPane,
  folders: readonly ClientFolder[],
  { lastReports }: Pick<HookFindings, "lastReports">,
  words: LastWordsBy,
): LeftBehind[] {
  const endedAtMs = deadAtMs ?? Number.POSITIVE_INFINITY;
  const process = { pid, pane: id, endedAtMs };
  const filed = folders.flatMap(
    ({ kind, folder }) => agentOfKind(kind)?.registry?.leftSession?.(folder, process) ?? [],
  );
  const report = lastReports.get(id);
  const isOwn = report !== undefined && report.pid === pid && report.atMs <= endedAtMs;
  const onScreen = words.get(id)?.session ?? null;
  return [
    ...filed.slice(0, 1).map((uuid) => ({ source: "registry" as const, uuid })),
    ...(isOwn ? [{ source: "hook" as const, uuid: report.sessionId }] : []),
    ...(onScreen === null ? [] : [{ source: "screen" as const, uuid: onScreen }]),
  ];
}
