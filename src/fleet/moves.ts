// Which events put the rows where their panes are now, and the rows as they are then. Pure.
//
// [MV1] A renamed tmux session is one event for the whole team, unless that name belongs to another team already. Where
//       nothing has the old name any more but marks, the event was cut off, and comes again.
// [MV2] Panes that changed places are one event, also across teams: half a swap would drop the other half's rows.
// [MV3] Where one team is asked for, only what hangs together with its moves is re-keyed.
// [MV4] A row at a place that another pane came to stand at has lost its pane: that is told before the move.
// [MV5] Where all teams are asked for, those are concerned that run, and that panes came from or went to.

import type { HiveEvent } from "../events/event.js";
import { addressOf, addressParts, type PaneAddress, type TeamName } from "../names/gates.js";
import { type Moves, rekeyRows, teamMoves } from "../stores/rekey.js";
import type { RoleRow } from "../stores/roles.js";
import type { SessionRow } from "../stores/sessions.js";
import type { TeamRow } from "../stores/teams.js";
import type { Panes } from "./panes.js";

export interface Keyed {
  roles: readonly RoleRow[];
  sessions: readonly SessionRow[];
  teams: readonly TeamRow[];
}

export interface MovePlan {
  events: HiveEvent[];
  warnings: string[];
  /** As the events leave them. */
  rows: Pick<Keyed, "roles" | "sessions">;
  /** The teams that were asked for, by the names they have now. */
  teams: ReadonlySet<string>;
}

export function planMoves({ shifts }: Pick<Panes, "shifts">, stored: Keyed, only?: TeamName): MovePlan {
  const plan: MovePlan = { events: [], warnings: [], rows: stored, teams: new Set() };
  const rekey = (moves: Moves) => {
    const { roles, sessions } = plan.rows;
    plan.rows = { roles: rekeyRows(roles, moves), sessions: rekeyRows(sessions, moves) };
  };
  const asked = groupsOf(shifts.moved).filter(({ teams }) => only === undefined || teams.has(only));
  const renamed = new Map<TeamName, TeamName>();

  for (const { from, to } of shifts.renamedTeams.filter((each) => isIn(asked, each.from))) {
    if (stored.teams.some(({ team }) => team === to) && isKnown(stored, from)) {
      plan.warnings.push(
        `tmux session ${from} was renamed to ${to}, a team of its own: its panes belong to ${to} now`,
      );
      continue;
    }
    renamed.set(from, to);
    plan.events.push({ name: "team.renamed", old: from, new: to });
    rekey(
      teamMoves(
        [...plan.rows.roles, ...plan.rows.sessions].map(({ pane }) => pane),
        from,
        to,
      ),
    );
  }

  const current = (team: TeamName) => renamed.get(team) ?? team;
  for (const { moves } of asked) {
    const left = [...teamsRenamed(moves, renamed)].filter(([from, to]) => from !== to);
    if (left.length === 0) continue;
    for (const pane of displaced(plan.rows, new Map(left)))
      plan.events.push({ name: "agent.killed", pane, how: "unasked" });
    const team = addressParts(left[0]![0]).team;
    plan.events.push({ name: "panes.shifted", team, moves: left.map(([from, to]) => ({ from, to })) });
    rekey(new Map(left));
  }

  plan.teams = new Set(only === undefined ? stored.teams.map(({ team }) => current(team)) : [current(only)]);
  return plan;
}

/** Of the registered teams those in which rows may change. */
export function teamsConcerned(
  { panes, shifts }: Pick<Panes, "panes" | "shifts">,
  registered: readonly TeamName[],
): TeamName[] {
  const places = panes.flatMap(({ address, alsoAt }) => [address, ...alsoAt]);
  const concerned = new Set([...places, ...[...shifts.moved].flat()].map(teamOf));
  return registered.filter((team) => concerned.has(team));
}

function isKnown({ teams, roles, sessions }: Keyed, team: TeamName): boolean {
  const isOf = ({ pane }: { pane: PaneAddress }) => addressParts(pane).team === team;
  return teams.some((row) => row.team === team) || roles.some(isOf) || sessions.some(isOf);
}

function displaced({ roles, sessions }: MovePlan["rows"], moves: Moves): Set<PaneAddress> {
  const targets = new Set(moves.values());
  const places = [...roles, ...sessions].map(({ pane }) => pane);
  return new Set(places.filter((pane) => targets.has(pane) && !moves.has(pane)));
}

/** Also of an address whose tmux session has a name that no row can hold. */
export function teamOf(address: string): string {
  return address.slice(0, address.lastIndexOf(":"));
}

interface Group {
  teams: Set<TeamName>;
  moves: Map<PaneAddress, PaneAddress>;
}

/** Moves that share a team belong together. */
function groupsOf(moved: Moves): Group[] {
  let groups: Group[] = [];
  for (const [from, to] of moved) {
    const teams = [from, to].map((address) => addressParts(address).team);
    const joined: Group = { teams: new Set(teams), moves: new Map([[from, to]]) };
    const touching = groups.filter((group) => teams.some((team) => group.teams.has(team)));
    groups = groups.filter((group) => !touching.includes(group));
    // The earlier ones first, so that events keep the order of the panes.
    const parts = [...touching, joined];
    groups.push({
      teams: new Set(parts.flatMap((part) => [...part.teams])),
      moves: new Map(parts.flatMap((part) => [...part.moves])),
    });
  }
  return groups;
}

function isIn(groups: readonly Group[], team: TeamName): boolean {
  return groups.some(({ teams }) => teams.has(team));
}

/** The same moves after their teams got their new names. */
function teamsRenamed(moves: Moves, renamed: ReadonlyMap<TeamName, TeamName>): Moves {
  return new Map(
    [...moves].map(([from, to]) => {
      const { team, window, pane } = addressParts(from);
      return [addressOf(renamed.get(team) ?? team, window, pane), to];
    }),
  );
}
