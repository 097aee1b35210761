// What one turn of the watcher reports and does, as data. Pure.
//
// - Without a change there is no step and no fact.
// - While a command changes a team, the watcher neither refreshes the stores nor saves that team.
// - It saves and repairs only after the stores follow what runs.
// - What a refresh could not settle is tried again later, not at every turn: the log would grow for ever.
// - It drains the queues of idle agents, and queues with a message that needs no idle agent. An agent that took no
//   message is left alone for a while.
// - Autosaves and repairs keep a distance in time: changes in between become one of them.
// - A host that is cut off from its fleet delivers nothing and restarts nobody. Neither counts as a try.
// - What tmux itself shows of the fleet is written when it changed, if the user wants it there.
// - It enlarges windows that are below the smallest size of their team, and tries again later if a client keeps them small.

import type { HiveEvent } from "../events/event.js";
import { limits } from "../limits.js";
import type { AgentId } from "../names/agent-id.js";
import type { TeamName } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";
import type { SnapshotRow } from "../stores/text/snapshot-text.js";
import type { TmuxCommand } from "../tmux/tmux.js";
import type { CrashedAgent } from "../up/heal.js";
import type { Launches } from "../up/launch.js";
import { endedIn, isAmong, planAutosave } from "./autosave.js";
import type { Fact } from "./fact.js";
import { type HealMemory, planHeals } from "./heal.js";
import { type Noticed, notice, type Sight } from "./noticed.js";
import { labelChanges, labelsOf } from "./tmux-labels.js";

export interface Memory {
  noticed: Noticed | null;
  /** The rows that a save would have written at the last look. */
  rows: readonly SnapshotRow[];
  /** Agents that commands ended and that the newest snapshots still have. */
  ended: readonly SnapshotRow[];
  /** The last refresh, as text, and when. */
  refreshed: { plan: string; atMs: number };
  /** Agents that took no message, and when that was. */
  stopped: ReadonlyMap<AgentId, number>;
  /** Which teams are not saved and why, as last reported. */
  unsaved: string;
  savedAtMs: number;
  reconciledAtMs: number;
  sizedAtMs: number;
  /** Crashed agents that the watcher restarted. */
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
  /** By a monotonic clock. */
  nowMs: number;
  /** By the clock of the day. */
  clockMs: number;
  /** What a refresh would write into the roster now, as text. */
  unwritten: readonly string[];
  /** The rows that a refresh would add to S5. */
  newRows: readonly ForkRow[];
  /** Hook reports that a refresh would remove. */
  usedUp: readonly string[];
  launches: Launches;
  registered: readonly TeamName[];
  /** The events of other processes since the last turn. */
  events: readonly HiveEvent[];
  /** The host is in a fleet that it does not reach: it types and starts nothing. */
  isCutOff?: boolean;
  /** Agents with queued messages. */
  queued: readonly AgentId[];
  /** Those with a message that needs no idle agent: its inbox takes it, or has it. */
  handed: readonly AgentId[];
  /** Whether a window is below the smallest size of its team. */
  isTooSmall: boolean;
  rows: readonly SnapshotRow[];
  /** Agents of which a save would record less than the snapshot has. */
  lost: readonly SnapshotRow[];
  saved: ReadonlyMap<TeamName, readonly SnapshotRow[]>;
}

export type Step =
  | { do: "refresh" }
  | { do: "sweep"; reports: readonly string[] }
  | { do: "drain"; agents: readonly AgentId[] }
  | { do: "heal"; patients: readonly CrashedAgent[] }
  | { do: "save"; teams: readonly TeamName[] }
  | { do: "size" }
  | { do: "show"; changes: readonly TmuxCommand[] }
  | { do: "reconcile" };

export interface Wishes {
  isReconciling: boolean;
  /** How long what tmux shows of this look is valid; undefined: show nothing. */
  showsForMs?: number;
}

export interface Decision {
  memory: Memory;
  facts: Fact[];
  steps: Step[];
  /** A save waits for its time. */
  isWaiting: boolean;
}

