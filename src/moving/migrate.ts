// A team goes to another host: packed here, received there, and started there by the hivemind of that host.
//
// [MIG1] Here nothing is changed but by saves, and by ending the team where that was asked.
// [MIG2] Whatever would keep it from starting there is refused before anything is sent, as far as it can be known then;
//        and before the team is ended here, when the far side has what was sent and has planned with it.
// [MIG3] One conversation is never open on both hosts: it goes as a fork while the original may run, or while anybody else
//        has it open here, and as itself only once the team has ended here. Until it has started there, nobody else may
//        bring the team back here.
// [MIG4] A team that is ended here goes as it was at its end: what changed while it was sent is sent again before, and is
//        saved here.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { shellWord } from "../base/shell-word.js";
import type { Fleet } from "../fleet/observe.js";
import { isAgent } from "../fleet/role-of.js";
import { limits } from "../limits.js";
import type { Host, TeamName } from "../names/gates.js";
import type { BoxFile, BoxPage } from "../stores/box-page.js";
import { endAgent } from "../teams/end.js";
import { saveFleet } from "../teams/save.js";
import type { Refusal } from "../teams/saved-team.js";
import { killSession } from "../tmux/session.js";
import type { MovingWorld } from "./arrive.js";
import { type Departure, isStill, type MigrateChoice, packAsIn, packTeam } from "./departure.js";
import type { Far } from "./far.js";
import { hasArrived, type Migrated, readOutcomes } from "./far-outcomes.js";
import { refuseWithoutTmux } from "./greeting.js";
import type { Box } from "./pack.js";
import { counted } from "./pull.js";

export interface FarLook {
  /** What the far side does not have yet. */
  missing: BoxFile[];
  noFolders: string[];
  teams: string[];
}

export type OnBytes = (doneBytes: number, totalBytes: number) => void;

/** Nothing is written there either. What is known to be in the way there is refused by the far side itself. */
export async function lookFar(far: Far, { box, folders, landings }: Departure): Promise<FarLook> {
  refuseWithoutTmux(far.host, far.greeting);
  const { page } = box;
  const [sessions, parents] = [[...box.sessions], [...box.parents]];
  const answer = await far.ask({ ask: "look", page, folders, sessions, parents, landings });
  const missing = texts(answer.missing);
  return {
    missing: page.files.filter(({ path }) => missing.includes(path)),
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
): Promise<Migrated> {
  const { team } = choice;
  refuseNoFolder(far.host, await lookFar(far, departure));
  let leaving = await savedBefore(world, choice, departure);
  for (let turn = 0; turn < limits.migrateTurns; turn++) {
    const page = await push(far, leaving.box, onBytes);
    if (leaving.isFork) return goAsForks(world, far, choice, leaving, page);
    const told = await world.whileChanging(team, () =>
      goAsItself(world, far, choice, leaving, page, onBytes),
    );
    if (told !== null) return told;
    world.say(`${team} has changed meanwhile: what is new is sent too`);
    leaving = await packTeam(world, choice);
    refuseNoFolder(far.host, await lookFar(far, leaving));
    leaving = await savedBefore(world, choice, leaving);
  }
  throw new HiveError(`${team} changes faster than it can be sent: it is left as it is`, {
    hint: "let its agents come to rest, and give the same command again",
  });
}

/** What is sent is the very snapshot that is kept here, under its name. */
async function savedBefore(
  world: MovingWorld,
  choice: MigrateChoice,
  leaving: Departure,
): Promise<Departure> {
  if (!leaving.isRunning) return leaving;
  const path = await save(world, choice.team, leaving.fleet);
  const { problems } = leaving.box;
  return { ...leaving, box: { ...(await packAsIn(world, choice, leaving.fleet, path)), problems } };
}

async function save(world: MovingWorld, team: TeamName, fleet: Fleet): Promise<string> {
  const { path } = await saveFleet(world.stores, fleet, { teams: [team] });
  world.say(`saved ${team}: ${harmless(path)}`);
  return path;
}

async function goAsForks(
  world: MovingWorld,
  far: Far,
  choice: MigrateChoice,
  { isRunning, box }: Departure,
  page: BoxPage,
): Promise<Migrated> {
  const { team, isDown } = choice;
  const told = await start(far, page, choice, { isFork: true, agents: agentsIn(box) });
  if (isRunning && isDown && hasArrived(told)) {
    await world.whileChanging(team, async () => endTeam(world, team, await world.observe()));
    world.say(`${team} has ended here; to have it back: hivemind team restart ${team}`);
  }
  return told;
}

/** Null when the team is not what was sent any more; then nothing was done. Called while nobody else changes it. */
async function goAsItself(
  world: MovingWorld,
  far: Far,
  choice: MigrateChoice,
  leaving: Departure,
  page: BoxPage,
  onBytes: OnBytes,
): Promise<Migrated | null> {
  const { team } = choice;
  if (leaving.isRunning) await refuseHindered(far, page, choice);
  const fleet = await world.observe();
  if (!isStill(world, fleet, choice, leaving)) return null;
  if (!leaving.isRunning) return start(far, page, choice, { isFork: false, agents: agentsIn(leaving.box) });
  world.interrupted.throwIfAborted();
  const path = await endTeam(world, team, fleet);
  world.say(`${team} has ended here; should it not start there: hivemind team restart ${team}`);
  // What was said until its end goes along.
  const box = await packAsIn(world, choice, fleet, path);
  const last = await push(far, box, onBytes);
  return start(far, last, choice, { isFork: false, agents: agentsIn(box) });
}

/** Each of them is told of: what was saved of the others stays here. */
function agentsIn({ rows }: Box): number {
  return rows.filter(isAgent).length;
}

async function start(
  far: Far,
  page: BoxPage,
  { maps }: MigrateChoice,
  { isFork, agents }: { isFork: boolean; agents: number },
): Promise<Migrated> {
  const { outcomes } = await far.ask({ ask: "start", page, maps, isFork });
  return readOutcomes(far.host, outcomes, agents);
}

/** An agent that would not be started there would run nowhere. */
async function refuseHindered(far: Far, page: BoxPage, { maps, team }: MigrateChoice): Promise<void> {
  const { refused } = await far.ask({ ask: "plan", page, maps, isFork: false });
  const [first] = harmlessAll(Array.isArray(refused) ? (refused as Refusal[]) : []);
  if (first === undefined) return;
  const { pane, role, why, hint } = first;
  const who = role === null ? pane : `${pane} (${role})`;
  throw new HiveError(`${far.host} would not start ${who}: ${why}; ${team} goes on here`, {
    ...(hint === null ? {} : { hint: `on ${far.host}: ${hint}` }),
  });
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

/** Its rows stay: with them, and the save, it can come back here. Undefined where nothing of it ran. */
async function endTeam(world: MovingWorld, team: TeamName, fleet: Fleet): Promise<string | undefined> {
  const own = fleet.panes.filter(({ sessionName }) => sessionName === team);
  if (own.length === 0) return undefined;
  const path = await save(world, team, fleet);
  // At once: nobody turns to another conversation while the others are waited for.
  await Promise.all(own.map((pane) => endAgent(world, pane)));
  await killSession(world.tmux, team);
  return path;
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
