// Which events put the rows where their panes are now, and the rows as they are then. Pure.
//
// [MV1] A renamed tmux session is one event for the whole team, unless that name belongs to another team already. Where
//       nothing has the old name any more but marks, the event was cut off, and comes again.
// [MV2] Panes that changed places are one event, also across teams: half a swap would drop the other half's rows.
// [MV3] Where one team is asked for, only what hangs together with its moves is re-keyed.
// [MV4] A row at a place that another pane came to stand at has lost its pane: that is told before the move. One that
//       waits there for who is brought back gives way instead, to the next free place of its window.
// [MV5] Where all teams are asked for, those are concerned that run, and that panes came from or went to.
// [MV6] Panes that only borrow the name of a team that does not run are not followed: nothing of either team, nor of
//       those that hang together with them, is written until a person gives the name back, and that is said.

import { HiveError } from "../base/errors.js";
import type { HiveEvent } from "../events/event.js";
import { addressOf, addressParts, type PaneAddress, type TeamName } from "../names/gates.js";
import { type Moves, rekeyRows, teamMoves } from "../stores/rekey.js";
import type { Stores } from "../stores/stores.js";
import type { TeamRow } from "../stores/teams.js";
import { typedTmux } from "../tmux/socket.js";
import { earlierRows, type Rows, type Seen } from "./gone.js";
import type { Panes } from "./panes.js";
import { tmuxSessionOf } from "./shifts.js";

export interface Keyed extends Rows {
  teams: readonly TeamRow[];
}

export function storedRows({ roles, sessions }: Pick<Stores, keyof Rows>): Rows {
  return { roles: roles.read().rows, sessions: sessions.read().rows };
}

export function keyedRows({ roles, sessions, teams }: Pick<Stores, keyof Keyed>): Keyed {
  return { ...storedRows({ roles, sessions }), teams: teams.read().rows };
}

export interface MovePlan {
  events: HiveEvent[];
  warnings: string[];
  /** As the events leave them. */
  rows: Rows;
  /** The teams that were asked for, by the names they have now, without those whose moves are held. */
  teams: ReadonlySet<string>;
}

export function planMoves(seen: Seen & Pick<Panes, "server">, stored: Keyed, only?: TeamName): MovePlan {
  const { shifts } = seen;
  const plan: MovePlan = { events: [], warnings: [], rows: stored, teams: new Set() };
  const rekey = (moves: Moves) => {
    const { roles, sessions } = plan.rows;
    plan.rows = { roles: rekeyRows(roles, moves), sessions: rekeyRows(sessions, moves) };
  };
  const groups = groupsOf(shifts.moved).filter(({ teams }) => only === undefined || teams.has(only));
  const isHeld = ({ teams }: Group) => [...teams].some((team) => shifts.held.has(team));
  const asked = groups.filter((group) => !isHeld(group));
  plan.warnings.push(
    ...groups
      .filter(isHeld)
      .flatMap((group) => borrowings(group, shifts))
      .map((borrowing) => sayBorrowed(borrowing, seen.server)),
  );
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
    const own = [...teamsRenamed(moves, renamed)].filter(([from, to]) => from !== to);
    if (own.length === 0) continue;
    const left = new Map([...own, ...givingWay(new Map(own), seen, plan.rows)]);
    for (const pane of displaced(plan.rows, left))
      plan.events.push({ name: "agent.killed", pane, how: "unasked" });
    const team = addressParts(own[0]![0]).team;
    plan.events.push({ name: "panes.shifted", team, moves: [...left].map(([from, to]) => ({ from, to })) });
    rekey(left);
  }

  const teams = only === undefined ? stored.teams.map(({ team }) => team) : [only];
  plan.teams = new Set(teams.filter((team) => !shifts.held.has(team)).map(current));
  return plan;
}

/** Where rows go that wait at places which panes came to stand at. */
export function givingWay(moves: Moves, seen: Seen, rows: Rows): Moves {
  const isEarlier = earlierRows(seen, rows.sessions);
  const coming = displaced(rows, moves);
  const waiting = rows.roles.filter((row) => coming.has(row.pane) && isEarlier(row));
  const taken = new Set(moves.values());
  return new Map(
    waiting.map(({ pane: from }) => {
      const to = nextFree(from, seen, rows, taken);
      taken.add(to);
      return [from, to];
    }),
  );
}

/** The next place of its window at which neither a pane stands nor a row is. */
export function nextFree(
  from: PaneAddress,
  { panes }: Pick<Seen, "panes">,
  { roles, sessions }: Rows,
  taken: Iterable<PaneAddress>,
): PaneAddress {
  const places = panes.flatMap(({ address, alsoAt }) => [address, ...alsoAt]);
  const used = new Set<string>([...places, ...[...roles, ...sessions].map(({ pane }) => pane), ...taken]);
  const { team, window, pane } = addressParts(from);
  for (let next = pane + 1; ; next++) {
    const place = addressOf(team, window, next);
    if (!used.has(place)) return place;
  }
}

/** Nothing can be written by address for a team whose moves are held. */
export function refuseHeld({ shifts, server }: Pick<Panes, "shifts" | "server">, team: TeamName): void {
  if (!shifts.held.has(team)) return;
  const [borrowing] = groupsOf(shifts.moved)
    .filter(({ teams }) => teams.has(team))
    .flatMap((group) => borrowings(group, shifts));
  if (borrowing === undefined) return;
  throw new HiveError(whatBorrows(borrowing), { hint: waysOut(borrowing, server) });
}

/** Of the registered teams those in which rows may change. */
export function teamsConcerned(
  { panes, shifts }: Pick<Panes, "panes" | "shifts">,
  registered: readonly TeamName[],
): TeamName[] {
  const places = panes.flatMap(({ address, alsoAt }) => [address, ...alsoAt]);
  const concerned = new Set([...places, ...[...shifts.moved].flat()].map(tmuxSessionOf));
  return registered.filter((team) => concerned.has(team));
}

interface Borrowing {
  /** Whose panes they are. */
  from: TeamName[];
  name: TeamName;
}

function borrowings({ moves }: Group, { borrowed }: Panes["shifts"]): Borrowing[] {
  const pairs = [...moves].map((move) => move.map((address) => addressParts(address).team));
  const names = [...new Set(pairs.map(([, to]) => to!))].filter((name) => borrowed.has(name));
  return names.map((name) => {
    const comers = pairs.filter(([from, to]) => to === name && from !== name);
    return { name, from: [...new Set(comers.map(([from]) => from!))] };
  });
}

function sayBorrowed(borrowing: Borrowing, server: Panes["server"]): string {
  return `${whatBorrows(borrowing)}: nothing is written for them; ${waysOut(borrowing, server)}`;
}

function whatBorrows({ from, name }: Borrowing): string {
  return `panes of ${from.join(", ")} stand in a tmux session ${name}, which is the name of a team that does not run`;
}

function waysOut({ name }: Borrowing, server: Panes["server"]): string {
  const rename = typedTmux(server?.choice, "rename-session", "-t", `=${name}`, "NAME");
  return `${rename}, or forget that team: hivemind team remove ${name}`;
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
