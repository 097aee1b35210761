// Moves a team to another host: packs it here, and the hivemind of that host receives and starts it.
//
// - Nothing changes here, except for saves and for ending the team on request.
// - Anything that would keep it from starting there is refused before anything is sent, as far as it is known then.
//   It is checked again before the team is ended here, after the other host has received and planned it.
// - A conversation is never open on both hosts. It moves as a fork while the original may run or another process has
//   it open here, and as itself only after the team has ended here. Until it has started there, no other command may
//   bring the team back here.
// - A team that is ended here moves in its final state: changes during the transfer are sent again and saved here.
// - An answer in an unknown form is an error. An agent that the answer does not mention counts as not started; a
//   team without any outcome has not arrived.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { shellWord } from "../base/text/shell-word.js";
import type { Fleet } from "../fleet/observe.js";
import { isAgent } from "../fleet/roster/role-of.js";
import { limits } from "../limits.js";
import type { Host, TeamName } from "../names/gates.js";
import type { BundleFile } from "../stores/text/bundle.js";
import type { RestoreOutcome } from "../teams/snapshot/restore.js";
import { saveFleet } from "../teams/snapshot/save.js";
import type { Refusal } from "../teams/snapshot/saved-team.js";
import { endAgent } from "../teams/start/end.js";
import { killSession } from "../tmux/session.js";
import type { MovingWorld } from "./arrival/arrive.js";
import { type Departure, isStill, type MigrateChoice, packAsIn, packTeam } from "./departure.js";
import type { Bundle } from "./pack.js";
import type { OnBytes } from "./pull.js";
import type { Target } from "./target.js";

export interface FarLook {
  /** Files that the other host does not have yet. */
  missing: BundleFile[];
  noFolders: string[];
  teams: string[];
}

export interface Migrated {
  outcomes: RestoreOutcome[];
  /** Agents that the other host's answer does not mention. */
  untold: number;
}

