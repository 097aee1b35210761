// What is in a snapshot, in numbers. Pure.

import { counted } from "../base/counted.js";
import type { TeamName } from "../names/gates.js";
import { type StoredRow, withLikelyKind } from "../stores/snapshot-text.js";

export interface TeamContents {
  team: TeamName;
  agents: number;
  shells: number;
}

/** In the order of their first rows. */
export function contentsOf(rows: readonly StoredRow[]): TeamContents[] {
  const teams = new Map<TeamName, TeamContents>();
  for (const { team, kind } of rows.map(withLikelyKind)) {
    const found = teams.get(team) ?? { team, agents: 0, shells: 0 };
    if (kind === "shell" || kind === "monitor") found.shells++;
    else found.agents++;
    teams.set(team, found);
  }
  return [...teams.values()];
}

/** `10 agents, 5 shells` */
export function countLine(teams: readonly TeamContents[]): string {
  const sum = (of: "agents" | "shells") => teams.reduce((total, team) => total + team[of], 0);
  return `${counted(sum("agents"), "agent")}, ${counted(sum("shells"), "shell")}`;
}
