// Which saved teams a restore is about: of one snapshot, or of each team the newest that has it.
//
// [SF1] A snapshot that was named and is missing is an error: no other is ever taken in its place.
// [SF2] A team is named exactly, or refused with those that are there.
// [SF3] A newer version is refused before anything is done, also when nobody named the file and it is the newest.
// [SF4] Where nothing saved of a pane tells its kind, the newest snapshot that has its session does, also under another
//       team's name, else the layout. Where none does, a session is claude's and a pane without one gets a shell; that is
//       said.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { addressParts, type PaneAddress, type Role, type TeamName } from "../names/gates.js";
import { StoreError } from "../stores/error.js";
import type { Layout } from "../stores/layout-text.js";
import {
  type SnapshotRead,
  type SnapshotRow,
  type StoredRow,
  withLikelyKind,
} from "../stores/snapshot-text.js";
import type { Stores } from "../stores/stores.js";
import type { Index } from "../transcripts/index.js";
import { newestOfEach, newestWith, readSnapshots } from "./newest.js";
import { savedKinds } from "./saved-kinds.js";
import { type SavedTeam, savedAddress } from "./saved-team.js";

export interface Wanted {
  /** A path, or the name of a stored one. */
  file?: string;
  team?: TeamName;
}

export function savedTeams(stores: Stores, { file, team }: Wanted, say: (line: string) => void): SavedTeam[] {
  const found = newestOfEach(
    file === undefined ? readable(stores, say) : [stores.snapshots.read(pathOf(stores, file))],
  );
  const registered = new Set(stores.teams.read().rows.map((row) => row.team));
  const [newest] = found.values();
  const isMeant = (each: TeamName, snapshot: SnapshotRead) =>
    team === undefined ? file !== undefined || registered.has(each) || snapshot === newest : each === team;
  const chosen = [...found].filter(([each, snapshot]) => isMeant(each, snapshot));
  if (chosen.length === 0) throw nothingSaved(file, team, [...found.keys()]);
  return chosen.map(([each, snapshot]) => savedTeam(stores, each, snapshot, say));
}

/** Null when no snapshot has it. */
export function newestSaved(stores: Stores, team: TeamName, say: (line: string) => void): SavedTeam | null {
  const snapshot = newestWith(team, readable(stores, say));
  return snapshot === null ? null : savedTeam(stores, team, snapshot, say);
}

/** From roles and sessions alone: what there is of a team that was never saved under this name. */
export function registeredTeam(
  stores: Stores,
  team: TeamName,
  index: Index,
  say: (line: string) => void,
): SavedTeam | null {
  const isOwn = ({ pane }: { pane: PaneAddress }) => addressParts(pane).team === team;
  const roles = stores.roles.read().rows.filter(isOwn);
  const sessions = new Map(stores.sessions.read().rows.map(({ pane, uuid }) => [pane, uuid]));
  if (roles.length === 0) return null;
  const layout = stores.layouts.read(team);
  const kindOf = kindsKnown(stores, layout);
  const guessed: Role[] = [];
  const rows = roles.map(({ pane, role }): SnapshotRow => {
    const uuid = sessions.get(pane) ?? null;
    const facts = uuid === null ? undefined : index.byId.get(uuid)?.[0]?.facts;
    const cwd = facts?.lastCwd ?? facts?.firstCwd ?? "";
    const { window, pane: at } = addressParts(pane);
    const kind = kindOf(window, at, uuid);
    if (kind === null && uuid !== null) guessed.push(role);
    return { team, window, pane: at, role, uuid, title: role, cwd, model: "", kind: kind ?? "claude" };
  });
  if (guessed.length > 0)
    say(
      `${team}: no snapshot or layout tells which agents these were, so they are claude: ${guessed.join(", ")}`,
    );
  return { team, source: "roles and sessions", rows, badRows: 0, silent: new Set(), layout };
}

function pathOf(stores: Stores, file: string): string {
  const typed = resolve(file);
  const stored = join(stores.snapshots.folder, file);
  const found = [typed, ...(file.includes("/") ? [] : [stored])].find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new HiveError(`there is no such snapshot: ${harmless(typed)}`, {
    hint: "see those that are there: hivemind teams list",
  });
}

/** Newest first; what is passed over is said. */
function readable(stores: Stores, say: (line: string) => void): Iterable<SnapshotRead> {
  const [newest] = stores.snapshots.list();
  return readSnapshots(stores.snapshots, (error, path) => {
    if (error instanceof StoreError && error.reason === "newer" && path === newest?.path) {
      throw new HiveError(error.message, { hint: "name the one you mean: hivemind teams restore FILE" });
    }
    say(`passed over ${path}: ${harmless(error.message)}`);
  });
}

function savedTeam(
  stores: Stores,
  team: TeamName,
  { path, rows, silent, problems }: SnapshotRead,
  say: (line: string) => void,
): SavedTeam {
  const layout = stores.layouts.read(team);
  const own = rows.filter((row) => row.team === team);
  return {
    team,
    source: path.slice(path.lastIndexOf("/") + 1),
    rows: own.every(hasKind) ? own : settledKinds(own, kindsKnown(stores, layout), say),
    badRows: problems.length,
    silent,
    layout,
  };
}

function hasKind(row: StoredRow): row is SnapshotRow {
  return row.kind !== null;
}

type KindOf = ReturnType<typeof savedKinds>;

function kindsKnown({ snapshots }: Stores, layout: Layout | null): KindOf {
  return savedKinds(
    readSnapshots(snapshots, () => {}),
    layout,
  );
}

/** Of a snapshot that is older than the field. */
function settledKinds(
  rows: readonly StoredRow[],
  kindOf: KindOf,
  say: (line: string) => void,
): SnapshotRow[] {
  const settled = rows.map((row) => {
    const kind = row.kind ?? kindOf(row.window, row.pane, row.uuid);
    return { row: withLikelyKind({ ...row, kind }), isGuessed: kind === null };
  });
  for (const [kind, words] of likely) {
    const guessed = settled.filter(({ row, isGuessed }) => isGuessed && row.kind === kind);
    const names = guessed.map(({ row }) => row.role ?? savedAddress(row));
    if (names.length > 0) say(`${rows[0]!.team}: the snapshot does not tell ${words}: ${names.join(", ")}`);
  }
  return settled.map(({ row }) => row);
}

const likely = [
  ["claude", "which agents these were, so they are claude"],
  ["shell", "what ran in these panes, so they get a shell"],
] as const;

function nothingSaved(
  file: string | undefined,
  team: TeamName | undefined,
  there: readonly TeamName[],
): HiveError {
  const where = file === undefined ? "no snapshot" : `${harmless(file)} has no team`;
  const what = team === undefined ? "" : file === undefined ? ` has a team "${team}"` : ` "${team}"`;
  const nothing = file === undefined ? "save first: hivemind teams save" : "see others: hivemind teams list";
  const hint = there.length > 0 ? `there are: ${[...there].sort().join(", ")}` : nothing;
  return new HiveError(
    team === undefined && file === undefined ? "nothing was saved yet" : `${where}${what}`,
    { hint },
  );
}
