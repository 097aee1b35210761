// Which rows the board shows, and in which order. Pure.
//
// - An agent that waits for a person comes first in its team, and its team first among the teams.
// - Everything else keeps the order of tmux, so that a row stays where it was.

import type { AgentView } from "../../src/fleet/view.js";

export const groups = ["waiting", "working", "idle", "trouble", "away"] as const;
export type Group = (typeof groups)[number];

/** What the row needs from its agent: few facts, so that the order is rarely computed for nothing. */
export interface Row {
  key: string;
  agent: AgentView;
}

export interface Wishes {
  filter: string;
  /** Null: all. */
  group: Group | null;
}

/** Also of an agent of another host, which may have words that this version does not know. */
export interface Doing {
  activity: string | null;
  standing: string | null;
}

export function groupOf({ activity, standing }: Doing): Group {
  switch (activity) {
    case "waiting":
      return "waiting";
    case "busy":
      return "working";
    case "limited":
    case "error":
    case "crashed":
      return "trouble";
    case null:
      return standing === "present" || standing === null ? "idle" : "away";
    default:
      return "idle";
  }
}

/** What the mark of a row says: the activity, or why there is none. */
export function stateOf({ activity, standing }: Doing): string | null {
  return activity ?? standing;
}

/** Shells are no agents, unless one crashed there. */
export function isShown({ kind, activity, agent }: AgentView): boolean {
  return agent !== null || activity === "crashed" || (kind !== "shell" && kind !== "monitor");
}

export function rowsOf(team: string, rows: readonly Row[], { filter, group }: Wishes): Row[] {
  const shown = rows.filter(
    ({ agent }) =>
      isShown(agent) && (group === null || groupOf(agent) === group) && fits(filter, team, agent),
  );
  return waitingFirst(shown, ({ agent }) => groupOf(agent) === "waiting");
}

export function waitingFirst<T>(items: readonly T[], isWaiting: (item: T) => boolean): T[] {
  return [...items.filter(isWaiting), ...items.filter((item) => !isWaiting(item))];
}

function fits(filter: string, team: string, agent: AgentView): boolean {
  const { role, pane, activity, standing, waitingFor, model, cwd, title, kind } = agent;
  return hasWords(filter, [team, role, pane, activity, standing, waitingFor, model, cwd, title, kind]);
}

/** Every word of the filter must be somewhere. */
export function hasWords(filter: string, texts: readonly (string | null)[]): boolean {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const text = texts.join("\n").toLowerCase();
  return words.every((word) => text.includes(word));
}

/** How people call it. */
export function labelOf({ role, pane, agent }: Pick<AgentView, "role" | "pane" | "agent">): string {
  return role ?? (pane || `@${agent}`);
}

/** How commands name it; null for what is no agent. */
export function nameOf({ paneId, agent }: Pick<AgentView, "paneId" | "agent">): string | null {
  return paneId ?? (agent === null ? null : `@${agent}`);
}

/** `claude-opus-4-8` is `opus-4-8`. */
export function shortModel(model: string | null): string {
  return model?.replace(/^claude-/, "") ?? "";
}
