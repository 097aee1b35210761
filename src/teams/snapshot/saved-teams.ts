// Chooses the saved teams of a restore: those of one snapshot, or each team from the newest snapshot that has it.
//
// - A snapshot file that is given and missing is an error; no other is used in its place.
// - A team name matches exactly, or the error lists the teams that exist.
// - A file of a newer version is refused before anything is done, also if it is the newest and was not given by
//   name.
// - If a saved pane has no kind, the newest snapshot with its session decides, also of another team, else the
//   layout. If neither has it, a pane with a session becomes claude and a pane without one a shell; the output says
//   so.

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import type { RosterNow } from "../../fleet/roster/roster.js";
import { addressOf, addressParts, type Role, type TeamName } from "../../names/gates.js";
import { kinds } from "../../names/kind.js";
import { StoreError } from "../../stores/file/error.js";
import type { Stores } from "../../stores/stores.js";
import type { Layout } from "../../stores/text/layout-text.js";
import type { AgentRow } from "../../stores/text/roster-rows.js";
import {
  type SnapshotRead,
  type SnapshotRow,
  type StoredRow,
  withLikelyKind,
} from "../../stores/text/snapshot-text.js";
import type { Index } from "../../transcripts/index.js";
import { newestOfEach, newestWith, readSnapshots } from "./newest.js";
import { savedKinds } from "./saved-kinds.js";
import { type SavedTeam, savedAddress } from "./saved-team.js";

export interface Wanted {
  /** A path, or the name of a stored snapshot. */
  file?: string;
  team?: TeamName;
}

/** Where agents and their conversations are looked up. */
export interface Known {
  index: Index;
  roster: Pick<RosterNow, "agents">;
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

/** Null if no snapshot has it. */
export function newestSaved(stores: Stores, team: TeamName, say: (line: string) => void): SavedTeam | null {
  const snapshot = newestWith(team, readable(stores, say));
  return snapshot === null ? null : savedTeam(stores, team, snapshot, say);
}

/** Builds the team from the roster alone, if it was never saved under this name. */
export function registeredTeam(
  stores: Stores,
  team: TeamName,
  { index, roster }: Known,
  say: (line: string) => void,
): SavedTeam | null {
  const own = roster.agents.filter((agent) => agent.team === team && agent.role !== null);
  if (own.length === 0) return null;
  const layout = stores.layouts.read(team);
  const kindOf = kindsKnown(stores, layout);
  const folders = new Map(stores.launches.read().rows.map(({ agent, cwd }) => [agent, cwd]));
  const guessed: Role[] = [];
  const rows = placedIn(own).map(({ agent, window, pane }): SnapshotRow => {
    const { id, role, session: uuid } = agent;
    const facts = uuid === null ? undefined : index.byId.get(uuid)?.[0]?.facts;
    const cwd = facts?.lastCwd ?? facts?.firstCwd ?? folders.get(id) ?? "";
    const told = kinds.find((known) => known === agent.kind) ?? kindOf(window, pane, uuid);
    if (told === null && uuid !== null) guessed.push(role!);
    const kind = told ?? (uuid === null ? "shell" : "claude");
    return { agent: id, team, window, pane, role, uuid, title: role!, cwd, model: "", kind };
  });
  if (guessed.length > 0)
    say(
      `${team}: no snapshot or layout has the kind of these agents, so they start as claude: ${guessed.join(", ")}`,
    );
  return { team, source: "the roster", rows, badRows: 0, silent: new Set(), layout };
}

/** Two agents may have the same last address: the later one keeps it, the other gets the next one. */
function placedIn(agents: readonly AgentRow[]): { agent: AgentRow; window: number; pane: number }[] {
  const taken = new Set<string>();
  return agents
    .toSorted((a, b) => b.epoch - a.epoch)
    .map((agent) => {
      const { window, pane: first } = addressParts(agent.address ?? addressOf(agent.team, 0, 0));
      let pane = first;
      while (taken.has(`${window}.${pane}`)) pane += 1;
      taken.add(`${window}.${pane}`);
      return { agent, window, pane };
    });
}

function pathOf(stores: Stores, file: string): string {
  const typed = resolve(file);
  const stored = join(stores.snapshots.folder, file);
  const found = [typed, ...(file.includes("/") ? [] : [stored])].find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw new HiveError(`there is no such snapshot: ${harmless(typed)}`, {
    hint: "list them: hivemind snapshots",
  });
}

/** Newest first; skipped files are reported. */
function readable(stores: Stores, say: (line: string) => void): Iterable<SnapshotRead> {
  const [newest] = stores.snapshots.list();
  return readSnapshots(stores.snapshots, (error, path) => {
    if (error instanceof StoreError && error.reason === "newer" && path === newest?.path) {
      throw new HiveError(error.message, { hint: "choose one: hivemind restore FILE" });
    }
    say(`skipped ${path}: ${harmless(error.message)}`);
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

/** For a snapshot from before the `kind` field. */
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
    if (names.length > 0) say(`${rows[0]!.team}: the snapshot does not have ${words}: ${names.join(", ")}`);
  }
  return settled.map(({ row }) => row);
}

const likely = [
  ["claude", "the kind of these agents, so they start as claude"],
  ["shell", "the program of these panes, so they get a shell"],
] as const;

function nothingSaved(
  file: string | undefined,
  team: TeamName | undefined,
  there: readonly TeamName[],
): HiveError {
  const where = file === undefined ? "no snapshot" : `${harmless(file)} has no team`;
  const what = team === undefined ? "" : file === undefined ? ` has a team "${team}"` : ` "${team}"`;
  const nothing = file === undefined ? "save first: hivemind save" : "see others: hivemind snapshots";
  const hint = there.length > 0 ? `there are: ${[...there].sort().join(", ")}` : nothing;
  return new HiveError(
    team === undefined && file === undefined ? "no snapshot exists yet" : `${where}${what}`,
    { hint },
  );
}
