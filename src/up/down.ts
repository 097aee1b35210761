// Shuts a team down: asks its agents to exit, ends those that do not, and closes their panes.
//
// - An agent is asked with the command that ends it, only while it listens. A working agent is waited for, up to one time limit for
//   all. Then its process is ended.
// - Only panes of this project close, and panes that are kept open without an agent. The tmux session ends with its
//   last pane, and stays for panes of others.
// - An interruption ends the wait: panes of agents that have exited close, the others stay as they are.
// - Conversations and worktrees stay. On request worktrees are removed, but only if no work would be lost, and never
//   one that someone still works in.

import { setTimeout as rest } from "node:timers/promises";
import { agentOfKind } from "../agents/all.js";
import { harmless } from "../base/text/escape-terminal.js";
import type { FleetPane } from "../fleet/panes.js";
import { removeWorktree } from "../git/worktree-change.js";
import { limits } from "../limits.js";
import { deliverInTurn } from "../messages/deliver.js";
import type { PaneAddress, PaneId, Role } from "../names/gates.js";
import type { TeamFile, WantedAgent } from "../teamfile/team-file.js";
import { killAgent } from "../teams/kill.js";
import { isFreePane } from "../teams/snapshot/place-rows.js";
import { sparePanes } from "../teams/spare-panes.js";
import type { TeamWorld } from "../teams/world.js";
import { killPane } from "../tmux/pane.js";
import type { AgentPane } from "./agent-panes.js";
import { lookAt } from "./look.js";
import { sessionOf } from "./opening.js";
import { checkProject } from "./project.js";
import { notOurs } from "./step.js";
import { followLive } from "./up.js";
import type { WantedFacts } from "./wanted.js";

export interface DownOptions {
  /** Null: all agents of this project. */
  only: ReadonlySet<Role> | null;
  timeoutMs: number;
  removesWorktrees: boolean;
  /** The pane of this command. */
  own: PaneId | null;
}

export interface DownOutcome {
  ended: Ended[];
  /** Why a pane with the name of an agent stays. */
  left: { agent: Role; why: string }[];
  /** Not ended because of an interruption. */
  notReached: number;
  /** The tmux session is gone. */
  isGone: boolean;
  worktrees: { agent: Role; path: string; why: string | null }[];
}

export interface Ended {
  agent: Role;
  address: PaneAddress;
  /** `left`: it exited by itself when asked. */
  how: "left" | "ended" | "closed";
  /** Messages queued for it. */
  waiting: number;
}

/** The caller holds the team. */
export async function bringDown(
  world: TeamWorld,
  file: TeamFile,
  options: DownOptions,
): Promise<DownOutcome> {
  checkProject(world, file);
  const facts = await lookAt(world, file, await followLive(world, file));
  const outcome: DownOutcome = { ended: [], left: [], notReached: 0, isGone: false, worktrees: [] };
  const chosen: Chosen[] = [];
  for (const { agent, pane, whyNot } of panesOf(file, facts, options)) {
    if (whyNot === null) chosen.push({ agent, pane });
    else outcome.left.push({ agent, why: whyNot });
  }
  for (const { id } of agentsOf(file, options))
    if (facts.seats.of(id) === null && facts.seats.absent(id)?.isElsewhere === true)
      outcome.left.push({ agent: id, why: "it runs on another tmux server" });
  const gone = await askToLeave(world, chosen, performance.now() + options.timeoutMs);
  for (const { agent, pane } of chosen) {
    const hasLeft = gone.has(pane.id);
    if (world.interrupted.aborted && !hasLeft) {
      outcome.notReached += 1;
      continue;
    }
    world.progress(`${agent}: closing its pane`);
    const how = pane.process === null ? "closed" : hasLeft ? "left" : "ended";
    const { waiting } = await killAgent(world, pane, { isForgotten: false });
    outcome.ended.push({ agent, address: pane.address, how, waiting });
  }
  world.progress(null);
  const isWhole = options.only === null && outcome.notReached === 0;
  const seen = await world.panes();
  const spare = isWhole ? sparePanes(seen, file.team) : [];
  for (const { id } of spare) await killPane(world.tmux, id);
  const { panes } = spare.length === 0 ? seen : await world.panes();
  const isThere = panes.some(({ sessionName }) => sessionName === file.team);
  outcome.isGone = chosen.length + spare.length > 0 && !isThere;
  if (!outcome.isGone) await followLive(world, file);
  if (options.removesWorktrees) outcome.worktrees = await removeWorktrees(world, file, facts, options);
  return outcome;
}

/** Running agents of this project that its file no longer has. */
export async function leftAgents(world: TeamWorld, file: TeamFile): Promise<Role[]> {
  const { seats } = await lookAt(world, file);
  return seats.left.map(({ launch }) => launch.agent);
}

interface Chosen {
  agent: Role;
  pane: FleetPane;
}

