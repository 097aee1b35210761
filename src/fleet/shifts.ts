// What moved since the stores were last right, told by the marks that panes carry.
//
// [SH1] A pane that stands elsewhere than its mark says has shifted from there; nothing else is ever re-keyed.
// [SH2] A team whose marked panes all stand in one other tmux session, while no tmux session has its name, was renamed.
//       So was one that lost panes to teams that marks know, while the one other tmux session they stand in has a pane
//       of it at its old window and number. Of two that could have got one name, it is the one with such a pane.
// [SH3] Of two panes that claim one old address, neither is believed.
// [SH4] A registered team with rows that neither a pane's mark nor a tmux session's names does not run. Panes of another
//       team that the stores know, whose tmux session got that name, or that came into one of that name, only borrow
//       it. All moves that hang together with theirs are held until a person gives the name back.

import { addressParts, isTeamName, type PaneAddress, type TeamName } from "../names/gates.js";
import type { Places } from "../stores/queue-homes.js";
import { rekeyRows } from "../stores/rekey.js";
import { formatTeamMark, type Mark } from "./mark.js";

export interface MarkedPane {
  address: string;
  alsoAt: readonly string[];
  sessionName: string;
  sessionId: `$${number}`;
  /** The option of its tmux session. */
  team: string;
  mark: Mark | null;
}

/** What the stores have rows of. */
export interface StoredKeys {
  teams: readonly { team: TeamName }[];
  roles: readonly { pane: PaneAddress }[];
  sessions: readonly { pane: PaneAddress }[];
}

export interface Shifts {
  /** Old address → where that pane stands now. Applied at once: a swap is two entries. */
  moved: ReadonlyMap<PaneAddress, PaneAddress>;
  renamedTeams: readonly { from: TeamName; to: TeamName }[];
  /** Teams that do not run, while panes of others stand under their names. */
  borrowed: ReadonlySet<TeamName>;
  /** Those, and all teams whose moves wait with them. */
  held: ReadonlySet<TeamName>;
}

/** The stores are only asked where a pane came into another team. */
export function findShifts(
  panes: readonly MarkedPane[],
  stored: () => StoredKeys = () => ({ teams: [], roles: [], sessions: [] }),
): Shifts {
  const claims = new Map<PaneAddress, PaneAddress | null>();
  for (const { address, sessionName, mark } of panes) {
    // A pane in a tmux session whose name no row can hold keeps its old key until it comes back.
    if (mark === null || !isTeamName(sessionName)) continue;
    claims.set(mark.address, claims.has(mark.address) ? null : (address as PaneAddress));
  }
  const moved = new Map<PaneAddress, PaneAddress>();
  for (const [from, to] of claims) if (to !== null && to !== from) moved.set(from, to);
  const running = new Set(
    panes.flatMap(({ sessionName, alsoAt }) => [sessionName, ...alsoAt.map(tmuxSessionOf)]),
  );
  const borrowed = borrowedNames(panes, moved, stored);
  const held = heldTeams(moved, borrowed);
  const renamed = renamedTeams(panes, moved, running).filter(({ from }) => !held.has(from));
  return { moved, renamedTeams: renamed, borrowed, held };
}

/** Rows where their panes are now; those of a name that is borrowed are of none that stands there. */
export function rowsNow<Row extends { pane: PaneAddress }>(
  rows: readonly Row[],
  { moved, borrowed }: Pick<Shifts, "moved" | "borrowed">,
): readonly Row[] {
  const isOwn = ({ pane }: Row) => !borrowed.has(addressParts(pane).team);
  return rekeyRows(borrowed.size === 0 ? rows : rows.filter(isOwn), moved);
}

/** Those that are not held. */
export function movesFollowed({ moved, held }: Pick<Shifts, "moved" | "held">): Shifts["moved"] {
  return new Map([...moved].filter(([from]) => !held.has(addressParts(from).team)));
}

