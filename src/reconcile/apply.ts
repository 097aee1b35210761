// Repairs, one step at a time, each looked at again just before it is done.
//
// [RA1] A step is done only if an earlier look and a fresh one, a moment apart, both ask for it.
// [RA2] A look that fails ends the work: nothing is destroyed because something could not be seen.
// [RA3] A team that another command is changing is left alone and named.
// [RA4] Panes that moved are followed before anything else, by the events of a refresh, and messages by their panes.
// [RA5] After a repair there is nothing to repair: a second one writes nothing.
// [RA6] The config folders of running agents are remembered before rows are written for them: to who has another
//       CLAUDE_CONFIG_DIR their conversations would look gone.

import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import { utcSeconds } from "../base/utc.js";
import type { HiveEvent } from "../events/event.js";
import { limits } from "../limits.js";
import { addressParts, type TeamName } from "../names/gates.js";
import { type BrokenSession, isGonePlace } from "./broken.js";
import { type Look, lookAt } from "./look.js";
import { type Repair, teamsMoved, together } from "./plan.js";
import { identityOf, type Step, type Violation } from "./violation.js";
import type { ReconcileWorld } from "./world.js";

export interface Repaired {
  /** What was repaired, and is not wrong any more. */
  repaired: Violation[];
  moved: HiveEvent[];
  dropped: BrokenSession[];
  /** Teams that were left alone, and why. */
  skipped: { team: TeamName; why: string }[];
  after: Look;
}

export interface RepairOptions {
  only: TeamName | null;
  /** Also what nothing can open any more: Stage 4. */
  dropsBroken: boolean;
}

export async function repairAll(
  world: ReconcileWorld,
  first: Look,
  { only, dropsBroken }: RepairOptions,
): Promise<Repaired> {
  const done: Repaired = { repaired: [], moved: [], dropped: [], skipped: [], after: first };
  const skipped = new Map<TeamName, string>();
  const look = () => lookAt(world, only, { mayBeGone: true });
  await world.stores.queues.finish();
  for (let round = 0; round < limits.repairRounds; round++) {
    const before = done.after;
    const teams = teamsOf(before, dropsBroken).filter((team) => !skipped.has(team));
    if (teams.length === 0 || world.interrupted.aborted) break;
    await aMomentAfter(before);
    const tried: Violation[] = [];
    const isHeldBy = (team: TeamName, why: string) => skipped.set(team, why);
    await whileHolding(world, teams, isHeldBy, async (held) => {
      const now = await look();
      await world.rememberFolders(now.facts.fleet);
      await followMoves(world, before, now, held, done);
      if (before.facts.astray.size > 0) await world.bringHome(await world.observe());
      // The other repairs remove the rows of what is gone, without a word in S5.
      const dropping = { before, now, held, places: "gone" } as const;
      const gone = dropsBroken ? await dropBroken(world, dropping, done) : [];
      tried.push(...before.violations.filter(({ store, key }) => store === "S2" && gone.includes(key)));
      tried.push(...(await doSteps(world, before, look, held)));
      // What the repairs put right is not broken any more.
      if (dropsBroken) await dropBroken(world, { before, now: await look(), held, places: "all" }, done);
    });
    done.after = await look();
    const left = new Set(done.after.violations.map(identityOf));
    done.repaired.push(...tried.filter((each) => !left.has(identityOf(each))));
  }
  world.progress(null);
  done.skipped = [...skipped].map(([team, why]) => ({ team, why }));
  return done;
}

/** Whose rows would be changed. */
function teamsOf({ repairs, facts, broken }: Look, dropsBroken: boolean): TeamName[] {
  const repaired = repairs.flatMap(({ violation }) => violation.team ?? []);
  const dropped = dropsBroken ? broken.map(({ pane }) => addressParts(pane).team) : [];
  return [...new Set([...repaired, ...facts.moves.flatMap(teamsMoved), ...facts.astray, ...dropped])].sort();
}

/** Their locks one after the other, always in the same order; a team that is held goes on without us. */
async function whileHolding(
  world: ReconcileWorld,
  [team, ...others]: readonly TeamName[],
  isHeldBy: (team: TeamName, why: string) => void,
  work: (held: ReadonlySet<TeamName>) => Promise<void>,
  held: ReadonlySet<TeamName> = new Set(),
): Promise<void> {
  if (team === undefined) return work(held);
  let isOurs = false;
  try {
    await world.whileChanging(team, () => {
      isOurs = true;
      return whileHolding(world, others, isHeldBy, work, new Set([...held, team]));
    });
  } catch (error) {
    if (isOurs || !(error instanceof HiveError)) throw error;
    isHeldBy(team, error.message);
    await whileHolding(world, others, isHeldBy, work, held);
  }
}