function agentsOf({ agents }: TeamFile, { only }: Pick<DownOptions, "only">): WantedAgent[] {
  return agents.filter(({ id }) => only?.has(id) ?? true);
}

function panesOf(file: TeamFile, facts: WantedFacts, { only, own }: Pick<DownOptions, "only" | "own">) {
  const seated = agentsOf(file, { only }).flatMap((agent) => {
    const seat = facts.seats.of(agent.id);
    if (seat === null) return [];
    return [{ agent: agent.id, pane: seat.pane, whyNot: whyNotOurs(file, agent, seat, facts) }];
  });
  const left = facts.seats.left.map(({ pane, launch }) => ({ agent: launch.agent, pane, whyNot: null }));
  return [...seated, ...left.filter(({ agent }) => only?.has(agent) ?? true)].map((each) =>
    each.pane.id === own ? { ...each, whyNot: `this command runs in its pane, ${each.pane.address}` } : each,
  );
}

function whyNotOurs(file: TeamFile, agent: WantedAgent, seat: AgentPane, facts: WantedFacts): string | null {
  const { id, address, sessionName } = seat.pane;
  if (sessionName !== file.team) return `it runs in ${harmless(address)}, not in ${file.team}`;
  if (seat.launch !== null) return null;
  if (seat.otherProject !== null) return notOurs(address, seat.otherProject);
  // A restored or ended agent is ours; a person's own program in a pane with that name is not.
  const uuid = facts.fleet.sessions.get(id)?.uuid ?? null;
  const isIt = seat.isRunning
    ? uuid === sessionOf(file, agent, facts)
    : isFreePane(seat.pane) || agent.kind === "shell";
  return isIt ? null : `${address} has its name but was not started by this project`;
}

/** The panes whose program exited by itself. All are asked at once: each takes as long as it works. */
async function askToLeave(
  world: TeamWorld,
  chosen: readonly Chosen[],
  untilMs: number,
): Promise<Set<PaneId>> {
  const waiting = new Set(chosen.filter(({ pane }) => pane.process !== null));
  const gone = new Set(chosen.filter(({ pane }) => pane.process === null).map(({ pane }) => pane.id));
  const show = () => {
    const names = [...waiting].map(({ agent }) => agent);
    const seconds = Math.max(0, Math.ceil((untilMs - performance.now()) / 1000));
    world.progress(names.length === 0 ? null : `waiting for ${names.join(", ")} to leave, ${seconds} s`);
  };
  const ask = async (each: Chosen) => {
    show();
    if (await leaves(world, each.pane, untilMs, show)) gone.add(each.pane.id);
    waiting.delete(each);
    show();
  };
  const left = [...waiting].values();
  const worker = async () => {
    for (const each of left) await ask(each);
  };
  await Promise.all(Array.from({ length: limits.broadcastAtOnce }, worker));
  return gone;
}

async function leaves(
  world: TeamWorld,
  { id, agent, kind }: FleetPane,
  untilMs: number,
  show: () => void,
): Promise<boolean> {
  const leaving = agentOfKind(kind)?.keyboard?.leaving ?? "/exit";
  for (;;) {
    const said = await deliverInTurn(world, agent?.id ?? null, id, leaving);
    if (said.outcome !== "refused") return hasEnded(world, id, performance.now() + limits.leaveExitMs);
    if (said.stance.kind === "absent") return true;
    if (performance.now() > untilMs || world.interrupted.aborted) return false;
    show();
    await rest(limits.waitPollMs, undefined, { signal: world.interrupted }).catch(() => {});
  }
}

async function hasEnded(world: TeamWorld, pane: PaneId, untilMs: number): Promise<boolean> {
  for (;;) {
    const found = (await world.panes()).panes.find(({ id }) => id === pane);
    if (found === undefined || found.process === null) return true;
    if (performance.now() > untilMs) return false;
    await rest(limits.startPollMs);
  }
}

async function removeWorktrees(
  world: TeamWorld,
  file: TeamFile,
  { worktreeOf }: WantedFacts,
  { only }: DownOptions,
): Promise<DownOutcome["worktrees"]> {
  const found: DownOutcome["worktrees"] = [];
  const isLookedAt = (path: string) => found.some((each) => each.path === path);
  for (const { id: agent } of file.agents) {
    const place = only === null || only.has(agent) ? worktreeOf(agent) : null;
    if (place === null || typeof place === "string" || place.is !== "there" || isLookedAt(place.path))
      continue;
    const { path } = place;
    const isInside = (cwd: string) => cwd === path || cwd.startsWith(`${path}/`);
    const { panes } = await world.panes();
    const busy = panes.find(({ cwd, live }) => isInside(cwd) || isInside(live?.cwd ?? ""));
    const why =
      busy === undefined
        ? await removeWorktree(place, { env: world.env })
        : `${harmless(busy.address)} works in it`;
    found.push({ agent, path, why });
  }
  return found;
}
