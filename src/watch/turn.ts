// One turn of the loop: one look, what follows from it, and those steps done.
//
// [WU1] A turn in which nothing is to do is one look and no write; nothing in it is done once for each pane.
// [WU2] What fails is told once, and when it is well again; the other steps are done, and the loop goes on.
// [WU3] A look that failed changes nothing that is remembered: what could not be seen is not gone.
// [WU4] What others log while the steps of a turn are done counts at the next look, like what they log between turns.

import { errorCode, HiveError } from "../base/errors.js";
import { LockedError } from "../base/lock.js";
import { formatArguments, type HiveEvent } from "../events/event.js";
import { homesNow, keptSince } from "../fleet/homes.js";
import { keyedRows, storedRows } from "../fleet/moves.js";
import type { Fleet } from "../fleet/observe.js";
import { planRefresh } from "../fleet/refresh.js";
import { shownRoles } from "../fleet/resolve.js";
import { wishesOf } from "../layout/apply-sizes.js";
import { tooSmall } from "../layout/sizes.js";
import { limits } from "../limits.js";
import type { PaneAddress } from "../names/gates.js";
import type { Place } from "../stores/append-file.js";
import { waitingAt } from "../stores/queue-homes.js";
import { rowWriter } from "../stores/row-writer.js";
import { lostIn, snapshotOf } from "../teams/save.js";
import { decide, type Look, type Memory, noMemory, type Step, type Wishes } from "./decide.js";
import type { Fact } from "./fact.js";
import { notWanted, type Patient } from "./heal.js";
import { openRecorded } from "./recorded.js";
import { openSaves } from "./saves.js";
import type { WatchWorld } from "./world.js";

export interface Turn {
  facts: Fact[];
  steps: readonly Step["do"][];
  /** How long the look took. */
  lookMs: number;
  /** Where a change matters; null when nothing could be seen. */
  folders: readonly string[] | null;
}

