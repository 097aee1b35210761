// What one turn of the loop tells and does, as data. Pure.
//
// [WD1] When nothing changed there is nothing to do: no step, no fact.
// [WD2] While a command is changing a team, stores are not refreshed and that team is not saved.
// [WD3] Nothing is saved or repaired before the stores follow what is live.
// [WD4] What a refresh could not settle is tried again a while later, not at every turn: the log would grow for ever.
// [WD5] Only queues of agents that listen are drained; one of which nothing could be said is left alone for a while.
// [WD6] Autosaves, and repairs, are some time apart: what changes meanwhile is one of them.
// [WD7] Windows below their floor are made to grow; where somebody keeps them small, that is tried again a while later.

import type { HiveEvent } from "../events/event.js";
import type { RefreshPlan } from "../fleet/refresh.js";
import { limits } from "../limits.js";
import type { PaneAddress, TeamName } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";
import type { SnapshotRow } from "../stores/snapshot-text.js";
import { endedAt, isAmong, planAutosave } from "./autosave.js";
import type { Fact } from "./fact.js";
import { type HealMemory, type Patient, planHeals } from "./heal.js";
import { type Noticed, notice, type Sight } from "./noticed.js";

export interface Memory {
  noticed: Noticed | null;
  /** What would have been saved at the last look. */
  rows: readonly SnapshotRow[];
  /** Agents that commands ended, and that the newest snapshots still have. */
  ended: readonly SnapshotRow[];
  /** The last refresh, as text, and when. */
  refreshed: { plan: string; atMs: number };
  /** Queues of which nothing could be said, and when that was. */
  stopped: ReadonlyMap<PaneAddress, number>;
  /** Why which teams are not saved, as it was last told. */
  unsaved: string;
  savedAtMs: number;
  reconciledAtMs: number;
  sizedAtMs: number;
  /** Crashed agents that were brought back. */
  heals: HealMemory;
}

export const noMemory: Memory = {
  noticed: null,
  rows: [],
  ended: [],
  refreshed: { plan: "", atMs: 0 },
  stopped: new Map(),
  unsaved: "",
  savedAtMs: Number.NEGATIVE_INFINITY,
  reconciledAtMs: Number.NEGATIVE_INFINITY,
  sizedAtMs: Number.NEGATIVE_INFINITY,
  heals: new Map(),
};

export interface Look extends Omit<Sight, "killed"> {
  /** By a clock that only goes forward. */
  nowMs: number;
  /** What a refresh would do now, and of its rows of S5 those that are new. */
  plan: Pick<RefreshPlan, "events" | "usedUp">;
  newRows: readonly ForkRow[];
  registered: readonly TeamName[];
  /** What others did since the last turn. */
  events: readonly HiveEvent[];
  /** Panes that messages wait for. */
  queued: readonly PaneAddress[];
  /** Some window is below the floor of its team. */
  isTooSmall: boolean;
  rows: readonly SnapshotRow[];
  /** Agents among them that a save would keep less of than there was. */
  lost: readonly SnapshotRow[];
  saved: ReadonlyMap<TeamName, readonly SnapshotRow[]>;
}

export type Step =
  | { do: "refresh" }
  | { do: "sweep"; reports: readonly string[] }
  | { do: "drain"; panes: readonly PaneAddress[] }
  | { do: "heal"; patients: readonly Patient[] }
  | { do: "save"; teams: readonly TeamName[] }
  | { do: "size" }
  | { do: "reconcile" };

export interface Wishes {
  isReconciling: boolean;
}

export interface Decision {
  memory: Memory;
  facts: Fact[];
  steps: Step[];
}

export function decide(before: Memory, look: Look, wishes: Wishes): Decision {
  const { nowMs, changing } = look;
  const killed = new Set(
    look.events.flatMap((event) =>
      event.name === "agent.killed" && event.how !== "unasked" ? event.pane : [],
    ),
  );
  const { now: noticed, facts } = notice(before.noticed, { ...look, killed });
  const memory: Memory = { ...before, noticed, rows: look.rows };
  const steps: Step[] = [];

  const isBehind = look.plan.events.length + look.newRows.length > 0;
  if (isBehind) {
    const plan = JSON.stringify([look.plan.events, look.newRows.map((row) => ({ ...row, at: "" }))]);
    const { refreshed } = before;
    const isTried = refreshed.plan === plan && nowMs - refreshed.atMs < limits.watchAgainMs;
    if (!isTried && !look.registered.some((team) => changing.has(team))) {
      memory.refreshed = { plan, atMs: nowMs };
      steps.push({ do: "refresh" });
    }
  }

  const { usedUp } = look.plan;
  if (!isBehind && usedUp.length > 0) steps.push({ do: "sweep", reports: usedUp });

  memory.stopped = new Map([...before.stopped].filter(([, atMs]) => nowMs - atMs < limits.watchAgainMs));
  const panes = drainable(noticed, look.queued, memory.stopped);
  if (panes.length > 0) steps.push({ do: "drain", panes });

  const healing = planHeals(before.heals, look.fleet, changing, nowMs);
  memory.heals = healing.memory;
  facts.push(...healing.facts);
  if (healing.patients.length > 0) steps.push({ do: "heal", patients: healing.patients });

  if (look.isTooSmall && nowMs - before.sizedAtMs >= limits.watchAgainMs) {
    memory.sizedAtMs = nowMs;
    steps.push({ do: "size" });
  }

  // Behind the end of a server the same addresses are of others.
  const isSameServer = before.noticed?.server === noticed.server;
  const ended = [...before.ended, ...(isSameServer ? endedAt(killed, before.rows) : [])];
  memory.ended = ended.filter((row) => isAmong(row, look.saved.get(row.team) ?? []));
  if (isBehind) return { memory, facts, steps };

  const { teams, missing } = planAutosave(look, memory.ended);
  const savable = teams.filter((team) => !changing.has(team));
  if (savable.length > 0 && nowMs - before.savedAtMs >= limits.autosaveGapMs) {
    memory.savedAtMs = nowMs;
    steps.push({ do: "save", teams: savable });
  }
  const lacking = missing.filter(({ team }) => !changing.has(team));
  memory.unsaved = JSON.stringify(lacking);
  if (lacking.length > 0 && memory.unsaved !== before.unsaved) {
    for (const { team, agents } of lacking) facts.push({ kind: "unsaved", text: unsavedText(team, agents) });
  }

  if (wishes.isReconciling && nowMs - before.reconciledAtMs >= limits.watchReconcileMs) {
    memory.reconciledAtMs = nowMs;
    steps.push({ do: "reconcile" });
  }
  return { memory, facts, steps };
}

function unsavedText(team: TeamName, agents: readonly string[]): string {
  return `${team}: ${agents.join(", ")} went unasked; if that is right: hivemind teams save`;
}

function drainable(
  { agents }: Noticed,
  queued: readonly PaneAddress[],
  stopped: ReadonlyMap<PaneAddress, number>,
): PaneAddress[] {
  const listening = new Set(
    [...agents.values()].flatMap(({ listens, place }) => (listens ? place.pane : [])),
  );
  return queued.filter((pane) => listening.has(pane) && !stopped.has(pane));
}
