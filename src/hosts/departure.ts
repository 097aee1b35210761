// A team as it leaves for another host: what is packed, and whether it moves as itself or as forks.

import { hostname } from "node:os";
import { basename, dirname } from "node:path";
import type { FolderMove } from "../agents/claude/transcript/moved-lines.js";
import { HiveError } from "../base/errors.js";
import { parseUtc } from "../base/text/utc.js";
import type { Holder } from "../fleet/identity/holders.js";
import type { Fleet } from "../fleet/observe.js";
import { isAgent } from "../fleet/roster/role-of.js";
import { layoutOf } from "../layout/layout-of.js";
import { type Host, hostName, isField, type SessionId, type TeamName } from "../names/gates.js";
import { boxTranscript } from "../stores/text/bundle.js";
import type { SnapshotRow } from "../stores/text/snapshot-text.js";
import { snapshotOf } from "../teams/snapshot/save.js";
import { liveHolder } from "../teams/start/holder.js";
import { workFolderOf } from "../teams/start/session-folder.js";
import type { TeamWorld } from "../teams/world.js";
import type { Transcript } from "../transcripts/transcript.js";
import type { Landing } from "./arrival/arrival-plan.js";
import { mapped } from "./folder-map.js";
import { type Bundle, packBundle } from "./pack.js";

export interface MigrateChoice {
  team: TeamName;
  maps: readonly FolderMove[];
  /** As requested; null decides by whether the original may still run. */
  isFork: boolean | null;
  /** Ends the team here. */
  isDown: boolean;
  /** The name of this host there (default: the machine's). */
  from?: Host;
}

/** A team that is ready to leave. */
export interface Departure {
  box: Bundle;
  fleet: Fleet;
  /** The folders of its agents there. */
  folders: string[];
  /** Where its transcripts would lie there, as far as their records show. */
  landings: Landing[];
  isRunning: boolean;
  isFork: boolean;
}

type LookWorld = Pick<TeamWorld, "env" | "stores" | "observe">;

/** Runs before the other host is asked; writes nothing. */
export async function packTeam(world: LookWorld, choice: MigrateChoice): Promise<Departure> {
  const fleet = await world.observe();
  const isRunning = isRunningIn(fleet, choice.team);
  const box = await packAsIn(world, choice, fleet);
  const holder = heldOutside(world, fleet, choice.team, box);
  const isFork = goesAsFork({ isRunning, holder }, choice);
  if (holder !== null && choice.isFork === null) box.problems.push(`sending forks: ${heldBy(holder)}`);
  const places = box.rows.filter(isAgent).map(({ cwd }) => mapped(cwd, choice.maps));
  const folders = [...new Set(places)].filter((folder) => folder !== "").sort();
  return { box, fleet, folders, landings: landingsOf(fleet, box, choice.maps), isRunning, isFork };
}

/** The team from this look, under its saved name; if it does not run, as it is stored. */
export function packAsIn(
  world: Pick<TeamWorld, "env" | "stores">,
  { team, from = ownHost() }: MigrateChoice,
  fleet: Fleet,
  savedPath?: string,
): Promise<Bundle> {
  const live = isRunningIn(fleet, team) ? { live: asItIs(world, fleet, team, savedPath) } : {};
  return packBundle(world, { teams: [team], host: from, ...live });
}

/** Whether no agent came, left, or changed its conversation or folder since. Shells do not count. */
export function isStill(world: LookWorld, fleet: Fleet, { team }: MigrateChoice, left: Departure): boolean {
  if (isRunningIn(fleet, team) !== left.isRunning) return false;
  if (heldOutside(world, fleet, team, left.box) !== null) return false;
  if (!left.isRunning) return true;
  return agentsIn(asItIs(world, fleet, team).snapshot.rows) === agentsIn(left.box.rows);
}

/** A conversation that may be open here would be open on both hosts if it moved as itself. */
export function goesAsFork(
  { isRunning, holder }: { isRunning: boolean; holder: Holder | null },
  { isFork, isDown, team }: MigrateChoice,
): boolean {
  if (isFork === true) return true;
  if (holder !== null && (isDown || isFork === false)) {
    throw new HiveError(`${heldBy(holder)}: moved as itself, it would be open on both hosts`, {
      hint: "end it there first, or send forks: --fork",
    });
  }
  if (isFork === false && isRunning && !isDown) {
    throw new HiveError(`${team} runs here: moved as itself, it would be open on both hosts`, {
      hint: "end it here with --down, or send forks by omitting --same",
    });
  }
  return holder !== null || (isFork ?? (isRunning && !isDown));
}

/** A name for this host that another host can use for a folder and a team. */
export function ownHost(name = hostname()): Host {
  const plain = name.replaceAll(/[^A-Za-z0-9.-]/g, "-").replace(/^[.-]+/, "");
  return hostName(plain.slice(0, 64) || "host");
}

function isRunningIn({ panes }: Fleet, team: TeamName): boolean {
  return panes.some(({ sessionName }) => sessionName === team);
}

/** `path` is the snapshot that was just saved from this look. */
function asItIs({ stores }: Pick<TeamWorld, "stores">, fleet: Fleet, team: TeamName, path?: string) {
  const { rows, silent } = snapshotOf(fleet, stores.teams.read().rows, { teams: [team] });
  const savedAt = path === undefined ? null : parseUtc(stores.snapshots.read(path).savedAt);
  const named = path === undefined ? {} : { name: basename(path) };
  const snapshot = { rows, silent, savedAtMs: savedAt ?? Date.now(), ...named };
  return { snapshot, layout: layoutOf(fleet.panes, team)! };
}

function agentsIn(rows: readonly SnapshotRow[]): string {
  return JSON.stringify(
    rows
      .filter(isAgent)
      .map(({ window, pane, role, uuid, cwd, kind }) => [window, pane, role, uuid, cwd, kind]),
  );
}

/** Another process, outside the team, that has one of its conversations open. */
function heldOutside(
  world: Pick<TeamWorld, "env" | "stores">,
  fleet: Fleet,
  team: TeamName,
  { sessions }: Bundle,
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
  return `session ${session} is open in ${pane ?? "a place outside this tmux"}, process ${pid}`;
}

/** For each session that will be opened there, or for the parent it is forked from again. */
function landingsOf(
  { index }: Fleet,
  { page, rows, sessions, parents }: Bundle,
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
