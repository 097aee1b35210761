// Which crashed agents of a team file the watcher restarts, and when. Pure.
//
// - It restarts an agent that crashed and whose file says so. It leaves alone an agent that ended in order, and a team
//   that a command is changing.
// - Each try waits twice as long as the one before, up to a cap. After some tries within a while it gives up and reports
//   that once. An agent that runs again after that has all its tries again.
// - If a second look finds that the agent shall not come back, it is not tried again until it was seen running; nothing
//   is reported.

import { activityOf } from "../fleet/activity/activity.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { Role } from "../names/gates.js";
import type { CrashedAgent } from "../up/heal.js";
import { type Launch, type Launches, launchIn } from "../up/launch.js";
import type { AgentFact } from "./fact.js";

export type HealMemory = ReadonlyMap<AgentId, Tries>;

export interface Tries {
  /** The tries within the window, by the monotonic clock. */
  atMs: readonly number[];
  isGivenUp: boolean;
}

export interface Healing {
  memory: HealMemory;
  patients: CrashedAgent[];
  facts: AgentFact[];
}

export function planHeals(
  before: HealMemory,
  { fleet, launches }: { fleet: Pick<Fleet, "panes">; launches: Launches },
  changing: ReadonlySet<string>,
  nowMs: number,
): Healing {
  const memory = new Map<AgentId, Tries>();
  const healing: Healing = { memory, patients: [], facts: [] };
  const started = fleet.panes.flatMap((pane) => {
    const launch = launchIn(launches, pane);
    return launch === null || launch.kind === "shell" ? [] : [{ pane, launch, id: pane.agent!.id }];
  });
  for (const { pane, launch, id } of started) {
    const { project, agent } = launch;
    const known = before.get(id) ?? { atMs: [], isGivenUp: false };
    const atMs = known.atMs.filter((each) => nowMs - each < limits.healWindowMs);
    // A person restarted it: it has all its tries again.
    const now =
      pane.process !== null && known.isGivenUp ? { atMs: [], isGivenUp: false } : { ...known, atMs };
    if (now.atMs.length > 0 || now.isGivenUp) memory.set(id, now);
    if (!isToHeal(pane, launch, changing) || now.isGivenUp) continue;
    if (atMs.length >= limits.heals) {
      memory.set(id, { atMs, isGivenUp: true });
      healing.facts.push(givenUp(pane, agent));
    } else if (isRested(atMs, nowMs)) {
      memory.set(id, { atMs: [...atMs, nowMs], isGivenUp: false });
      healing.patients.push({ id, project, agent });
    }
  }
  return healing;
}

/** `patients` are the agents that a second look found not to be restarted. */
export function notWanted(memory: HealMemory, patients: readonly CrashedAgent[]): HealMemory {
  const left: Tries = { atMs: [], isGivenUp: true };
  return new Map([...memory, ...patients.map(({ id }) => [id, left] as const)]);
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
  const about = `restarted ${limits.heals} times in ${minutes} minutes; giving up. To try again: hivemind up ${role}`;
  return { kind: "crashed", pane: address, paneId: id, team: sessionName, role, about, untilMs: null };
}