/** Turns that remember the ones before. `now` only ever goes forward: the clock of the day may be set back. */
export function openTurns(
  world: WatchWorld,
  wishes: Wishes,
  now: () => number = () => performance.now(),
): () => Promise<Turn> {
  const { stores } = world;
  const recorded = openRecorded(stores.forks);
  const saves = openSaves(stores.snapshots);
  const troubles = new Map<string, string>();
  let memory: Memory = noMemory;
  let place: Place = stores.events.end();
  /** What others did during the last turn's steps, and was told then. */
  let carried: readonly HiveEvent[] = [];
  const own: string[] = [];
  stores.events.onLogged((events) => void own.push(...events.map(textOf)));

  function newEvents(): HiveEvent[] {
    const { rows, next } = stores.events.readFrom(place);
    place = next;
    return rows.map(({ event }) => event);
  }

  /** As often as we logged the same, it is ours. */
  function byOthers(events: readonly HiveEvent[]): HiveEvent[] {
    const ours = own.splice(0);
    return events.filter((event) => {
      const at = ours.indexOf(textOf(event));
      if (at !== -1) ours.splice(at, 1);
      return at === -1;
    });
  }

  async function look(): Promise<Look> {
    const registered = stores.teams.read().rows.map(({ team }) => team);
    const changingBefore = world.changing(registered);
    const fleet = await world.observe();
    const screens = await world.screens(fleet);
    const rows = keyedRows(stores);
    const kept = keptSince(fleet, rows);
    const waiting = waitingAt(stores, { ...fleet, kept }, fleet.shifts.moved);
    const said = recorded();
    const stored = { ...rows, recordedParent: said.parentOf };
    const options = { nowMs: Date.now(), hostName: world.hostName };
    const { events, forkRows, usedUp } = planRefresh(fleet, stored, options);
    const saved = saves.newest();
    const saving = snapshotOf(fleet, rows, {}, saves.before);
    return {
      nowMs: now(),
      fleet,
      screens,
      roleOf: shownRoles(fleet, rows),
      // Also who began or ended meanwhile: the look may show half of what is being done.
      changing: new Set([...changingBefore, ...world.changing(registered)]),
      plan: { events, usedUp },
      newRows: forkRows.filter((row) => !said.has(row)),
      registered,
      queued: [...waiting.forPanes].flatMap(([pane, { length }]) => (length > 0 ? pane : [])),
      isTooSmall: tooSmall(fleet, wishesOf(stores)).length > 0,
      rows: saving.rows,
      lost: lostIn(saving, fleet),
      saved,
      // Last: what is read here is not read again.
      events: newEvents(),
    };
  }

  return async () => {
    const facts: Fact[] = [];
    const tellAll = (events: readonly HiveEvent[]) =>
      facts.push(...events.map((event): Fact => ({ kind: "event", event })));
    /** Null where it failed. */
    const attempt = async <T>(what: string, work: () => Promise<T>): Promise<T | null> => {
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

    const beganMs = now();
    const seen = await attempt("looking", look);
    const lookMs = now() - beganMs;
    if (seen === null) return { facts, steps: [], lookMs, folders: null };

    const { fleet } = seen;
    const { steps, ...decided } = decide(memory, { ...seen, events: [...carried, ...seen.events] }, wishes);
    tellAll(seen.events);
    facts.push(...decided.facts);
    const stopped = new Map(decided.memory.stopped);
    const unwanted: Patient[] = [];
    for (const step of steps)
      facts.push(
        ...((await attempt(inWords[step.do], () => carryOut(step, fleet, stopped, unwanted))) ?? []),
      );
    memory = { ...decided.memory, stopped, heals: notWanted(decided.memory.heals, unwanted) };
    const meanwhile = newEvents();
    tellAll(meanwhile);
    carried = byOthers(meanwhile);
    return { facts, steps: steps.map((step) => step.do), lookMs, folders: world.folders(fleet) };
  };

  async function carryOut(
    step: Step,
    fleet: Fleet,
    stopped: Map<PaneAddress, number>,
    unwanted: Patient[],
  ): Promise<Fact[]> {
    switch (step.do) {
      case "refresh":
        // Asked anew for each row: others may have written some while we waited for the locks.
        await world.refresh((row) => recorded().has(row));
        return [];
      case "sweep":
        stores.hookReports.sweep(step.reports);
        return [];
      case "drain":
        await rowWriter(stores).bringHome(homesNow(fleet, storedRows(stores)));
        return drainAll(step.panes, stopped);
      case "heal":
        return healAll(step.patients, unwanted);
      case "save": {
        const { path } = await world.save(fleet, step.teams);
        await saves.prune();
        return [{ kind: "saved", text: `${step.teams.join(", ")}: ${path}` }];
      }
      case "size": {
        const { detached, grown } = await world.size();
        return [
          ...detached.map(({ name }) => ({
            kind: "sized" as const,
            text: `detached ${name}, which nobody sits at`,
          })),
          ...grown.map(({ window, to }) => ({
            kind: "sized" as const,
            text: `${window.shownBy.join(", ")}: ${to.width}×${to.height}`,
          })),
        ];
      }
      case "reconcile": {
        const repaired = (await world.repair(fleet))?.repaired ?? [];
        return repaired.map(({ invariant, op, store, key }) => ({
          kind: "repaired" as const,
          text: `${invariant}: ${op} ${key} in ${store}`,
        }));
      }
    }
  }

  /** One that fails keeps no other from coming back. */
  async function healAll(patients: readonly Patient[], unwanted: Patient[]): Promise<Fact[]> {
    const facts: Fact[] = [];
    for (const patient of patients) {
      const { project, agent } = patient;
      try {
        const isBack = await world.heal(project, agent);
        if (isBack) facts.push({ kind: "healed", text: `${project}: ${agent} is back` });
        else unwanted.push(patient);
      } catch (error) {
        facts.push({ kind: "trouble", text: `${project}: ${bearable(error)}` });
      }
    }
    return facts;
  }

  /** Several at once: one delivery is mostly waiting for its agent. */
  async function drainAll(panes: readonly PaneAddress[], stopped: Map<PaneAddress, number>): Promise<Fact[]> {
    const facts: Fact[] = [];
    const left = [...panes];
    const worker = async () => {
      for (let pane = left.shift(); pane !== undefined; pane = left.shift()) {
        const drained = await world.drain(pane).catch(unlessLocked);
        if (drained === null) continue;
        if (drained.fates.length === 0 && drained.stopped !== null) stopped.set(pane, now());
        for (const { id, step, detail } of drained.fates)
          facts.push({ kind: "sent", text: `${id} ${step}${detail === "" ? "" : `: ${detail}`}` });
      }
    };
    await Promise.all(Array.from({ length: limits.broadcastAtOnce }, worker));
    return facts;
  }
}

/** As the log has it: two that were made differently are the same event. */
function textOf(event: HiveEvent): string {
  return `${event.name} ${formatArguments(event)}`;
}

const inWords: Record<Step["do"], string> = {
  refresh: "bringing the stores up to date",
  sweep: "sweeping hook reports",
  drain: "sending what waits",
  heal: "bringing crashed agents back",
  save: "saving",
  size: "applying the size locks",
  reconcile: "repairing",
};

/** What a person or time can mend; anything else is a bug, and ends the loop with its stack. */
function bearable(error: unknown): string {
  if (error instanceof HiveError) return error.message;
  const code = errorCode(error);
  if (code === undefined) throw error;
  return code;
}

/** Somebody else is saying what waits there. */
function unlessLocked(error: unknown): null {
  if (error instanceof LockedError) return null;
  throw error;
}
