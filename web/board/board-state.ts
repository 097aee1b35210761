// What the board shows, as signals: the wishes of the person, and the order of the rows.

import { computed, signal } from "@preact/signals";
import type { AgentKey } from "../../src/web/contract.js";
import { agentSignal, type TeamSummary, teams } from "../fleet/fleet.js";
import { hostsRead } from "../fleet/other-hosts.js";
import { type Group, groupOf, groups, isShown, type Row, rowsOf, waitingFirst } from "./board-rows.js";
import { type HostRows, hostRowsOf } from "./host-rows.js";

export const filter = signal("");
export const group = signal<Group | null>(null);

export interface TeamRows {
  team: TeamSummary;
  keys: readonly AgentKey[];
  counts: Readonly<Record<Group, number>>;
}

/** Stays the same value while the order of the rows does: then only rows are drawn again. */
export const teamRows = computed<readonly TeamRows[] | null>(() => {
  const known = teams.value;
  if (known === null) return null;
  const wishes = { filter: filter.value, group: group.value };
  const all = known.map((team) => {
    const rows = team.agents.flatMap((key): Row[] => {
      const agent = agentSignal(key)?.value;
      return agent === undefined ? [] : [{ key, agent }];
    });
    const keys = rowsOf(team.team, rows, wishes).map(({ key }) => key);
    return { team, keys, counts: countsOf(rows) };
  });
  const isFiltered = wishes.filter !== "" || wishes.group !== null;
  const shown = all.filter(({ keys, team }) => keys.length > 0 || (!isFiltered && team.registered));
  return unchanged(waitingFirst(shown, ({ counts }) => counts.waiting > 0));
});

/** The other hosts of the fleet; empty in no fleet. */
export const hostRows = computed<readonly HostRows[]>(() => {
  const read = hostsRead.value;
  return read === null ? [] : hostRowsOf(read.status, { filter: filter.value, group: group.value });
});

export const counts = computed<Readonly<Record<Group | "all", number>>>(() => {
  const rows = (teams.value ?? []).flatMap(({ agents }) =>
    agents.flatMap((key) => {
      const agent = agentSignal(key)?.value;
      return agent === undefined ? [] : [{ key, agent }];
    }),
  );
  const each = countsOf(rows);
  return { ...each, all: groups.reduce((sum, name) => sum + each[name], 0) };
});

function countsOf(rows: readonly Row[]): Record<Group, number> {
  const found = { waiting: 0, working: 0, idle: 0, trouble: 0, away: 0 };
  for (const { agent } of rows) if (isShown(agent)) found[groupOf(agent)]++;
  return found;
}

let last: { text: string; rows: readonly TeamRows[] } = { text: "", rows: [] };

function unchanged(rows: readonly TeamRows[]): readonly TeamRows[] {
  const text = JSON.stringify(rows);
  if (text !== last.text) last = { text, rows };
  return last.rows;
}
