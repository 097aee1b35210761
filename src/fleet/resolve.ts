// A role, as typed, to the one pane that has it. Pure: exact, or an error that says what is there.
//
// [RN1] A role is compared exactly; the only pane that has it is the answer.
// [RN2] Where several teams have it, the caller's own tmux session decides, or nothing does.
// [RN3] A team that is named is the only one that is looked into.
// [RN4] Only panes that are there can be named, by the roles that a view of the fleet shows: a pane's mark, else its row.
// [RN5] A row that is gone, or waits for who is brought back, names nobody: who stands there is another.

import { hostname } from "node:os";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import type { PaneAddress, Role } from "../names/gates.js";
import { rekeyRows } from "../stores/rekey.js";
import type { Stores } from "../stores/stores.js";
import { judgeRows, type Rows, type Seen } from "./gone.js";
import { storedRows } from "./moves.js";
import type { FleetPane, Panes } from "./panes.js";
import { titledRole } from "./role-of.js";
import { runningHint } from "./which-team.js";

/** S1 and S2, as they are stored. */
export interface ResolveContext extends Rows {
  /** The pane the caller sits in. */
  own: FleetPane | null;
  /** Only here. */
  team?: string;
}

export function resolveRole(fleet: Panes, role: Role, context: ResolveContext): FleetPane {
  const { own, team } = context;
  if (team !== undefined && !fleet.panes.some(({ sessionName }) => sessionName === team)) {
    const running = [...new Set(fleet.panes.map(({ sessionName }) => sessionName))];
    throw new HiveError(`no team "${harmless(team)}" is running`, { hint: runningHint(running) });
  }
  const roleAt = shownRoles(fleet, context);
  const inScope = fleet.panes.filter(({ sessionName }) => team === undefined || sessionName === team);
  const found = inScope.filter((pane) => roleAt(pane) === role);
  const beside = found.filter(({ sessionName }) => sessionName === own?.sessionName);
  const choice = found.length > 1 && beside.length > 0 ? beside : found;
  const [only, ...others] = choice;
  if (only === undefined)
    throw nobody(
      role,
      team,
      inScope.flatMap((pane) => roleAt(pane) ?? []),
    );
  if (others.length > 0) throw several(role, choice);
  return only;
}

export function rolesIn(
  panes: Seen,
  stores: Pick<Stores, "roles" | "sessions">,
): (pane: FleetPane) => Role | null {
  return shownRoles(panes, storedRows(stores));
}

/**
 * The role of a pane: what its mark says, as everywhere, else its row, with the rows of panes that moved where the panes
 * are now. A row that another pane's mark speaks for is not this one's.
 */
export function shownRoles(seen: Seen, rows: Rows): (pane: FleetPane) => Role | null {
  const { panes, shifts } = seen;
  const isStrange = strangeRows(seen, rows);
  const placed = rekeyRows(rows.roles, shifts.moved);
  const roles = new Map<PaneAddress, Role>(
    placed.filter(({ pane }) => !isStrange(pane)).map(({ pane, role }) => [pane, role]),
  );
  for (const { mark } of panes)
    if (mark !== null && !shifts.moved.has(mark.address)) roles.delete(mark.address);
  return (pane) => pane.mark?.role ?? roles.get(pane.address) ?? null;
}

/** Whether what the stores say of a place, as panes are now, is of another than who stands there. */
export function strangeRows(panes: Seen, rows: Rows): (place: PaneAddress) => boolean {
  const { gone, awaited, awaitedAlone } = judged(panes, rows);
  return (place) => gone.has(place) || awaited.has(place) || awaitedAlone.has(place);
}

/** The places that are kept for agents which were not brought back. */
export function keptPlaces(panes: Seen, rows: Rows): ReadonlyMap<PaneAddress, Role> {
  return judged(panes, rows).awaited;
}

function judged(seen: Seen, { roles, sessions }: Rows) {
  const titled = (pane: FleetPane) => titledRole(pane, new Set(), hostname());
  const { moved } = seen.shifts;
  const placed = { roles: rekeyRows(roles, moved), sessions: rekeyRows(sessions, moved) };
  return judgeRows(seen, placed, titled);
}

function nobody(role: Role, team: string | undefined, roles: readonly Role[]): HiveError {
  const there = [...new Set(roles)].sort();
  return new HiveError(`nobody ${team === undefined ? "" : `in ${harmless(team)} `}has the role "${role}"`, {
    hint: there.length > 0 ? `there are: ${there.join(", ")}` : "see what runs: hivemind status",
  });
}

function several(role: Role, panes: readonly FleetPane[]): HiveError {
  const places = panes.map(({ address }) => harmless(address)).join(", ");
  const isOneTeam = new Set(panes.map(({ sessionName }) => sessionName)).size === 1;
  return new HiveError(`several have the role "${role}": ${places}`, {
    hint: isOneTeam ? "name the pane instead" : `name the team (hivemind resolve ${role} TEAM) or the pane`,
  });
}
