// A saved team comes back: its windows and panes first, then its agents one after the other.
//
// [RT1] Every session that comes back was seen alive under its saved id, or as a child of it.
// [RT2] Restored again, nothing changes; broken off at any moment, the next run goes on.
// [RT3] Nothing stored is destroyed by a restore that fails.

import { realpathSync, statSync } from "node:fs";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { refuseHeld, storedRows } from "../fleet/moves.js";
import type { Fleet } from "../fleet/observe.js";
import { isAgent } from "../fleet/role-of.js";
import { buildLayout } from "../layout/build.js";
import { type Place, placeOf } from "../layout/match.js";
import { addressParts, type PaneId, type SessionId, type TeamName } from "../names/gates.js";
import { followSaved } from "./follow-saved.js";
import { isIdleShell } from "./idle-shell.js";
import { type FailedAgent, type StartedAgent, startInTurn, type Turn } from "./in-turn.js";
import { keptIn } from "./kept.js";
import { letGo, rowsOf } from "./let-go.js";
import { isFreePane } from "./place-rows.js";
import {
  type AgentStep,
  isBroughtBack,
  isNothingToDo,
  type LeftAlone,
  panesOf,
  planRestore,
  type Recorded,
  type RestoreFacts,
  type TeamPlan,
} from "./restore-plan.js";
import { rolesBySession } from "./saved-roles.js";
import type { Refusal, SavedTeam } from "./saved-team.js";
import { newSession } from "./spawn.js";
import { startAgent } from "./start.js";
import { questionsIn, type StartQuestion } from "./start-question.js";
import type { TeamWorld } from "./world.js";

export interface RestoreOutcome {
  team: TeamName;
  source: string;
  isBuilt: boolean;
  started: StartedAgent[];
  failed: FailedAgent[];
  left: LeftAlone[];
  refused: Refusal[];
  notReached: number;
  /** Agents of the team that stand at a question before they can be talked to, whoever started them. */
  asking: StartQuestion[];
}

/** The plans as they are now, by one look: nothing is done. */
export async function planTeams(
  world: TeamWorld,
  saved: readonly SavedTeam[],
  isFork: boolean,
): Promise<TeamPlan[]> {
  const facts = await factsNow(world);
  return saved.map((each) => planRestore(each, facts, isFork));
}

/** Called while no other command changes the team. */
export async function restoreTeam(
  world: TeamWorld,
  saved: SavedTeam,
  isFork: boolean,
): Promise<RestoreOutcome> {
  const first = await factsNow(world);
  const plan = planRestore(saved, first, isFork);
  refuseHeld(first.fleet, plan.team);
  const nothing = { started: [], failed: [], notReached: 0 };
  const outcome = {
    team: plan.team,
    source: plan.source,
    isBuilt: false,
    left: plan.left,
    refused: plan.refused,
  };
  const asking = () => questionsIn(world, plan.team);
  if (isNothingToDo(plan)) return { ...outcome, ...nothing, asking: await asking() };
  if (world.interrupted.aborted)
    return { ...outcome, ...nothing, notReached: plan.starts.length, asking: await asking() };

  const isBuilt = plan.shape !== "there" || isUnfinished(plan, first);
  const isBack = isBroughtBack(panesOf(first.fleet, plan.team));
  await letGo(world, plan.team, first.fleet, { starts: plan.starts, isLost: !isBack });
  const placed = isBuilt ? await build(world, saved, plan) : plan.places;
  if (!isBack) await follow(world, saved, placed, first.fleet);
  const ready = isBuilt ? planRestore(saved, { ...(await factsNow(world)), placed }, isFork) : plan;
  const taken = await startInTurn(
    world,
    ready.starts.map((step) => turnOf(world, plan.team, step)),
  );
  await world.emit({ name: "team.restored", team: plan.team, snapshot: plan.source });
  const { warnings } = await world.refresh(plan.team);
  for (const warning of warnings) world.say(`warning: ${harmless(warning)}`);
  const now = { left: ready.left, refused: ready.refused, asking: await asking() };
  return { ...outcome, ...taken, isBuilt, ...now };
}

/** What the plan asks of the outside. */
export async function factsNow(world: TeamWorld): Promise<RestoreFacts> {
  let all: ReadonlyMap<SessionId, Recorded> | null = null;
  const fleet = await world.observe();
  return {
    fleet,
    realFolder,
    recorded(uuid) {
      all ??= recordedSessions(world);
      return all.get(uuid) ?? { parent: null, wasWritten: false };
    },
    newSession,
    isIdleShell,
    stored(team) {
      const { roles, sessions } = rowsOf(world.stores, team);
      const isWaiting = world.stores.queues.panes().some((pane) => addressParts(pane).team === team);
      const isEmpty = roles.length + sessions.length === 0 && !isWaiting;
      const awaited = new Set(keptIn(fleet, storedRows(world.stores), team));
      return { isEmpty, roles: rolesBySession(roles, sessions), awaited };
    },
  };
}

