// Chooses the snapshots that may be deleted. Pure.
//
// - The newest ones stay, as many as wanted.
// - The newest snapshot of each team stays, however old it is. So does an unreadable one.

import type { TeamName } from "../../names/gates.js";

/** A snapshot with its teams; null if it is unreadable. */
export interface Prunable {
  teams: readonly TeamName[] | null;
}

/** `snapshots` newest first. */
export function prunable<T extends Prunable>(snapshots: readonly T[], keep: number): T[] {
  const seen = new Set<TeamName>();
  return snapshots.filter(({ teams }, at) => {
    const isNewestOfOne = teams === null || teams.some((team) => !seen.has(team));
    for (const team of teams ?? []) seen.add(team);
    return at >= keep && !isNewestOfOne;
  });
}
