// The interface of an action, and the helpers that all actions share.

import { until } from "../home.js";
import type { Known, Memory } from "./memory.js";
import type { Random } from "./random.js";
import { isTeamName } from "./rows.js";
import type { Ran, Seen, Stage } from "./stage.js";

export interface Scene {
  stage: Stage;
  memory: Memory;
  random: Random;
}

export interface Action {
  name: string;
  /** How often it is chosen, relative to the others. */
  weight: number;
  /** Returns what it did, in words; null if it is impossible now. */
  run(scene: Scene): Promise<string | null> | string | null;
}

/** Something that must never happen, whatever was done before. */
export class Finding extends Error {}

/** More processes would find nothing more. */
export const mostAgents = 8;
/** The tmux session that is not a team: it keeps the server alive. */
export const bystander = "zz";

export function agents({ memory }: Scene): Known[] {
  return memory.now().filter(({ known, isAlive }) => known.kind === "agent" && isAlive);
}

export function ended({ memory }: Scene): Known[] {
  return memory.now().filter(({ known, isAlive }) => known.kind === "agent" && !isAlive);
}

/** The panes that may be moved; the bystander's own pane stays. */
export function movable({ memory }: Scene): Known[] {
  return memory.now().filter(({ id }) => id !== memory.bystander);
}

/** tmux sessions that can be a team by their name, except the bystander. */
export function sessions({ stage }: Scene): Seen[] {
  const first = new Map<string, Seen>();
  for (const pane of stage.panes()) if (!first.has(pane.sessionId)) first.set(pane.sessionId, pane);
  return [...first.values()].filter(isInTeam);
}

/** In a tmux session that is a team, or could be one by its name. */
export function isInTeam({ sessionName }: Seen): boolean {
  return sessionName !== bystander && isTeamName(sessionName);
}

export function hasTranscript({ stage }: Scene, { known }: Known): boolean {
  return known.uuid !== null && stage.transcriptsOf(known.uuid).length > 0;
}

export async function done(running: Promise<Ran>): Promise<Ran> {
  const ran = await running;
  if (ran.code !== 0) throw new Finding(`hivemind ${ran.args.join(" ")}: exit ${ran.code}: ${ran.stderr}`);
  return ran;
}

/** Succeeds, or refuses with a reason: a person may ask for something wrong. */
export async function doneOrRefused(running: Promise<Ran>): Promise<boolean> {
  const ran = await running;
  if (ran.code === 0) return true;
  if (ran.code === 1) return false;
  throw new Finding(`hivemind ${ran.args.join(" ")}: exit ${ran.code}: ${ran.stderr}`);
}

/** The same, for a command whose team may be locked for longer than it waits. */
export async function doneOrHeld(running: Promise<Ran>): Promise<boolean> {
  const ran = await running;
  const isHeld = ran.code === 1 && /is being changed by|hivemind: skipped /.test(ran.stderr);
  return isHeld ? false : (await done(Promise.resolve(ran))).code === 0;
}

/** The panes that `act` created. */
export async function newPanes({ stage }: Scene, act: () => Promise<unknown> | unknown): Promise<Seen[]> {
  const before = new Set(stage.panes().map(({ id }) => id));
  await act();
  return stage.panes().filter(({ id }) => !before.has(id));
}

/** tmux sometimes misses the end of a child until another one ends. */
export async function reaped({ stage }: Scene, id: string): Promise<void> {
  await until(`tmux knows that ${id} ended`, () => {
    stage.tryTmux("run-shell", "-b", "true");
    return !stage.panes().some((pane) => pane.id === id) || paneIsDead(stage, id);
  });
}

function paneIsDead(stage: Stage, id: string): boolean {
  return stage.tmux("display-message", "-p", "-t", id, "#{pane_dead}") === "1";
}

/** Gives this home to a pane that the test creates: new panes otherwise have the server's environment. */
export function paneEnvironment({ stage }: Scene): string[] {
  return Object.entries(stage.home.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
}