/** For a process that leaves the work to another one. */
export function lookOn(before: Memory, look: Look): Decision {
  const killed = killedIn(look.events);
  const { now: noticed, facts } = notice(before.noticed, { ...look, killed });
  // On a new server the same addresses belong to other panes.
  const isSameServer = before.noticed?.server === noticed.server;
  const ended = [...before.ended, ...(isSameServer ? endedIn(killed, before.rows) : [])];
  const unsaved = ended.filter((row) => isAmong(row, look.saved.get(row.team) ?? []));
  return {
    memory: { ...before, noticed, rows: look.rows, ended: unsaved },
    facts,
    steps: [],
    isWaiting: false,
  };
}

export function decide(before: Memory, look: Look, wishes: Wishes): Decision {
  const { nowMs, changing } = look;
  const { memory, facts, steps } = lookOn(before, look);
  const noticed = memory.noticed!;

  const isBehind = look.unwritten.length + look.newRows.length > 0;
  if (isBehind) {
    const plan = JSON.stringify([look.unwritten, look.newRows.map((row) => ({ ...row, at: "" }))]);
    const { refreshed } = before;
    const isTried = refreshed.plan === plan && nowMs - refreshed.atMs < limits.watchAgainMs;
    if (!isTried && !look.registered.some((team) => changing.has(team))) {
      memory.refreshed = { plan, atMs: nowMs };
      steps.push({ do: "refresh" });
    }
  }

  const { usedUp } = look;
  if (!isBehind && usedUp.length > 0) steps.push({ do: "sweep", reports: usedUp });

  // An agent that listens since this look may take what it did not take before.
  const [was, is] = [listening(before.noticed ?? noticed), listening(noticed)];
  const hasChanged = (agent: AgentId) => is.has(agent) && !was.has(agent);
  memory.stopped = new Map(
    [...before.stopped].filter(([agent, atMs]) => nowMs - atMs < limits.watchAgainMs && !hasChanged(agent)),
  );
  const ready = new Set([...is, ...look.handed]);
  const agents = look.queued.filter((agent) => ready.has(agent) && !memory.stopped.has(agent));
  if (agents.length > 0 && look.isCutOff !== true) steps.push({ do: "drain", agents });

  const noHeals = { memory: before.heals, facts: [], patients: [] };
  const healing = look.isCutOff === true ? noHeals : planHeals(before.heals, look, changing, nowMs);
  memory.heals = healing.memory;
  facts.push(...healing.facts);
  if (healing.patients.length > 0) steps.push({ do: "heal", patients: healing.patients });

  if (look.isTooSmall && nowMs - before.sizedAtMs >= limits.watchAgainMs) {
    memory.sizedAtMs = nowMs;
    steps.push({ do: "size" });
  }

  const { showsForMs: forMs } = wishes;
  if (forMs !== undefined) {
    const labels = labelsOf(look.fleet, look.screens);
    const changes = labelChanges(look.fleet, labels, { nowMs: look.clockMs, forMs });
    if (changes.length > 0) steps.push({ do: "show", changes });
  }

  if (isBehind) return { memory, facts, steps, isWaiting: false };

  const { teams, missing } = planAutosave(look, memory.ended);
  const savable = teams.filter((team) => !changing.has(team));
  const isSaveDue = nowMs - before.savedAtMs >= limits.autosaveGapMs;
  if (savable.length > 0 && isSaveDue) {
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
  return { memory, facts, steps, isWaiting: savable.length > 0 && !isSaveDue };
}

/** The agents that commands ended, by id or else by address. */
function killedIn(events: readonly HiveEvent[]): ReadonlySet<string> {
  return new Set(
    events.flatMap((event) =>
      event.name === "agent.killed" && event.cause === "asked" ? (event.agent ?? event.pane) : [],
    ),
  );
}

function unsavedText(team: TeamName, agents: readonly string[]): string {
  return `${team}: ${agents.join(", ")} ended without a command, so the team is not saved; if that is right: hivemind save`;
}

function listening({ agents }: Noticed): ReadonlySet<AgentId> {
  return new Set([...agents.values()].flatMap(({ listens, agent }) => (listens ? (agent ?? []) : [])));
}
