// Restores a saved team: its windows and panes first, then its agents in order.
//
// - Every restored session was seen alive under its saved id, or as a child of it.
// - A second restore changes nothing. After an interruption the next run continues.
// - A failed restore destroys nothing that is stored.

import { realpathSync, statSync } from "node:fs";
import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { isAgent } from "../../fleet/roster/role-of.js";
import { type BuiltPane, buildLayout } from "../../layout/build.js";
import { type Place, placeOf } from "../../layout/match.js";
import type { PaneId, SessionId, TeamName } from "../../names/gates.js";
import { hadTools } from "../../stores/launches.js";
import { newSession } from "../spawn.js";
import { isIdleShell } from "../start/idle-shell.js";
import { type FailedAgent, type StartedAgent, type StartStep, startInTurn } from "../start/in-turn.js";
import { seat } from "../start/seating.js";
import { sharedWorld } from "../start/shared-world.js";
import { startAgent } from "../start/start.js";
import { questionsIn, type StartQuestion } from "../start/start-question.js";
import type { TeamWorld } from "../world.js";
import { agentOfRow } from "./open-session.js";
import { isFreePane } from "./place-rows.js";
import {
  type AgentStep,
  isNothingToDo,
  type LeftAlone,
  planRestore,
  type Recorded,
  type RestoreFacts,
  type TeamPlan,
} from "./restore-plan.js";
import type { Refusal, SavedTeam } from "./saved-team.js";

export interface RestoreOutcome {
  team: TeamName;
  source: string;
  isBuilt: boolean;
  started: StartedAgent[];
  failed: FailedAgent[];
  left: LeftAlone[];
  refused: Refusal[];
  notReached: number;
  /** Agents of the team that wait at a start-up question, whoever started them. */
  asking: StartQuestion[];
}

/** The plans from one look. Changes nothing. */
export async function planTeams(
  world: TeamWorld,
  saved: readonly SavedTeam[],
  isFork: boolean,
): Promise<TeamPlan[]> {
  const facts = await factsNow(world);
  return saved.map((each) => planRestore(each, facts, isFork));
}

/** The caller holds the team. */
export async function restoreTeam(
  world: TeamWorld,
  saved: SavedTeam,
  isFork: boolean,
): Promise<RestoreOutcome> {
  const first = await factsNow(world);
  const plan = planRestore(saved, first, isFork);
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
  const built = isBuilt ? await build(world, saved, plan) : [];
  const placed = isBuilt ? new Map(built.map(({ place, id }) => [place, id])) : plan.places;
  await seatShells(world, saved, built);
  const ready = isBuilt ? planRestore(saved, { ...(await factsNow(world)), placed }, isFork) : plan;
  const taken = await startInTurn(
    sharedWorld(world),
    ready.starts.map((step) => turnOf(plan.team, step)),
  );
  await world.emit({ name: "team.restored", team: plan.team, snapshot: plan.source });
  const { warnings } = await world.refresh(plan.team);
  for (const warning of warnings) world.say(`warning: ${harmless(warning)}`);
  const now = { left: ready.left, refused: ready.refused, asking: await asking() };
  return { ...outcome, ...taken, isBuilt, ...now };
}

/** The facts that the plan needs. */
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
  };
}

async function build(world: TeamWorld, saved: SavedTeam, plan: TeamPlan): Promise<readonly BuiltPane[]> {
  world.progress(`${plan.team}: windows and panes`);
  // Also for an agent that cannot come back yet: once its folder exists, the next run starts it in its pane.
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
  return built.panes;
}

/** An away agent that is a shell gets the new shell that was made for it, never an existing shell. */
async function seatShells(
  world: TeamWorld,
  { team, rows }: SavedTeam,
  built: readonly BuiltPane[],
): Promise<void> {
  const shells = rows.flatMap((row) => {
    const made = built.find(({ place, isNew }) => isNew && place === placeOf(row.window, row.pane));
    return made === undefined || isAgent(row) ? [] : [{ row, made }];
  });
  if (shells.length === 0) return;
  await world.change((roster) => {
    const agents = shells.reduce((now, { row, made }) => {
      const known = agentOfRow({ roster: { ...roster, agents: now } }, row);
      // An agent with a conversation is no shell: a person ended its client, and it comes back from the
      // conversation.
      if (known === null || known.seat !== null || known.session !== null) return now;
      const seating = { pane: made, team, role: row.role, kind: "shell", session: null, agent: known.id };
      return seat({ ...roster, agents: now }, seating, Date.now()).agents;
    }, roster.agents);
    return { agents };
  });
}

/** An earlier run left panes open for agents, so its windows may not have their layout yet. */
function isUnfinished({ starts }: TeamPlan, { fleet }: RestoreFacts): boolean {
  const panes = new Map(fleet.panes.map((pane) => [pane.id, pane]));
  return starts.some(({ pane }) => {
    const found = pane === null ? undefined : panes.get(pane);
    return found !== undefined && !found.dead && isFreePane(found);
  });
}

function turnOf(team: TeamName, step: AgentStep): StartStep {
  const { saved, pane, role, kind, session } = step;
  return {
    ...{ pane: saved, role, kind, session: session.id, isAlone: false },
    start: async (world) => {
      if (pane === null) throw new HiveError(`${saved} has no pane`);
      return startStep(world, team, pane, step, { isRestart: false });
    },
  };
}

/** Starts the agent and checks its session; for a fork, the parent too. Its tools are those of its last start. */
export async function startStep(
  world: TeamWorld,
  team: TeamName,
  pane: PaneId,
  step: Omit<AgentStep, "saved" | "pane"> & { hasTools?: boolean },
  { isRestart }: { isRestart: boolean },
): Promise<StartedAgent> {
  const { role, kind, session, cwd, model, remark, agent } = step;
  const hasTools = step.hasTools ?? (agent !== null && hadTools(world.stores.launches.read().rows, agent));
  // Ctrl-C waits for this agent: it is up in a moment, or its failure is worth reporting.
  const interrupted = new AbortController().signal;
  const { address, uuid, waitsFor } = await startAgent(
    { ...world, interrupted },
    {
      pane,
      kind,
      session,
      role,
      team,
      cwd,
      model,
      hasTools,
      isRestart,
      ...(agent === null ? {} : { agent }),
    },
  );
  const parent = session.how === "fork" ? await checkedParent(world, pane, session.parent) : null;
  return { pane: address, paneId: pane, role, uuid, parent, remark, waitsFor };
}

async function checkedParent(world: TeamWorld, pane: PaneId, parent: SessionId): Promise<SessionId> {
  const { panes } = await world.panes();
  const found = panes.find(({ id }) => id === pane);
  if (found?.arguments?.forkedFrom === parent) return parent;
  throw new HiveError(`${found?.address ?? pane} is not a fork of ${parent}`);
}

/** Null if there is none, and for a relative path. */
export function realFolder(path: string): string | null {
  if (!path.startsWith("/")) return null;
  try {
    return statSync(path).isDirectory() ? realpathSync(path) : null;
  } catch {
    return null;
  }
}

/**
 * One pass for any number of sessions. Only a transcript makes a session live or stale. A session seen as broken had
 * already lost it.
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
