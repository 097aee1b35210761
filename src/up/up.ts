// Makes a team match its file: look, plan, carry out, look again.
//
// - A second `up` changes nothing. After an interruption the next run continues, and no agent runs twice.
// - If a conversation to resume is gone, the next round starts a new one.

import { agentOfKind } from "../agents/all.js";
import type { ExitCode } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane, Panes } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { Role } from "../names/gates.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { questionsIn, type StartQuestion } from "../teams/start/start-question.js";
import type { TeamWorld } from "../teams/world.js";
import { adoptRunning } from "./adopt.js";
import { type Launches, launchesIn, writeLaunches } from "./launch.js";
import { lookAt } from "./look.js";
import { deeds, type Plan, planTeam } from "./plan.js";
import { checkProject, claimProject } from "./project.js";
import { type Done, takeRounds } from "./rounds.js";
import type { Mode, Step } from "./step.js";
import { beginningAnew, type WantedFacts } from "./wanted.js";

export interface UpOptions {
  mode: Mode;
  isFresh: boolean;
  isBroadAllowed: boolean;
  /** The pane of this command. */
  ownPane(panes: Panes): Pick<FleetPane, "id"> | null;
  /** How often an agent that ends is tried. */
  rounds?: number;
  /** Throws if whoever runs this may not open these agents to the words of others (`inbound: accept`). */
  checkOpening(agents: readonly Role[], panes: Panes): void;
}

export interface UpOutcome {
  /** The plan before anything was done. */
  plan: Plan;
  done: Done[];
  failed: Failed[];
  notReached: number;
  /** Agents of the file that wait at a start-up question. */
  asking: StartQuestion[];
}

export interface Failed {
  agent: Role;
  why: string;
  hint: string | null;
  /** 3 if something was unreadable. */
  exitCode: ExitCode;
}

/** The plan as it is now. Changes nothing. */
export async function planNow(
  world: TeamWorld,
  file: TeamFile,
  only: ReadonlySet<Role>,
  options: UpOptions,
): Promise<Plan> {
  checkProject(world, file);
  const facts = await lookAt(world, file);
  return planTeam(file, only, facts, wishesOf(file, only, facts, options), options.mode);
}

function wishesOf(
  file: TeamFile,
  only: ReadonlySet<Role>,
  { seats, fleet }: WantedFacts,
  { isFresh, isBroadAllowed, ownPane }: UpOptions,
) {
  const anew = beginningAnew(file, only, seats, isFresh);
  return { anew, isBroadAllowed, own: ownPane(fleet)?.id ?? null };
}

/** Agents that would accept the words of others from now on. What somebody opened before may start again. */
function newlyOpen(steps: readonly Step[], launches: Launches): Role[] {
  return steps
    .filter(({ start }) => start?.wanted.agent.inbound === "accept")
    .filter(({ agentId }) => agentId === null || launches.get(agentId)?.inbound !== "accept")
    .map(({ agent }) => agent);
}

/** The caller holds the team. */
export async function bringUp(
  world: TeamWorld,
  file: TeamFile,
  only: ReadonlySet<Role>,
  options: UpOptions,
): Promise<UpOutcome> {
  checkProject(world, file);
  const facts = await lookAt(world, file, await followLive(world, file));
  const wishes = wishesOf(file, only, facts, options);
  const planOf = (now: WantedFacts) => planTeam(file, only, now, wishes, options.mode);
  const plan = planOf(facts);
  const todo = deeds(plan);
  const opened = newlyOpen(todo, launchesIn(world.stores));
  if (opened.length > 0) options.checkOpening(opened, facts.fleet);
  if (plan.steps.some((step) => step.do !== "refuse")) await claimProject(world, file);
  await adoptRunning(world, file, plan.steps);
  await renewPolicies(world, file, facts);
  const asking = async (seen: Panes) =>
    (await questionsIn(world, file.team, seen)).filter(({ role }) => role !== null && only.has(role));
  const adopted = plan.steps.filter((step) => step.do === "adopt").map(asDone);
  if (todo.length === 0)
    return { plan, done: adopted, failed: [], notReached: 0, asking: await asking(facts.fleet) };

  checkPrograms(world, todo);
  if (!world.stores.teams.read().rows.some((row) => row.team === file.team))
    await world.emit({ name: "team.created", team: file.team, description: "" });
  const first = { todo, seen: facts.fleet };
  const { done, failures, notReached, seen } = await takeRounds(world, file, first, {
    rounds: options.rounds ?? limits.upRounds,
    next: async () => {
      const now = await lookAt(world, file);
      return { todo: deeds(planOf(now)), seen: now.fleet };
    },
    onAnew: (agent) => wishes.anew.delete(agent),
  });
  const after = await followLive(world, file, seen);
  const failed = [...failures].map(([agent, { message: why, hint = null, exitCode }]) => {
    return { agent, why, hint, exitCode };
  });
  return { plan, done: [...adopted, ...done.values()], failed, notReached, asking: await asking(after) };
}

function asDone({ agent, address, session, why, remarks }: Step): Done {
  return { do: "adopt", agent, address, session, parent: null, why, remarks };
}

/**
 * Updates the stores from the live state, including conversations that agents moved on to. Skipped if nothing runs.
 */
export async function followLive(
  world: TeamWorld,
  { team }: TeamFile,
  seen: Fleet | null = null,
): Promise<Fleet> {
  const found = seen ?? (await world.observe());
  if (!found.panes.some(({ sessionName }) => sessionName === team)) return found;
  const { warnings, fleet } = await world.refresh(team, found);
  for (const warning of warnings) world.say(`warning: ${harmless(warning)}`);
  return fleet;
}

/** The restart policy is not part of how an agent was started: a changed policy applies at once. */
async function renewPolicies(
  { stores }: TeamWorld,
  { agents }: TeamFile,
  { seats }: WantedFacts,
): Promise<void> {
  const renewed = agents.flatMap(({ id, restart }) => {
    const seat = seats.of(id);
    if (seat === null || seat.launch === null || seat.launch.restart === restart) return [];
    return [[seat.agent.id, { ...seat.launch, restart }] as const];
  });
  await writeLaunches(stores, new Map(renewed));
}

/** A missing program is reported once, not per agent. */
function checkPrograms({ env }: TeamWorld, todo: readonly Step[]): void {
  const kinds = new Set(todo.flatMap(({ start }) => start?.wanted.agent.kind ?? []));
  for (const kind of kinds) agentOfKind(kind)?.program(env);
}
