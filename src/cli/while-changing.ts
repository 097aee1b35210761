// The locks of several teams, held together.

import type { Hive } from "../hive.js";
import { isTeamName } from "../names/gates.js";

/** Always in the same order, so that two commands cannot wait for each other. Names no row can hold have no lock. */
export async function whileChangingAll<T>(
  hive: Hive,
  names: readonly string[],
  work: () => Promise<T>,
): Promise<T> {
  const teams = [...new Set(names)].filter(isTeamName).sort();
  const held = teams.reduceRight((inner, team) => () => hive.whileChanging(team, inner), work);
  return held();
}
