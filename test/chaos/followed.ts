// Where rows belong once panes that moved are followed, by the marks that tmux has for them.

import type { Seen } from "./stage.js";

export interface Shifted {
  /** Old address → where that pane stands. */
  moved: ReadonlyMap<string, string>;
  /** Old name → new name, of teams whose panes all stand elsewhere now. */
  renamed: ReadonlyMap<string, string>;
}

export interface Mark {
  address: string;
  role: string;
}

export function markOf({ id, mark }: Seen): Mark | null {
  const [own, address, role] = mark.split("|");
  return own === id && address && role ? { address, role } : null;
}

export function isTeamName(name: string): boolean {
  return /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/.test(name);
}

export function teamOf(address: string): string {
  return address.slice(0, address.lastIndexOf(":"));
}

function placeIn(address: string): string {
  return address.slice(address.lastIndexOf(":"));
}

/** A row is believed to be of one pane only: an address that two panes claim is followed by neither. */
export function shiftedIn(
  panes: readonly Seen[],
  registered: ReadonlySet<string>,
  /** Teams that rows name. */
  rowed: ReadonlySet<string>,
): Shifted {
  const claims = new Map<string, string[]>();
  for (const pane of panes) {
    const mark = markOf(pane);
    if (mark === null || !isTeamName(pane.sessionName)) continue;
    claims.set(mark.address, [...(claims.get(mark.address) ?? []), pane.address]);
  }
  const single = [...claims].filter(([from, to]) => to.length === 1 && to[0] !== from);
  const moved = new Map(single.map(([from, to]) => [from, to[0]!]));

  const running = new Set(panes.map(({ sessionName }) => sessionName));
  const gone = [...new Set([...moved.keys()].map(teamOf))].filter((team) => !running.has(team));
  const known = new Set([...claims.keys()].map(teamOf));
  const likely = gone.flatMap((team) => {
    const own = [...moved].filter(([from]) => teamOf(from) === team);
    const all = new Set(own.map(([, to]) => teamOf(to)));
    const [to, ...others] = all.size === 1 ? all : [...all].filter((name) => !known.has(name));
    const isKept = own.some(([from, at]) => teamOf(at) === to && placeIn(from) === placeIn(at));
    const isLikely = to !== undefined && others.length === 0 && (all.size === 1 || isKept);
    return isLikely ? [{ team, to, isKept }] : [];
  });
  const renamed = likely
    .filter(({ team, to, isKept }) => {
      const rivals = likely.filter((other) => other.to === to && other.team !== team);
      return rivals.length === 0 || (isKept && !rivals.some((other) => other.isKept));
    })
    .map(({ team, to }): [string, string] => [team, to]);
  // What only marks know by its old name was renamed by somebody who was killed.
  const isKnown = (team: string) => registered.has(team) || rowed.has(team);
  return { moved, renamed: new Map(renamed.filter(([from, to]) => !registered.has(to) || !isKnown(from))) };
}

/** Rows by address, where they belong. What stood where another pane came to stand is not there any more. */
export function followed<Value>(
  rows: ReadonlyMap<string, Value>,
  { moved, renamed }: Shifted,
): Map<string, Value> {
  const named = rekeyed(rows, new Map([...rows.keys()].flatMap((address) => renamedMove(address, renamed))));
  const left = [...moved].map(([from, to]): [string, string] => [
    renamedMove(from, renamed)[0]?.[1] ?? from,
    to,
  ]);
  return rekeyed(named, new Map(left.filter(([from, to]) => from !== to)));
}

function renamedMove(address: string, renamed: Shifted["renamed"]): [string, string][] {
  const to = renamed.get(teamOf(address));
  return to === undefined ? [] : [[address, `${to}${placeIn(address)}`]];
}

function rekeyed<Value>(
  rows: ReadonlyMap<string, Value>,
  moves: ReadonlyMap<string, string>,
): Map<string, Value> {
  const targets = new Set(moves.values());
  return new Map(
    [...rows].flatMap(([address, value]): [string, Value][] => {
      const to = moves.get(address);
      if (to !== undefined) return [[to, value]];
      return targets.has(address) ? [] : [[address, value]];
    }),
  );
}
