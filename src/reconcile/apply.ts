// Carries out repairs. One change of the roster repairs all rows of agents; every other step is separate.
//
// [RA1] A step is done only if an earlier look and a fresh one, a moment apart, both require it.
// [RA2] A failed look ends the work: nothing is destroyed because it was unreadable.
// [RA3] A team that another command is changing is left alone and reported.
// [RA5] After a repair there is nothing to repair: a second one writes nothing.
// [RA6] The config folders of running agents are remembered before rows are written for them: to a command with
//       another CLAUDE_CONFIG_DIR their conversations would look gone.

import { setTimeout as rest } from "node:timers/promises";
import { HiveError } from "../base/errors.js";
import type { HiveEvent } from "../events/event.js";
import type { RosterWork } from "../fleet/roster/change-roster.js";
import { type FoundAgent, withFound } from "../fleet/roster/refresh.js";
import type { RosterNow } from "../fleet/roster/roster.js";
import { limits } from "../limits.js";
import { isAgentId } from "../names/agent-id.js";
import type { TeamName } from "../names/gates.js";
import type { MessageId } from "../stores/queue/queue-rows.js";
import { receipt } from "../stores/receipts.js";
import { type Repair, teamsMoved } from "./audit.js";
import type { BrokenSession } from "./broken.js";
import { type Look, lookAt } from "./look.js";
import { identityOf, type Step, type Violation } from "./violation.js";
import type { ReconcileWorld } from "./world.js";

export interface Repaired {
  /** Violations that were repaired and are gone. */
  repaired: Violation[];
  moved: HiveEvent[];
  dropped: BrokenSession[];
  /** Teams that were left alone, with the reason. */
  skipped: { team: TeamName; why: string }[];
  after: Look;
}

export interface RepairOptions {
  only: TeamName | null;
  /** Also drops sessions that nothing can open any more: Stage 4. */
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
  for (let round = 0; round < limits.repairRounds; round++) {
    const before = done.after;
    if (!hasWork(before, dropsBroken, skipped) || world.interrupted.aborted) break;
    await aMomentAfter(before);
    const tried: Violation[] = [];
    const teams = teamsOf(before, dropsBroken).filter((team) => !skipped.has(team));
    const isHeldBy = (team: TeamName, why: string) => skipped.set(team, why);
    await whileHolding(world, teams, isHeldBy, async (held) => {
      const now = await look();
      await world.rememberFolders(now.facts.fleet);
      const isOurs = ({ team }: { team: TeamName | null }) => team === null || held.has(team);
      const asked = both(before, now).filter(({ violation }) => isOurs(violation));
      const broken = dropsBroken ? brokenInBoth(before, now).filter(isOurs) : [];
      tried.push(...asked.map(({ violation }) => violation));
      await changeOnce(world, now, asked, broken, done);
      await doOthers(world, asked, look);
    });
    done.after = await look();
    const left = new Set(done.after.violations.map(identityOf));
    done.repaired.push(...tried.filter((each) => !left.has(identityOf(each))));
  }
  world.progress(null);
  done.skipped = [...skipped].map(([team, why]) => ({ team, why }));
  return done;
}

function hasWork(look: Look, dropsBroken: boolean, skipped: ReadonlyMap<TeamName, string>): boolean {
  const isOpen = teamsOf(look, dropsBroken).some((team) => !skipped.has(team));
  return isOpen || look.repairs.some(({ violation }) => violation.team === null);
}

/** The teams whose rows would change. */
function teamsOf({ repairs, facts, broken }: Look, dropsBroken: boolean): TeamName[] {
  const repaired = repairs.flatMap(({ violation }) => violation.team ?? []);
  const dropped = dropsBroken ? broken.map(({ team }) => team) : [];
  return [...new Set([...repaired, ...facts.moves.flatMap(teamsMoved), ...dropped])].sort();
}

/** Takes the locks one after the other, always in the same order. A team that another command holds is skipped. */
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

