// Rows of a team that comes back from a snapshot: they were written after it, or before panes moved, and must find
// their agents among the panes that were built. Pure.
//
// [FOS1] A row goes where its session stands in the snapshot, or runs without being in it, else where its role does; its
//        messages go along. A session that two rows name, or that stands twice in the snapshot, tells no place.
// [FOS2] A row of whom the snapshot does not know gives its place up: whoever stands there by now is somebody else.
// [FOS3] What waits at a place without a row keeps that place, by its new index where tmux counts otherwise. What an
//        agent has that runs or ended there was given to it where it stands.

import { addressOf, type PaneAddress, type Role, type SessionId } from "../names/gates.js";
import type { RoleRow } from "../stores/roles.js";
import type { SessionRow } from "../stores/sessions.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";

export interface BuiltPlace {
  window: number;
  pane: number;
  /** Where it stands now. */
  address: PaneAddress;
  /** No agent runs or has ended in it. */
  isVacant: boolean;
}

export interface RunningSession {
  uuid: SessionId;
  address: PaneAddress;
}

export interface RowMoves {
  gone: PaneAddress[];
  moves: { from: PaneAddress; to: PaneAddress }[];
}

/** `roles` and `sessions` are the rows of that team, `running` what runs in its panes. */
export function followSaved(
  saved: readonly SnapshotRow[],
  built: readonly BuiltPlace[],
  { roles, sessions }: { roles: readonly RoleRow[]; sessions: readonly SessionRow[] },
  running: readonly RunningSession[] = [],
): RowMoves {
  const addressAt = new Map(built.map(({ window, pane, address }) => [`${window}.${pane}`, address]));
  const placeOf = ({ window, pane }: SnapshotRow) => addressAt.get(`${window}.${pane}`) ?? null;
  const isSaved = ({ uuid }: RunningSession) => saved.some((row) => row.uuid === uuid);
  const others = running.filter((each) => !isSaved(each));
  const bySession = onlyOnes([
    ...saved.map((row) => [row.uuid, placeOf(row)] as const),
    ...others.map(({ uuid, address }) => [uuid, address] as const),
  ]);
  const byRole = onlyOnes(saved.map((row) => [row.role, placeOf(row)]));

  const roleAt = new Map<PaneAddress, Role>(roles.map(({ pane, role }) => [pane, role]));
  const sessionAt = new Map<PaneAddress, SessionId>(sessions.map(({ pane, uuid }) => [pane, uuid]));
  const ownSessions = onlyOnes([...sessionAt].map(([pane, uuid]) => [uuid, pane]));
  const registered = new Set([...roleAt.keys(), ...sessionAt.keys()]);
  const taken = new Set<PaneAddress>();
  const gone: PaneAddress[] = [];
  const moves = new Map<PaneAddress, PaneAddress>();
  for (const from of registered) {
    const session = sessionAt.get(from);
    const seen = ownSessions.has(session) ? bySession.get(session) : undefined;
    const to = seen ?? byRole.get(roleAt.get(from)) ?? null;
    if (to === null || taken.has(to)) {
      gone.push(from);
      continue;
    }
    taken.add(to);
    moves.set(from, to);
  }
  for (const { from, to } of counted(saved, built)) {
    if (!registered.has(from) && !taken.has(to)) moves.set(from, to);
  }
  return {
    gone,
    moves: [...moves].map(([from, to]) => ({ from, to })).filter(({ from, to }) => from !== to),
  };
}

function counted(saved: readonly SnapshotRow[], built: readonly BuiltPlace[]) {
  const team = saved[0]?.team;
  return team === undefined
    ? []
    : built
        .filter(({ isVacant }) => isVacant)
        .map(({ window, pane, address }) => ({ from: addressOf(team, window, pane), to: address }));
}

/** What stands twice tells no place. */
function onlyOnes<Key>(
  entries: readonly (readonly [Key | null, PaneAddress | null])[],
): Map<Key | undefined, PaneAddress> {
  const found = new Map<Key | undefined, PaneAddress>();
  const keys = entries.map(([key]) => key);
  for (const [key, place] of entries) {
    const isOnly = keys.indexOf(key) === keys.lastIndexOf(key);
    if (key !== null && place !== null && isOnly) found.set(key, place);
  }
  return found;
}
