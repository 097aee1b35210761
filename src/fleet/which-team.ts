// The team a command means if the user named none. Pure.
//
// It is the caller's own tmux session, else the active team if it runs. Otherwise the error lists the running teams
// and the command that chooses one.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { isTeamName, type TeamName } from "../names/gates.js";
import type { FleetPane, Panes } from "./panes.js";

/**
 * `own` is the pane the caller sits in, `active` the stored active team. The result may be a name that no store can
 * hold: callers that write rows check it too.
 */
export function whichTeam(
  fleet: Pick<Panes, "panes">,
  { own, active }: { own: FleetPane | null; active: TeamName | null },
): string {
  if (own !== null) return own.sessionName;
  const running = runningTeams(fleet);
  if (active !== null && running.includes(active)) return active;
  const dead = active === null ? "" : ` (the active team, ${active}, is not running)`;
  const first = running.find(isTeamName);
  const choosing = first === undefined ? "" : `; choose one for all commands: hivemind team switch ${first}`;
  throw new HiveError(`which team?${dead}`, { hint: `${runningHint(running)}${choosing}` });
}

/** The tmux session with exactly this name, which must be running. */
export function runningTeam(fleet: Pick<Panes, "panes">, typed: string): string {
  const running = runningTeams(fleet);
  if (running.includes(typed)) return typed;
  throw new HiveError(`no team "${harmless(typed)}" is running`, { hint: runningHint(running) });
}

/** A hint that lists the running tmux sessions. */
export function runningHint(running: readonly string[]): string {
  return running.length > 0 ? `running teams: ${running.map(harmless).join(", ")}` : "hivemind team list";
}

function runningTeams({ panes }: Pick<Panes, "panes">): string[] {
  return [...new Set(panes.map(({ sessionName }) => sessionName))].sort();
}
