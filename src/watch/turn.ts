// One turn of the watcher: one look, the decision, and its steps.
//
// - A turn with nothing to do is one look and no write. It does nothing once per pane.
// - A process that does not work only looks and reports. It still remembers what a later save must know.
// - A failing step is reported once, and again when it is well. The other steps are done, and the loop goes on.
// - A failed look changes no memory: what could not be seen is not gone.
// - Events of other processes during the steps count at the next look.

import type { HiveEvent } from "../events/event.js";
import { type ServerKey, serverKey } from "../names/seat.js";
import { type Calm, calmOf } from "./calm.js";
import { decide, lookOn, type Memory, noMemory, type Step, type Wishes } from "./decide.js";
import type { Fact } from "./fact.js";
import { notWanted } from "./heal.js";
import { lookAtFleet, type Sources } from "./look.js";
import { openLookCost } from "./look-cost.js";
import { openNewEvents } from "./new-events.js";
import { openRecorded } from "./recorded.js";
import { openSaves } from "./saves.js";
import { bearable, carryOut, type Work } from "./steps.js";
import type { WatchWorld } from "./world.js";

export interface Turn {
  facts: Fact[];
  steps: readonly Step["do"][];
  /** What the look cost. */
  lookMs: number;
  /** The folders whose changes wake the loop; null when the look failed. */
  folders: readonly string[] | null;
  /** The tmux server of this look; null where none runs, and when the look failed. */
  server: ServerKey | null;
  /** What has to stay the same while a glance is enough; null if only a look is. */
  calm: Calm | null;
}

/** Turns with a memory. `now` is a monotonic clock. */
export function openTurns(
  world: WatchWorld,
  wishes: Wishes,
  now: () => number = () => performance.now(),
): (isWorking?: boolean) => Promise<Turn> {
  const { stores } = world;
  const events = openNewEvents(stores.events);
  const sources: Sources = {
    ...{ world, events, now },
    recorded: openRecorded(stores.forks),
    saves: openSaves(stores.snapshots),
  };
  const troubles = new Map<string, string>();
  const cost = openLookCost();
  let memory: Memory = noMemory;
  /** Events of others during the steps of the last turn; they were reported then. */
  let carried: readonly HiveEvent[] = [];

  return async (isWorking = true) => {
    const facts: Fact[] = [];
    const report = (logged: readonly HiveEvent[]) =>
      facts.push(...logged.map((event): Fact => ({ kind: "event", event })));
    const attempt = attempting(troubles, facts);

    cost.begin();
    const seen = await attempt("looking", () => lookAtFleet(sources));
    const lookMs = cost.end();
    if (seen === null) return { facts, steps: [], lookMs, folders: null, server: null, calm: null };

    const { fleet } = seen;
    const news = { ...seen, events: [...carried, ...seen.events] };
    const decision = isWorking ? decide(memory, news, wishes) : lookOn(memory, news);
    const { steps, ...decided } = decision;
    report(seen.events);
    facts.push(...decided.facts);
    world.holdRequests(isWorking ? fleet : null);
    if (isWorking) world.onLook?.(fleet, seen.screens);
    const work: Work = { ...sources, fleet, stopped: new Map(decided.memory.stopped), unwanted: [] };
    for (const step of steps)
      facts.push(...((await attempt(inWords[step.do], () => carryOut(step, work))) ?? []));
    const heals = notWanted(decided.memory.heals, work.unwanted);
    memory = { ...decided.memory, stopped: work.stopped, heals };
    const meanwhile = events.read();
    report(meanwhile);
    carried = events.byOthers(meanwhile);
    const server = fleet.server && serverKey(fleet.server);
    return {
      ...{ facts, steps: steps.map((step) => step.do), lookMs, folders: world.folders(fleet), server },
      calm: troubles.size + carried.length > 0 ? null : calmOf(news, decision),
    };
  };
}

/** Resolves to null if the work failed. Reports the first failure, and the first success after it. */
function attempting(troubles: Map<string, string>, facts: Fact[]) {
  return async <T>(what: string, work: () => Promise<T>): Promise<T | null> => {
    try {
      const done = await work();
      if (troubles.delete(what)) facts.push({ kind: "well", text: `${what}: well again` });
      return done;
    } catch (error) {
      const why = bearable(error);
      if (troubles.get(what) !== why) facts.push({ kind: "trouble", text: `${what}: ${why}` });
      troubles.set(what, why);
      return null;
    }
  };
}

const inWords: Record<Step["do"], string> = {
  refresh: "bringing the stores up to date",
  sweep: "sweeping hook reports",
  drain: "delivering messages",
  heal: "restarting crashed agents",
  save: "saving",
  size: "applying the size locks",
  show: "writing tmux's status line",
  reconcile: "repairing",
};
