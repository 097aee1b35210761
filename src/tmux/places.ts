// Which of several places of a pane is its address: tmux shows one pane in linked windows and grouped sessions. Pure.
//
// [PZ1] The place that the pane's own mark names, else one in the tmux session that it names: a pane that is shown
//       elsewhere too has not moved.
// [PZ2] Else the tmux session that marks beside it in its window name, else one that has had registered panes, there the
//       window that its mark says. Else the oldest tmux session (the lowest `$id`), at its lowest window.

import type { PaneAddress } from "../names/gates.js";

export interface Placed {
  id: string;
  address: PaneAddress;
  sessionId: string;
  sessionName: string;
  windowId: string;
  windowIndex: number;
  /** The raw text of the pane's mark, `<pane id>|<address>|…`, and of the tmux session's. */
  hivemind: string;
  team: string;
}

/** Each pane once; its other places stand in `alsoAt`. */
export function onceEach<Row extends Placed>(rows: readonly Row[]): (Row & { alsoAt: PaneAddress[] })[] {
  const places = new Map<string, Row[]>();
  for (const row of rows) places.set(row.id, [...(places.get(row.id) ?? []), row]);
  const isHome = homesOf(rows);
  const compare = (a: Row, b: Row) =>
    better(namesSession, a, b) ||
    better(isHome, a, b) ||
    better(isTeamMarked, a, b) ||
    better(namesWindow, a, b) ||
    ageOf(a) - ageOf(b) ||
    a.windowIndex - b.windowIndex;
  return [...places.values()].map((shown) => {
    const [first, ...others] = shown.sort(compare);
    return { ...first!, alsoAt: others.map(({ address }) => address) };
  });
}

function better<Row>(isIt: (row: Row) => boolean, a: Row, b: Row): number {
  return Number(isIt(b)) - Number(isIt(a));
}

function namesPlace({ id, address, hivemind }: Placed): boolean {
  return hivemind.startsWith(`${id}|${address}|`);
}

function namesSession({ id, sessionName, hivemind }: Placed): boolean {
  return hivemind.startsWith(`${id}|${sessionName}:`);
}

/** In whichever tmux session: one that was renamed has it where it was. */
function namesWindow({ id, windowIndex, hivemind }: Placed): boolean {
  const [own, address = ""] = hivemind.split("|");
  return own === id && address.slice(address.lastIndexOf(":")).startsWith(`:${windowIndex}.`);
}

function homesOf(rows: readonly Placed[]): (row: Placed) => boolean {
  const windowIn = ({ windowId, sessionId }: Placed) => `${windowId} ${sessionId}`;
  const homes = new Set(rows.filter(namesPlace).map(windowIn));
  return (row) => homes.has(windowIn(row));
}

function isTeamMarked({ sessionId, team }: Placed): boolean {
  return team.startsWith(`${sessionId}|`);
}

function ageOf({ sessionId }: Placed): number {
  return Number(sessionId.slice(1));
}
