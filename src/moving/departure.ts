// A team as it is when it leaves for another host: what is packed of it, and whether it goes as itself or as forks.

import { hostname } from "node:os";
import { basename, dirname } from "node:path";
import type { FolderMove } from "../agents/claude/moved-lines.js";
import { HiveError } from "../base/errors.js";
import { parseUtc } from "../base/utc.js";
import type { Holder } from "../fleet/holders.js";
import { keyedRows } from "../fleet/moves.js";
import type { Fleet } from "../fleet/observe.js";
import { isAgent } from "../fleet/role-of.js";
import { layoutOf } from "../layout/layout-of.js";
import { type Host, hostName, isField, type SessionId, type TeamName } from "../names/gates.js";
import { boxTranscript } from "../stores/box-text.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";
import { liveHolder } from "../teams/holder.js";
import { snapshotOf } from "../teams/save.js";
import { workFolderOf } from "../teams/session-folder.js";
import type { TeamWorld } from "../teams/world.js";
import type { Transcript } from "../transcripts/transcript.js";
import type { Landing } from "./arrival-plan.js";
import { mapped } from "./folder-map.js";
import { type Box, packBox } from "./pack.js";
import type { SavedAs, StoredChoice } from "./stored-teams.js";

export interface MigrateChoice {
  team: TeamName;
  maps: readonly FolderMove[];
  /** What was asked for; null leaves it to whether the original may still run. */
  isFork: boolean | null;
  /** The team is ended here. */
  isDown: boolean;
}

/** Ready to go. */
export interface Departure {
  box: Box;
  fleet: Fleet;
  /** Where its agents would work there. */
  folders: string[];
  /** Where its transcripts would lie there, as far as their records tell. */
  landings: Landing[];
  isRunning: boolean;
  isFork: boolean;
}

type LookWorld = Pick<TeamWorld, "env" | "stores" | "observe">;

/** Before anybody is asked: nothing is written. */
export async function packTeam(world: LookWorld, choice: MigrateChoice): Promise<Departure> {
  const fleet = await world.observe();
  const isRunning = isRunningIn(fleet, choice.team);
  const box = await packAsIn(world, choice, fleet);
  const holder = heldOutside(world, fleet, choice.team, box);
  const isFork = goesAsFork({ isRunning, holder }, choice);
  if (holder !== null && choice.isFork === null) box.problems.push(`forks go: ${heldBy(holder)}`);
  const places = box.rows.filter(isAgent).map(({ cwd }) => mapped(cwd, choice.maps));
  const folders = [...new Set(places)].filter((folder) => folder !== "").sort();
  return { box, fleet, folders, landings: landingsOf(fleet, box, choice.maps), isRunning, isFork };
}

/** The team as this look has it, under the name it was saved as; where it does not run, as it is stored. */
export function packAsIn(
  world: Pick<TeamWorld, "env" | "stores">,
  { team }: MigrateChoice,
  fleet: Fleet,
  savedPath?: string,
): Promise<Box> {
  const saved = savedPath === undefined ? {} : { saved: savedAs(world, savedPath) };
  const live = isRunningIn(fleet, team) ? { live: { ...asItIs(world, fleet, team), ...saved } } : {};
  return packBox(world, { teams: [team], host: ownHost(), ...live });
}

function savedAs({ stores }: Pick<TeamWorld, "stores">, path: string): SavedAs {
  return { name: basename(path), savedAtMs: parseUtc(stores.snapshots.read(path).savedAt) ?? Date.now() };
}

/** Nobody came, went, or turned to another conversation or folder since; shells may do what they like. */
export function isStill(world: LookWorld, fleet: Fleet, { team }: MigrateChoice, left: Departure): boolean {
  if (isRunningIn(fleet, team) !== left.isRunning) return false;
  if (heldOutside(world, fleet, team, left.box) !== null) return false;
  if (!left.isRunning) return true;
  return agentsIn(asItIs(world, fleet, team).rows) === agentsIn(left.box.rows);
}

/** A conversation that may be open here would be open on both hosts if it went as itself. */
export function goesAsFork(
  { isRunning, holder }: { isRunning: boolean; holder: Holder | null },
  { isFork, isDown, team }: MigrateChoice,
): boolean {
  if (isFork === true) return true;
  if (holder !== null && (isDown || isFork === false)) {
    throw new HiveError(`${heldBy(holder)}: as itself it would be open on both hosts`, {
      hint: "end it there first, or let forks go: --fork",
    });
  }
  if (isFork === false && isRunning && !isDown) {
    throw new HiveError(`${team} runs here: as itself it would be open on both hosts`, {
      hint: "end it here with --down, or let forks of it go: without --same",
    });
  }
  return holder !== null || (isFork ?? (isRunning && !isDown));
}

/** A name for this host that another can use for a folder and a team. */
export function ownHost(name = hostname()): Host {
  const plain = name.replaceAll(/[^A-Za-z0-9.-]/g, "-").replace(/^[.-]+/, "");
  return hostName(plain.slice(0, 64) || "host");
}

function isRunningIn({ panes }: Fleet, team: TeamName): boolean {
  return panes.some(({ sessionName }) => sessionName === team);
}

function asItIs(
  { stores }: Pick<TeamWorld, "stores">,
  fleet: Fleet,
  team: TeamName,
): NonNullable<StoredChoice["live"]> {
  return { ...snapshotOf(fleet, keyedRows(stores), { teams: [team] }), layout: layoutOf(fleet.panes, team)! };
}

function agentsIn(rows: readonly SnapshotRow[]): string {
  return JSON.stringify(
    rows
      .filter(isAgent)
      .map(({ window, pane, role, uuid, cwd, kind }) => [window, pane, role, uuid, cwd, kind]),
  );
}

/** Who else than the team itself has one of its conversations open. */
function heldOutside(
  world: Pick<TeamWorld, "env" | "stores">,
  fleet: Fleet,
  team: TeamName,
  { sessions }: Box,
): Holder | null {
  const own = fleet.panes.filter(({ sessionName }) => sessionName === team);
  for (const session of sessions) {
    const pane = own.find(({ id }) => fleet.sessions.get(id)?.uuid === session);
    const holder = liveHolder(session, fleet, world, pane?.process?.pid ?? null);
    if (holder !== null && !own.some(({ process }) => process?.pid === holder.pid)) return holder;
  }
  return null;
}

function heldBy({ session, pane, pid }: Holder): string {
  return `session ${session} is open in ${pane ?? "another place than this tmux"}, process ${pid}`;
}

/** Of each session that is opened there, or of the one it is forked from again. */
function landingsOf(
  { index }: Fleet,
  { page, rows, sessions, parents }: Box,
  maps: readonly FolderMove[],
): Landing[] {
  const sizes = new Map(page.files.map(({ path, sizeBytes }) => [path, sizeBytes]));
  const cwds = new Map(rows.map(({ uuid, cwd }) => [uuid, cwd]));
  const sizeOf = ({ id, path }: Transcript) => sizes.get(boxTranscript(basename(dirname(path)), id));
  const inBox = (id: SessionId | undefined) =>
    index.byId.get(id!)?.find((found) => sizeOf(found) !== undefined);
  return [...sessions].flatMap((session) => {
    const found = inBox(session) ?? inBox(parents.get(session));
    const from = found === undefined ? "" : (workFolderOf(found) ?? cwds.get(session) ?? "");
    const to = mapped(from, maps);
    if (found === undefined || !from.startsWith("/") || !isField(from + to)) return [];
    return { id: found.id, sizeBytes: sizeOf(found)!, from, to };
  });
}