/** Writes nothing there either. The other host itself refuses known obstacles. */
export async function lookFar(far: Target, { box, folders, landings }: Departure): Promise<FarLook> {
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

interface Move {
  world: MovingWorld;
  far: Target;
  choice: MigrateChoice;
  onBytes: OnBytes;
}

/** Resolves when the other host has started all it could, each seen alive in its session or as a fork of it. */
export async function migrateTeam(move: Move, departure: Departure): Promise<Migrated> {
  const { world, far, choice } = move;
  const { team } = choice;
  for (let turn = 0; turn < limits.migrateTurns; turn++) {
    const seen = turn === 0 ? departure : await packTeam(world, choice);
    refuseNoFolder(far.host, await lookFar(far, seen));
    const leaving = await savedBefore(move, seen);
    await far.push(leaving.box, move.onBytes);
    if (leaving.isFork) return goAsForks(move, leaving);
    const result = await world.whileChanging(team, () => goAsItself(move, leaving));
    if (result !== null) return result;
    world.say(`${team} has changed meanwhile: sending the changes too`);
  }
  throw new HiveError(`${team} changes faster than it can be sent: it is left unchanged`, {
    hint: "wait until its agents are idle, then run the same command again",
  });
}

/** Sends exactly the snapshot that is kept here, under the same name. */
async function savedBefore({ world, choice }: Move, leaving: Departure): Promise<Departure> {
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

async function goAsForks(move: Move, { isRunning, box }: Departure): Promise<Migrated> {
  const { world, choice } = move;
  const { team, isDown } = choice;
  const result = await start(move, box, { isFork: true });
  if (isRunning && isDown && hasArrived(result)) {
    await world.whileChanging(team, async () => endTeam(world, team, await world.observe()));
    world.say(`${team} has ended here; to restart it here: hivemind team restart ${team}`);
  }
  return result;
}

/** Null if the team has changed since it was sent; then nothing was done. The caller holds the team. */
async function goAsItself(move: Move, leaving: Departure): Promise<Migrated | null> {
  const { world, far, choice } = move;
  const { team } = choice;
  if (leaving.isRunning) await refuseHindered(move, leaving.box);
  const fleet = await world.observe();
  if (!isStill(world, fleet, choice, leaving)) return null;
  if (!leaving.isRunning) {
    await giveBack(world, leaving.box);
    return start(move, leaving.box, { isFork: false });
  }
  world.interrupted.throwIfAborted();
  const path = await endTeam(world, team, fleet);
  world.say(`${team} has ended here; if it does not start there: hivemind team restart ${team}`);
  // Sends the records up to its end too.
  const box = await packAsIn(world, choice, fleet, path);
  await far.push(box, move.onBytes);
  await giveBack(world, box);
  return start(move, box, { isFork: false });
}

/** In a fleet the other host may not open what this one still claims. */
async function giveBack({ claims }: MovingWorld, { sessions }: Bundle): Promise<void> {
  for (const session of sessions) await claims?.giveBack(session);
}

/** Every agent of the bundle has an outcome; the saved rows of the others stay here. */
async function start({ far, choice }: Move, { page, rows }: Bundle, { isFork }: { isFork: boolean }) {
  const { outcomes } = await far.ask({ ask: "start", page, maps: choice.maps, isFork });
  return readOutcomes(far, outcomes, rows.filter(isAgent).length);
}

/** An agent that would not start there would run nowhere. */
async function refuseHindered({ far, choice }: Move, { page }: Bundle): Promise<void> {
  const { maps, team } = choice;
  const { refused } = await far.ask({ ask: "plan", page, maps, isFork: false });
  const [first] = harmlessAll(Array.isArray(refused) ? (refused as Refusal[]) : []);
  if (first === undefined) return;
  const { pane, role, why, hint } = first;
  const who = role === null ? pane : `${pane} (${role})`;
  throw new HiveError(`${far.host} would not start ${who}: ${why}; ${team} continues here`, {
    ...(hint === null ? {} : { hint: `on ${far.host}: ${hint}` }),
  });
}

function refuseNoFolder(host: Host, { noFolders }: FarLook): void {
  const [first] = noFolders;
  if (first === undefined) return;
  throw new HiveError(`${host} has no folder ${noFolders.map(harmless).join(", ")}; nothing was sent`, {
    hint: `create it there, or map it: --map ${shellWord(`${first}=/folder/on/${host}`)}`,
  });
}

/** Its agents are away afterwards, so they and the save can bring it back. Undefined if nothing of it ran. */
async function endTeam(world: MovingWorld, team: TeamName, fleet: Fleet): Promise<string | undefined> {
  const own = fleet.panes.filter(({ sessionName }) => sessionName === team);
  if (own.length === 0) return undefined;
  const path = await save(world, team, fleet);
  // All at once, so that no agent changes its conversation while the others are waited for.
  await Promise.all(own.map((pane) => endAgent(world, pane)));
  await killSession(world.tmux, team);
  const ended = new Set(own.flatMap(({ agent }) => agent?.id ?? []));
  await world.change(({ agents }) => ({ agents, asked: ended }));
  return path;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** `agents` is the number of conversations that were sent. */
export function readOutcomes(
  { host, lookThere }: Pick<Target, "host" | "lookThere">,
  value: unknown,
  agents: number,
): Migrated {
  if (!Array.isArray(value) || !value.every(isOutcome))
    throw new HiveError(`${host} did not report the outcome`, { hint: `look there: ${lookThere}` });
  const outcomes = harmlessAll(value);
  const told = outcomes.reduce((sum, outcome) => sum + toldIn(outcome), 0);
  return { outcomes, untold: Math.max(0, agents - told, outcomes.length === 0 ? 1 : 0) };
}

/** Escapes all its text for the terminal. */
function harmlessAll<T>(foreign: T): T {
  return JSON.parse(JSON.stringify(foreign), (_, each) => (typeof each === "string" ? harmless(each) : each));
}

/** Whether every agent was started there, or already runs there. */
export function hasArrived({ outcomes, untold }: Migrated): boolean {
  const isWhole = ({ failed, refused, notReached }: RestoreOutcome) =>
    failed.length + refused.length + notReached === 0;
  return untold === 0 && outcomes.every(isWhole);
}

function toldIn({ started, failed, refused, left, notReached }: RestoreOutcome): number {
  const agents = left.filter(({ is }) => is !== "shell");
  return started.length + failed.length + refused.length + agents.length + notReached;
}

function isOutcome(value: unknown): value is RestoreOutcome {
  const { team, source, started, failed, left, refused, asking, notReached } = (value ?? {}) as Record<
    string,
    unknown
  >;
  const isText = typeof team === "string" && typeof source === "string";
  const isCount = Number.isSafeInteger(notReached) && (notReached as number) >= 0;
  return isText && isCount && [started, failed, left, refused, asking].every(isRows);
}

function isRows(value: unknown): boolean {
  return Array.isArray(value) && value.every((row) => typeof row === "object" && row !== null);
}