type Placed = ReadonlyMap<Place, PaneId>;

async function build(world: TeamWorld, saved: SavedTeam, plan: TeamPlan): Promise<Placed> {
  world.progress(`${plan.team}: windows and panes`);
  // Also of an agent that cannot come back yet: once its folder is there, the next run starts it in its pane.
  const agents = saved.rows.filter(isAgent);
  const awaited = new Set<Place>(agents.map(({ window, pane }) => placeOf(window, pane)));
  const lock = world.stores.sizeLocks.read().rows.find(({ team }) => team === plan.team);
  const built = await buildLayout(world.tmux, plan.layout, {
    awaits: (place) => awaited.has(place),
    known: plan.places,
    strangers: plan.strangers,
    ...(lock === undefined ? {} : { atLeast: lock }),
    ...(world.env.HOME ? { home: world.env.HOME } : {}),
  });
  world.progress(null);
  for (const remark of built.remarks) world.say(harmless(`${plan.team}: ${remark}`));
  return new Map(built.panes.map(({ place, id }) => [place, id]));
}

/**
 * Rows and queues of the team belong to the panes that their agents come back in. As long as no pane is marked, none of
 * them was written for the panes that stand there.
 */
async function follow(
  world: TeamWorld,
  saved: SavedTeam,
  placed: Placed,
  { sessions }: Fleet,
): Promise<void> {
  const { team, rows } = saved;
  const panes = panesOf(await world.panes(), team);
  const built = [...placed].flatMap(([place, id]) => {
    const [window, pane] = place.split(".").map(Number) as [number, number];
    const found = panes.find((each) => each.id === id);
    if (found === undefined) return [];
    return [{ window, pane, address: found.address, isVacant: !found.dead && !isAgent(found) }];
  });
  const running = panes.filter(isAgent).flatMap(({ id, address }) => {
    const uuid = sessions.get(id)?.uuid ?? null;
    return uuid === null ? [] : [{ uuid, address }];
  });
  const { gone, moves } = followSaved(rows, built, rowsOf(world.stores, team), running);
  for (const pane of gone) await world.emit({ name: "agent.killed", pane, how: "unasked" });
  if (moves.length > 0) await world.emit({ name: "panes.shifted", team, moves });
}

/** An earlier run left panes open for agents: its windows may not have their shape yet. */
function isUnfinished({ starts }: TeamPlan, { fleet }: RestoreFacts): boolean {
  const panes = new Map(fleet.panes.map((pane) => [pane.id, pane]));
  return starts.some(({ pane }) => {
    const found = pane === null ? undefined : panes.get(pane);
    return found !== undefined && !found.dead && isFreePane(found);
  });
}

function turnOf(world: TeamWorld, team: TeamName, step: AgentStep): Turn {
  const { saved, pane, role } = step;
  return {
    pane: saved,
    role,
    start: async () => {
      if (pane === null) throw new HiveError(`${saved} has no pane`);
      return startStep(world, team, pane, step, { isRestart: false });
    },
  };
}

/** It has started with the session asked for; of a fork the parent is looked at too. */
export async function startStep(
  world: TeamWorld,
  team: TeamName,
  pane: PaneId,
  step: Omit<AgentStep, "saved" | "pane">,
  { isRestart }: { isRestart: boolean },
): Promise<StartedAgent> {
  const { role, kind, session, cwd, model, remark } = step;
  // Whoever presses Ctrl-C waits for this one: it is up in a moment, or its failure is worth a word.
  const interrupted = new AbortController().signal;
  const { address, uuid, waitsFor } = await startAgent(
    { ...world, interrupted },
    { pane, kind, session, role, team, cwd, model, isRestart },
  );
  const parent = session.how === "fork" ? await checkedParent(world, pane, session.parent) : null;
  return { pane: address, role, uuid, parent, remark, waitsFor };
}

async function checkedParent(world: TeamWorld, pane: PaneId, parent: SessionId): Promise<SessionId> {
  const { panes } = await world.panes();
  const found = panes.find(({ id }) => id === pane);
  if (found?.arguments?.forkedFrom === parent) return parent;
  throw new HiveError(`${found?.address ?? pane} is no fork of ${parent}`);
}

/** Null where there is none, and of a path that is relative to nobody knows what. */
export function realFolder(path: string): string | null {
  if (!path.startsWith("/")) return null;
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}

/**
 * In one pass, however many are asked for. Only a transcript makes a session live or stale; one that was seen as
 * broken had lost it by then.
 */
function recordedSessions({ stores }: TeamWorld): Map<SessionId, Recorded> {
  const all = new Map<SessionId, Recorded>();
  for (const { uuid, parent, state } of stores.forks.lastOfEach()) {
    if (uuid === null) continue;
    const known = all.get(uuid);
    const wasWritten = known?.wasWritten || state === "live" || state === "stale";
    all.set(uuid, { parent: parent ?? known?.parent ?? null, wasWritten });
  }
  return all;
}
