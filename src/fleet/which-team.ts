// The team that is meant where none is named. Pure.
//
// [WT1] It is the caller's own tmux session, else the active team if it runs, else nobody guesses: those that run are told,
//       and the command that chooses one.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { isTeamName, type TeamName } from "../names/gates.js";
import type { FleetPane, Panes } from "./panes.js";

export interface Whereabouts {
  /** The pane the caller sits in. */
  own: FleetPane | null;
  /** S7. */
  active: TeamName | null;
}

/** tmux allows names that no store can hold: what writes rows asks the gate too. */
export function whichTeam(fleet: Pick<Panes, "panes">, { own, active }: Whereabouts): string {
  if (own !== null) return own.sessionName;
  const running = runningTeams(fleet);
  if (active !== null && running.includes(active)) return active;
  const dead = active === null ? "" : ` (the active one, ${active}, does not run)`;
  const first = running.find(isTeamName);
  const choosing = first === undefined ? "" : `; choose one for all commands: hivemind team switch ${first}`;
  throw new HiveError(`which team?${dead}`, { hint: `${runningHint(running)}${choosing}` });
}

/** The tmux session of exactly this name, which must run. */
export function runningTeam(fleet: Pick<Panes, "panes">, typed: string): string {
  const running = runningTeams(fleet);
  if (running.includes(typed)) return typed;
  throw new HiveError(`no team "${harmless(typed)}" is running`, { hint: runningHint(running) });
}

/** Which tmux sessions there are to choose from. */
export function runningHint(running: readonly string[]): string {
  return running.length > 0 ? `running are: ${running.map(harmless).join(", ")}` : "hivemind team list";
}

function runningTeams({ panes }: Pick<Panes, "panes">): string[] {
  return [...new Set(panes.map(({ sessionName }) => sessionName))].sort();
}
