// Which snapshots may go. Pure.
//
// [PN1] The newest ones stay, as many as asked for.
// [PN2] The newest snapshot of each team stays, however old it is, and so does one that could not be read.

import type { TeamName } from "../names/gates.js";

/** A snapshot with the teams it has; null when it could not be read. */
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