/** Only what both looks saw: following a pane may bury what waited for the one that stood there. */
async function followMoves(
  world: ReconcileWorld,
  before: Look,
  now: Look,
  held: ReadonlySet<TeamName>,
  done: Repaired,
): Promise<void> {
  const { moves } = now.facts;
  if (JSON.stringify(moves) !== JSON.stringify(before.facts.moves)) return;
  const ours = moves.filter((event) => teamsMoved(event).every((team) => held.has(team)));
  await world.follow(ours);
  done.moved.push(...ours);
}

/** What was still wrong then, and had its step. */
async function doSteps(
  world: ReconcileWorld,
  before: Look,
  look: () => Promise<Look>,
  held: ReadonlySet<TeamName>,
): Promise<Violation[]> {
  const asked = before.repairs.filter(({ violation: { team } }) => team !== null && held.has(team));
  const tried: Violation[] = [];
  // One step may put several things right.
  const stepped = new Set<string>();
  let fresh: FreshLook | null = null;
  for (const group of together(asked)) {
    if (world.interrupted.aborted) break;
    world.progress(`repairing ${tried.length + 1} of ${asked.length}`);
    if (fresh === null || performance.now() - fresh.begunMs > limits.freshLookMs)
      fresh = freshLook(await look());
    const wrong = group.flatMap(({ violation }) => fresh!.repairs.get(identityOf(violation)) ?? []);
    tried.push(...wrong.map(({ violation }) => violation));
    const steps = wrong.map(({ step }) => step).filter((step) => !stepped.has(JSON.stringify(step)));
    for (const step of steps) stepped.add(JSON.stringify(step));
    await doTogether(world, steps);
  }
  return tried;
}

interface FreshLook {
  begunMs: number;
  repairs: ReadonlyMap<string, Repair>;
}

/** A team whose panes could not be followed is not repaired: its rows have other names than its panes. */
function freshLook({ begunMs, repairs, facts }: Look): FreshLook {
  const unfollowed = new Set(facts.moves.flatMap(teamsMoved));
  const doable = repairs.filter(({ violation: { team } }) => team !== null && !unfollowed.has(team));
  return { begunMs, repairs: new Map(doable.map((repair) => [identityOf(repair.violation), repair])) };
}

async function doTogether(world: ReconcileWorld, steps: readonly Step[]): Promise<void> {
  const follows = steps.flatMap((step) => (step.do === "follow" ? step : []));
  await world.follow(follows.flatMap(({ events }) => events));
  await world.stores.forks.append(follows.flatMap(({ forkRows }) => forkRows));
  for (const step of steps) if (step.do !== "follow") await doAlone(world, step);
}

async function doAlone(world: ReconcileWorld, step: Exclude<Step, { do: "follow" }>): Promise<void> {
  const { stores } = world;
  switch (step.do) {
    case "emit":
      return world.emit(step.event);
    case "bury queue": {
      const buried = await stores.queues.clear(step.pane);
      const receipt = {
        at: utcSeconds(Date.now()),
        step: "expired",
        detail: "its pane has no role",
      } as const;
      return stores.receipts.append(buried.map(({ id, pane }) => ({ ...receipt, id, pane })));
    }
    case "discard queue":
      return void (await stores.queues.discardEmpty([step.pane]));
    case "remove window":
      return world.removeWindow(step.team);
  }
}

interface Dropping {
  before: Look;
  now: Look;
  held: ReadonlySet<TeamName>;
  places: "gone" | "all";
}

async function dropBroken(
  world: ReconcileWorld,
  { before, now, held, places }: Dropping,
  done: Repaired,
): Promise<string[]> {
  const dropped: string[] = [];
  const wasBroken = ({ pane, uuid }: BrokenSession) =>
    before.broken.some((each) => each.pane === pane && each.uuid === uuid);
  const isMeant = ({ pane }: BrokenSession) => places === "all" || isGonePlace(now.facts, pane);
  for (const { pane, uuid } of now.broken.filter((each) => wasBroken(each) && isMeant(each))) {
    if (world.interrupted.aborted || !held.has(addressParts(pane).team)) continue;
    await world.emit({ name: "session.dropped", pane, uuid, state: "broken" });
    done.dropped.push({ pane, uuid });
    dropped.push(pane);
  }
  return dropped;
}

async function aMomentAfter({ begunMs }: Look): Promise<void> {
  const leftMs = begunMs + limits.secondLookMs - performance.now();
  if (leftMs > 0) await rest(leftMs);
}