/** The repairs of the second look that the first look requires too. */
function both(before: Look, now: Look): Repair[] {
  const asked = new Set(before.repairs.map(({ violation }) => identityOf(violation)));
  return now.repairs.filter(({ violation }) => asked.has(identityOf(violation)));
}

function brokenInBoth(before: Look, now: Look): BrokenSession[] {
  const seen = new Set(before.broken.map(({ uuid }) => uuid));
  return now.broken.filter(({ uuid }) => seen.has(uuid));
}

/** Makes all roster changes at once. */
async function changeOnce(
  world: ReconcileWorld,
  { facts: { moves } }: Look,
  asked: readonly Repair[],
  broken: readonly BrokenSession[],
  done: Repaired,
): Promise<void> {
  const changes = asked.flatMap(({ step }) => (step.do === "change" ? [step] : []));
  if (changes.length + moves.length + broken.length === 0 || world.interrupted.aborted) return;
  const found = new Map(changes.flatMap((step) => step.found.map((each) => [each.pane.id, each])));
  // An agent from rows of other programs must be in the roster before its session can leave it.
  if (broken.length > 0) await world.change();
  await world.stores.forks.append([...new Set(changes.flatMap(({ forkRows }) => forkRows))]);
  await world.change((roster) => repairedRoster(roster, [...found.values()], broken));
  done.moved.push(...moves);
  done.dropped.push(...broken);
}

function repairedRoster(
  { agents, server }: RosterNow,
  found: readonly FoundAgent[],
  broken: readonly BrokenSession[],
): RosterWork {
  const refreshed = withFound(agents, found, { server, nowMs: Date.now() });
  // By session: an agent from rows of other programs has another id in every look.
  const gone = new Set(broken.map(({ uuid }) => uuid));
  const dropped = refreshed.agents.filter(({ session }) => session !== null && gone.has(session));
  const without = new Set(dropped.map(({ id }) => id));
  return {
    agents: refreshed.agents.map((agent) => (without.has(agent.id) ? { ...agent, session: null } : agent)),
    causes: refreshed.causes,
    dropped: new Map(dropped.map(({ id }) => [id, "broken"])),
    isRecorded: true,
  };
}

/** One by one, each checked again if the last look is too old. */
async function doOthers(
  world: ReconcileWorld,
  asked: readonly Repair[],
  look: () => Promise<Look>,
): Promise<void> {
  const alone = asked.filter(({ step }) => step.do !== "change");
  let fresh: Look | null = null;
  for (const [at, { violation, step }] of alone.entries()) {
    if (world.interrupted.aborted) return;
    world.progress(`repairing ${at + 1} of ${alone.length}`);
    if (fresh === null || performance.now() - fresh.begunMs > limits.freshLookMs) fresh = await look();
    const isStill = fresh.repairs.some((each) => identityOf(each.violation) === identityOf(violation));
    if (isStill) await doAlone(world, step);
  }
}

async function doAlone(world: ReconcileWorld, step: Step): Promise<void> {
  if (step.do === "remove window") return world.removeWindow(step.team);
  if (step.do === "bury queue") return buryQueue(world, step.owner);
  if (step.do !== "remove team") return;
  const { team } = step;
  await world.change(({ agents }) => ({ agents: agents.filter((agent) => agent.team !== team) }));
  await world.emit({ name: "team.destroyed", team });
}

async function buryQueue({ stores }: ReconcileWorld, owner: Extract<Step, { do: "bury queue" }>["owner"]) {
  const { queues, receipts } = stores;
  const isOfAgent = isAgentId(owner);
  const rows = isOfAgent ? await queues.clear(owner) : await queues.buryForeignQueue(owner);
  if (isOfAgent) await queues.discardEmpty([owner]);
  const ids = rows.map(({ stamp }): MessageId => `${owner}@${stamp}`);
  await receipts.append(
    ids.map((id) => receipt(id, isOfAgent ? null : owner, "expired", "no agent owns this queue")),
  );
}

async function aMomentAfter({ begunMs }: Look): Promise<void> {
  const leftMs = begunMs + limits.secondLookMs - performance.now();
  if (leftMs > 0) await rest(leftMs);
}
