// A team goes to another host: packed here, received there, and started there by the hivemind of that host.
//
// [MIG1] Here nothing is changed but by the save, and by ending the team where that was asked.
// [MIG2] Whatever would keep it from starting there, and can be known before, is refused before anything is sent.
// [MIG3] One conversation is never open on both hosts: it goes as a fork while the original may run, and as itself only
//        once the team has ended here.

import { hostname } from "node:os";
import type { FolderMove } from "../agents/claude/moved-lines.js";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { shellWord } from "../base/shell-word.js";
import type { Fleet } from "../fleet/observe.js";
import { isAgent } from "../fleet/role-of.js";
import { layoutOf } from "../layout/layout-of.js";
import { type Host, hostName, type TeamName } from "../names/gates.js";
import type { BoxFile, BoxPage } from "../stores/box-page.js";
import { endAgent } from "../teams/end.js";
import type { RestoreOutcome } from "../teams/restore.js";
import { saveFleet, snapshotOf } from "../teams/save.js";
import type { TeamWorld } from "../teams/world.js";
import { killSession } from "../tmux/session.js";
import type { MovingWorld } from "./arrive.js";
import type { Far } from "./far.js";
import { mapped } from "./folder-map.js";
import { refuseWithoutTmux } from "./greeting.js";
import { type Box, type PackChoice, packBox } from "./pack.js";
import { counted } from "./pull.js";

export interface MigrateChoice {
  team: TeamName;
  maps: readonly FolderMove[];
  /** What was asked for; null leaves it to whether the original may still run. */
  isFork: boolean | null;
  /** The team is ended here. */
  isDown: boolean;
}

/** A team as it is now, ready to go. */
export interface Departure {
  box: Box;
  fleet: Fleet;
  /** Where its agents would work there. */
  folders: string[];
  isRunning: boolean;
  isFork: boolean;
}

export interface FarLook {
  /** What the far side does not have yet. */
  missing: BoxFile[];
  noFolders: string[];
  teams: string[];
}

export type OnBytes = (doneBytes: number, totalBytes: number) => void;

/** Before anybody is asked: nothing is written. */
export async function packTeam(world: TeamWorld, choice: MigrateChoice): Promise<Departure> {
  const fleet = await world.observe();
  const isRunning = fleet.panes.some(({ sessionName }) => sessionName === choice.team);
  const isFork = goesAsFork(isRunning, choice);
  const live = isRunning ? { live: asItIs(world, fleet, choice.team) } : {};
  const box = await packBox(world, { ...packChoice(choice), ...live });
  const places = box.rows.filter(isAgent).map(({ cwd }) => mapped(cwd, choice.maps));
  const folders = [...new Set(places)].filter((folder) => folder !== "").sort();
  return { box, fleet, folders, isRunning, isFork };
}

/** Nothing is written there either. */
export async function lookFar(far: Far, { box, folders }: Departure): Promise<FarLook> {
  refuseWithoutTmux(far.host, far.greeting);
  const answer = await far.ask({ ask: "look", page: box.page, folders });
  const missing = texts(answer.missing);
  return {
    missing: box.page.files.filter(({ path }) => missing.includes(path)),
    noFolders: texts(answer.noFolders),
    teams: texts(answer.teams),
  };
}

/** Resolves when the far side has started all it could, each seen alive in its session or as a fork of it. */
export async function migrateTeam(
  world: MovingWorld,
  far: Far,
  choice: MigrateChoice,
  departure: Departure,
  onBytes: OnBytes,
): Promise<RestoreOutcome[]> {
  const { team, maps, isDown } = choice;
  const { box, fleet, isRunning, isFork } = departure;
  refuseNoFolder(far.host, await lookFar(far, departure));
  if (isRunning) {
    const { path } = await saveFleet(world.stores, fleet, { teams: [team] });
    world.say(`saved ${team}: ${harmless(path)}`);
  }
  let sent = await push(far, box, onBytes);
  if (isRunning && isDown && !isFork) {
    await endTeam(world, team);
    world.say(`${team} has ended here; should it not start there: hivemind team restart ${team}`);
    // What was said until its end goes along.
    sent = await push(far, await packBox(world, packChoice(choice)), onBytes);
  }
  const { outcomes } = await far.ask({ ask: "start", page: sent, maps, isFork });
  if (!Array.isArray(outcomes)) throw new HiveError(`${far.host} does not say what came of it`);
  const told = harmlessAll(outcomes as RestoreOutcome[]);
  const isWhole = told.every(
    ({ failed, refused, notReached }) => failed.length + refused.length + notReached === 0,
  );
  if (isRunning && isDown && isFork && isWhole) {
    await endTeam(world, team);
    world.say(`${team} has ended here; to have it back: hivemind team restart ${team}`);
  }
  return told;
}

/** A running team that goes as itself would be open on both hosts. */
export function goesAsFork(isRunning: boolean, { isFork, isDown, team }: MigrateChoice): boolean {
  if (isFork === false && isRunning && !isDown) {
    throw new HiveError(`${team} runs here: as itself it would be open on both hosts`, {
      hint: "end it here with --down, or let forks of it go: without --same",
    });
  }
  return isFork ?? (isRunning && !isDown);
}

/** A name for this host that another can use for a folder and a team. */
export function ownHost(name = hostname()): Host {
  const plain = name.replaceAll(/[^A-Za-z0-9.-]/g, "-").replace(/^[.-]+/, "");
  return hostName(plain.slice(0, 64) || "host");
}

function packChoice({ team }: MigrateChoice): PackChoice {
  return { teams: [team], host: ownHost() };
}

function asItIs({ stores }: TeamWorld, fleet: Fleet, team: TeamName): NonNullable<PackChoice["live"]> {
  const stored = { roles: stores.roles.read().rows, teams: stores.teams.read().rows };
  return { ...snapshotOf(fleet, stored, { teams: [team] }), layout: layoutOf(fleet.panes, team)! };
}

function refuseNoFolder(host: Host, { noFolders }: FarLook): void {
  const [first] = noFolders;
  if (first === undefined) return;
  throw new HiveError(`${host} has no folder ${noFolders.map(harmless).join(", ")}; nothing was sent`, {
    hint: `make it there, or say where that folder is: --map ${shellWord(`${first}=/folder/on/${host}`)}`,
  });
}

/** The page of what is there now. */
async function push(far: Far, { page, bytesOf }: Box, onBytes: OnBytes): Promise<BoxPage> {
  await far.ask({ ask: "receive", page }, async ({ is, paths }, wire) => {
    if (is !== "wanting") return;
    const wanted = new Set(texts(paths));
    const files = page.files.filter(({ path }) => wanted.has(path));
    const tally = counted(files, onBytes);
    for (const { path } of files) await wire.sendBytes(tally(bytesOf(path)));
  });
  return page;
}

/** Its rows stay: with them, and the save, it can come back here. */
async function endTeam(world: MovingWorld, team: TeamName): Promise<void> {
  await world.whileChanging(team, async () => {
    const { panes } = await world.panes();
    const own = panes.filter(({ sessionName }) => sessionName === team);
    for (const pane of own) await endAgent(world, pane);
    if (own.length > 0) await killSession(world.tmux, team);
  });
}

/** It will be shown to a person. */
function harmlessAll<T>(foreign: T): T {
  return JSON.parse(JSON.stringify(foreign), (_, value) =>
    typeof value === "string" ? harmless(value) : value,
  );
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