/** Where messages find their panes: those whose moves are held have not moved, and nobody stands in borrowed names. */
export function homesIn({ server, panes, shifts }: Places & { shifts: Shifts }): Places {
  const { moved, borrowed, held } = shifts;
  const isHeld = (address: PaneAddress) => moved.has(address) && held.has(addressParts(address).team);
  const settled = panes.flatMap((pane) => {
    if (pane.mark !== null && isHeld(pane.mark.address)) return [{ ...pane, address: pane.mark.address }];
    return borrowed.has(tmuxSessionOf(pane.address) as TeamName) ? [] : [pane];
  });
  return { server, panes: settled };
}

/** Also of an address whose tmux session has a name that no row can hold. */
export function tmuxSessionOf(address: string): string {
  return address.slice(0, address.lastIndexOf(":"));
}

function borrowedNames(
  panes: readonly MarkedPane[],
  moved: Shifts["moved"],
  stored: () => StoredKeys,
): Set<TeamName> {
  const named = new Set(panes.flatMap(teamsMarked));
  const comers = [...moved]
    .map(([from, to]) => ({ from: addressParts(from).team, to: addressParts(to).team }))
    .filter(({ from, to }) => from !== to && !named.has(to));
  if (comers.length === 0) return new Set();
  const { teams, roles, sessions } = stored();
  const registered = new Set(teams.map(({ team }) => team));
  const kept = new Set([...roles, ...sessions].map(({ pane }) => addressParts(pane).team));
  // A team that no store knows any more got its new name already: only its marks are left to follow.
  const isKnown = (team: TeamName) => registered.has(team) || kept.has(team);
  const isBorrowed = ({ from, to }: { from: TeamName; to: TeamName }) =>
    registered.has(to) && kept.has(to) && isKnown(from);
  return new Set(comers.filter(isBorrowed).map(({ to }) => to));
}

/** Whose a pane is, and its tmux session while it has the name under which it was registered. */
function teamsMarked({ mark, sessionId, sessionName, team }: MarkedPane): string[] {
  const isOwn = team === formatTeamMark(sessionId, sessionName as TeamName);
  return [...(mark === null ? [] : [addressParts(mark.address).team]), ...(isOwn ? [sessionName] : [])];
}

/** Moves hang together by the teams that they touch. */
function heldTeams(moved: Shifts["moved"], borrowed: ReadonlySet<TeamName>): Set<TeamName> {
  const held = new Set(borrowed);
  const pairs = [...moved].map((move) => move.map((address) => addressParts(address).team));
  for (let before = -1; before !== held.size; ) {
    before = held.size;
    for (const pair of pairs)
      if (pair.some((team) => held.has(team))) for (const team of pair) held.add(team);
  }
  return held;
}

function renamedTeams(
  panes: readonly MarkedPane[],
  moved: ReadonlyMap<PaneAddress, PaneAddress>,
  running: ReadonlySet<string>,
): Shifts["renamedTeams"] {
  const known = new Set(
    panes.flatMap(({ mark }) => (mark === null ? [] : [addressParts(mark.address).team])),
  );
  const gone = new Set([...moved.keys()].map((from) => addressParts(from).team));
  const likely = [...gone]
    .filter((from) => !running.has(from))
    .flatMap((from) => {
      const moves = [...moved].filter(([address]) => addressParts(address).team === from);
      const all = new Set(moves.map(([, to]) => addressParts(to).team));
      const [to, ...others] = all.size === 1 ? all : [...all].filter((team) => !known.has(team));
      if (to === undefined || others.length > 0) return [];
      const hasKept = moves.some((move) => isSamePlace(move) && addressParts(move[1]).team === to);
      return all.size === 1 || hasKept ? [{ from, to, hasKept }] : [];
    });
  return likely.flatMap(({ from, to, hasKept }) => {
    const rivals = likely.filter((other) => other.to === to && other.from !== from);
    const isOnly = rivals.length === 0 || (hasKept && !rivals.some((other) => other.hasKept));
    return isOnly ? [{ from, to }] : [];
  });
}

/** In another tmux session, and there where it was before. */
function isSamePlace([from, to]: readonly [PaneAddress, PaneAddress]): boolean {
  const [before, after] = [addressParts(from), addressParts(to)];
  return before.window === after.window && before.pane === after.pane;
}
