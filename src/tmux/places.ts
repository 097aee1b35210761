// Chooses the address of a pane that tmux shows in several places, by linked windows or grouped sessions. Pure.
//
// It is the place in the team that the pane's own option names, else in a tmux session that carries a team, else in
// the oldest tmux session (the lowest `$id`). If there are several, the lowest window.

import { groupBy } from "../base/group-by.js";
import type { PaneAddress } from "../names/gates.js";

export interface Placed {
  id: string;
  address: PaneAddress;
  sessionId: string;
  sessionName: string;
  windowIndex: number;
  /** The raw text of the pane's option, `<pane id>|<address>|…`, and of the tmux session's. */
  hivemind: string;
  team: string;
}

/** Each pane once; its other addresses are in `alsoAt`. */
export function onceEach<Row extends Placed>(rows: readonly Row[]): (Row & { alsoAt: PaneAddress[] })[] {
  return [...groupBy(rows, ({ id }) => id).values()].map((shown) => {
    const [first, ...others] = shown.sort(compare);
    return { ...first!, alsoAt: others.map(({ address }) => address) };
  });
}

function compare(a: Placed, b: Placed): number {
  return (
    better(isOwnTeam, a, b) ||
    better(carriesTeam, a, b) ||
    ageOf(a) - ageOf(b) ||
    a.windowIndex - b.windowIndex
  );
}

function better(isIt: (row: Placed) => boolean, a: Placed, b: Placed): number {
  return Number(isIt(b)) - Number(isIt(a));
}

/** By the name of the tmux session, or by the team it carries if it was renamed. */
function isOwnTeam({ id, sessionId, sessionName, hivemind, team }: Placed): boolean {
  const carried = team.startsWith(`${sessionId}|`) ? team.slice(sessionId.length + 1) : sessionName;
  return [sessionName, carried].some((name) => hivemind.startsWith(`${id}|${name}:`));
}

function carriesTeam({ sessionId, team }: Placed): boolean {
  return team.startsWith(`${sessionId}|`);
}

function ageOf({ sessionId }: Placed): number {
  return Number(sessionId.slice(1));
}
