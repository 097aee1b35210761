// Which crashed agents of a written team come back by themselves, and when. Pure.
//
// [UH1] Back comes who crashed and is to come back by its file; not who ended in order, nor who runs in another pane, nor in
//       a team that a command is changing.
// [UH2] The rest before each try is twice as long as before the last, up to a cap; after some tries within a while it is
//       left, and a person is told, once.
// [UH3] One that was seen to run again, after it was given up, is looked after anew.
// [UH5] One that was not to come back after all is not tried again before it was seen to run, and nobody is told of tries.

import { activityOf } from "../fleet/activity.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { Role } from "../names/gates.js";
import { type Launch, parseLaunch } from "../up/launch.js";
import type { AgentFact } from "./fact.js";

/** By project and agent. */
export type HealMemory = ReadonlyMap<string, Tries>;

export interface Tries {
  /** Within the window, by the loop's clock. */
  atMs: readonly number[];
  isGivenUp: boolean;
}

export interface Patient {
  project: string;
  agent: Role;
}

export interface Healing {
  memory: HealMemory;
  patients: Patient[];
  facts: AgentFact[];
}

export function planHeals(
  before: HealMemory,
  { panes }: Pick<Fleet, "panes">,
  changing: ReadonlySet<string>,
  nowMs: number,
): Healing {
  const memory = new Map<string, Tries>();
  const healing: Healing = { memory, patients: [], facts: [] };
  const started = panes.flatMap((pane) => {
    const launch = parseLaunch(pane);
    return launch === null || launch.kind === "shell" ? [] : [{ pane, launch, key: keyOf(launch) }];
  });
  const running = new Set(started.filter(({ pane }) => pane.process !== null).map(({ key }) => key));
  for (const { pane, launch, key } of started) {
    if (pane.process === null && running.has(key)) continue;
    const { project, agent } = launch;
    const known = before.get(key) ?? { atMs: [], isGivenUp: false };
    const atMs = known.atMs.filter((each) => nowMs - each < limits.healWindowMs);
    // Running again behind its end was a person's work: it has all its tries again.
    const now =
      pane.process !== null && known.isGivenUp ? { atMs: [], isGivenUp: false } : { ...known, atMs };
    if (now.atMs.length > 0 || now.isGivenUp) memory.set(key, now);
    if (!isToHeal(pane, launch, changing) || now.isGivenUp) continue;
    if (atMs.length >= limits.heals) {
      memory.set(key, { atMs, isGivenUp: true });
      healing.facts.push(givenUp(pane, agent));
    } else if (isRested(atMs, nowMs)) {
      memory.set(key, { atMs: [...atMs, nowMs], isGivenUp: false });
      healing.patients.push({ project, agent });
    }
  }
  return healing;
}

/** `patients` are those that a second look found not to be healed. */
export function notWanted(memory: HealMemory, patients: readonly Patient[]): HealMemory {
  const left: Tries = { atMs: [], isGivenUp: true };
  return new Map([...memory, ...patients.map((each) => [keyOf(each), left] as const)]);
}

function keyOf({ project, agent }: Patient): string {
  return `${project}:${agent}`;
}

function isToHeal(pane: FleetPane, { restart }: Launch, changing: ReadonlySet<string>): boolean {
  if (restart !== "on-crash" || changing.has(pane.sessionName)) return false;
  return pane.dead && activityOf(pane).activity === "crashed";
}

function isRested(atMs: readonly number[], nowMs: number): boolean {
  const last = atMs.at(-1);
  if (last === undefined) return true;
  return nowMs - last >= Math.min(limits.upBackoffMs * 2 ** (atMs.length - 1), limits.healCapMs);
}

function givenUp({ address, id, sessionName }: FleetPane, role: Role): AgentFact {
  const minutes = Math.round(limits.healWindowMs / 60_000);
  const about = `brought back ${limits.heals} times in ${minutes} minutes, and no more: hivemind up ${role}`;
  return { kind: "crashed", pane: address, paneId: id, team: sessionName, role, about, untilMs: null };
}
