// A team comes to what its file says: looked at, planned, carried out, looked at again.
//
// [UU1] Brought up again, nothing changes; broken off at any moment, the next run goes on, and no agent runs twice.
// [UU4] A resume that finds no conversation any more is a new one in the next round.

import { agentOfKind } from "../agents/all.js";
import type { ExitCode } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { storedRows } from "../fleet/moves.js";
import { limits } from "../limits.js";
import { addressParts, type PaneId, type Role } from "../names/gates.js";
import type { Place } from "../stores/append-file.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { keptIn, wayBack } from "../teams/kept.js";
import { letGo } from "../teams/let-go.js";
import { launchOption } from "../teams/start.js";
import { questionsIn, type StartQuestion } from "../teams/start-question.js";
import type { TeamWorld } from "../teams/world.js";
import { setPaneOption } from "../tmux/pane.js";
import { adoptRunning } from "./adopt.js";
import { formatLaunch } from "./launch.js";
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
  own: PaneId | null;
  /** How often what ended is tried. */
  rounds?: number;
}

export interface UpOutcome {
  /** As it was before anything was done. */
  plan: Plan;
  done: Done[];
  failed: Failed[];
  notReached: number;
  /** Agents of the file that stand at a question before they can be talked to. */
  asking: StartQuestion[];
}

export interface Failed {
  agent: Role;
  why: string;
  hint: string | null;
  /** 3 where something could not be looked at. */
  exitCode: ExitCode;
}

/** The plan as it is now: nothing is done. */
export async function planNow(
  world: TeamWorld,
  file: TeamFile,
  only: ReadonlySet<Role>,
  options: UpOptions,
): Promise<Plan> {
  checkProject(world, file);
  const facts = await lookAt(world, file);
  const anew = beginningAnew(file, only, facts.seats, options.isFresh);
  return planTeam(file, only, facts, { ...options, anew }, options.mode);
}

/** Called while no other command changes the team. */
export async function bringUp(
  world: TeamWorld,
  file: TeamFile,
  only: ReadonlySet<Role>,
  options: UpOptions,
): Promise<UpOutcome> {
  checkProject(world, file);
  const before = world.stores.receipts.end();
  await followLive(world, file);
  const facts = await lookAt(world, file);
  const anew = beginningAnew(file, only, facts.seats, options.isFresh);
  const planOf = (now: WantedFacts) => planTeam(file, only, now, { ...options, anew }, options.mode);
  const plan = planOf(facts);
  const todo = deeds(plan);
  if (plan.steps.some((step) => step.do !== "refuse")) await claimProject(world, file);
  await adoptRunning(world, file, plan.steps);
  await renewPolicies(world, file, facts);
  const asking = async () =>
    (await questionsIn(world, file.team)).filter(({ role }) => role !== null && only.has(role));
  const adopted = plan.steps.filter((step) => step.do === "adopt").map(asDone);
  if (todo.length === 0) return { plan, done: adopted, failed: [], notReached: 0, asking: await asking() };

  checkPrograms(world, todo);
  if (!world.stores.teams.read().rows.some((row) => row.team === file.team))
    await world.emit({ name: "team.created", team: file.team, description: "" });
  if (facts.stood.length > 0) await letGo(world, file.team, facts.fleet, { starts: [], isLost: true });
  const { done, failures, notReached } = await takeRounds(world, file, todo, {
    rounds: options.rounds ?? limits.upRounds,
    next: async () => deeds(planOf(await lookAt(world, file))),
    onAnew: (agent) => anew.delete(agent),
  });
  await followLive(world, file);
  if (facts.stood.length > 0) sayBuried(world, file, before);
  await sayKept(world, file);
  const failed = [...failures].map(([agent, { message: why, hint = null, exitCode }]) => {
    return { agent, why, hint, exitCode };
  });
  return { plan, done: [...adopted, ...done.values()], failed, notReached, asking: await asking() };
}

function asDone({ agent, address, session, why, remarks }: Step): Done {
  return { do: "adopt", agent, address, session, parent: null, why, remarks };
}

/** The stores follow what is live, and with them what agents moved on to; nothing to follow where nothing runs. */
export async function followLive(world: TeamWorld, { team }: TeamFile): Promise<void> {
  const { panes } = await world.panes();
  if (!panes.some(({ sessionName }) => sessionName === team)) return;
  const { warnings } = await world.refresh(team);
  for (const warning of warnings) world.say(`warning: ${harmless(warning)}`);
}

/** Of a team that was lost, what waited for who is found to be gone for good. */
function sayBuried({ stores, say }: TeamWorld, { team }: TeamFile, since: Place): void {
  const { rows } = stores.receipts.readFrom(since);
  const buried = rows.filter(({ step, pane }) => step === "cleared" && addressParts(pane).team === team);
  if (buried.length === 0) return;
  say(`messages that waited for agents that are gone: ${buried.length}, kept among the dead letters`);
}

/** Whoever does not come back loses nothing: its rows and messages wait. */
async function sayKept(world: TeamWorld, { team, agents }: TeamFile): Promise<void> {
  const seen = await world.panes();
  const kept = keptIn(seen, storedRows(world.stores), team);
  const own = kept.filter((role) => agents.some(({ id }) => id === role));
  const others = kept.filter((role) => !own.includes(role));
  const tell = (roles: readonly Role[], way: string) =>
    roles.length > 0 && world.say(`not brought back, and kept: ${roles.join(", ")} (${way})`);
  tell(own, `hivemind up ${own.join(" ")}`);
  tell(others, wayBack(seen, team));
}

/** When to bring an agent back is no question of how it was started: a changed policy holds from now on. */
async function renewPolicies(
  { tmux }: TeamWorld,
  { agents }: TeamFile,
  { seats }: WantedFacts,
): Promise<void> {
  for (const { id, restart } of agents) {
    const seat = seats.of(id);
    if (seat === null || seat.launch === null || seat.launch.restart === restart) continue;
    const launch = formatLaunch(seat.pane.id, { ...seat.launch, restart });
    await setPaneOption(tmux, seat.pane.id, launchOption, launch);
  }
}

/** One that is not installed is told once, not for each agent. */
function checkPrograms({ env }: TeamWorld, todo: readonly Step[]): void {
  const kinds = new Set(todo.flatMap(({ start }) => start?.wanted.agent.kind ?? []));
  for (const kind of kinds) agentOfKind(kind)?.program(env);
}
