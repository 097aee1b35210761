// Brings the stores of teams up to date with what is live.

import { hostname } from "node:os";
import type { HiveEvent } from "../events/event.js";
import { type ClientFolder, folderOfPane, standardFolder } from "../fleet/folders.js";
import { recordedParents, relativesOf } from "../fleet/lineage/lineage-of.js";
import type { Fleet } from "../fleet/observe.js";
import type { Panes } from "../fleet/panes.js";
import { changeRoster } from "../fleet/roster/change-roster.js";
import {
  nameNow,
  planRefresh,
  type RefreshPlan,
  type RefreshStored,
  withFound,
} from "../fleet/roster/refresh.js";
import type { TeamName } from "../names/gates.js";
import type { ForkRow } from "../stores/forks.js";
import { type Core, whileChanging } from "./core.js";

export interface RefreshDone extends RefreshPlan {
  events: readonly HiveEvent[];
  /** The fleet after the change. */
  fleet: Fleet;
}

export async function refresh(
  core: Core,
  asked: TeamName | readonly TeamName[],
  isWritten: (row: ForkRow) => boolean,
  seen?: Fleet,
): Promise<RefreshDone> {
  const { stores } = core;
  const fleet = seen ?? (await core.look());
  const held = new Set([...fleet.sessions.values()].flatMap(({ uuid }) => uuid ?? []));
  const kinship = await core.parentsIn(relativesOf(fleet, held));
  const isOne = typeof asked === "string";
  const registered = stores.teams.read().rows;
  const teams = isOne ? registered : registered.filter(({ team }) => asked.includes(team));
  const isRecorded: RefreshStored["isRecorded"] = (at, pane, uuid) =>
    [...stores.forks.scan({ uuid })].some((row) => row.at === at && row.pane === pane);
  const plan = planRefresh(
    fleet,
    { teams, recordedParent: recordedParents(stores), isRecorded, kinship },
    { nowMs: Date.now(), hostName: hostname(), ...(isOne ? { team: asked } : {}) },
  );
  // Before the roster has them: then nothing asks again where these sessions came from.
  await stores.forks.append(plan.forkRows.filter((row) => !isWritten(row)));
  const events: HiveEvent[] = [];
  const emitAndCollect = (some: readonly HiveEvent[]) => {
    events.push(...some);
    return core.emitAll(some);
  };
  const now = await changeRoster(
    { ...core.changeWorld, emitAll: emitAndCollect },
    ({ agents, server }) => ({
      ...withFound(agents, plan.found, { server, nowMs: Date.now() }),
      isRecorded: true,
    }),
    fleet,
  );
  await rememberFolders(core, fleet);
  stores.hookReports.sweep(plan.usedUp);
  return { ...plan, events, fleet: now };
}

/**
 * Remembers the config folders that agents use, so that every command searches them for transcripts. Otherwise a
 * command with another CLAUDE_CONFIG_DIR would take their conversations for lost.
 */
export async function rememberFolders({ env, stores }: Core, { panes }: Panes): Promise<void> {
  const { accounts } = stores;
  const { rows } = accounts.read();
  const isKnown = ({ kind, folder }: ClientFolder) =>
    folder === standardFolder(kind, env) || rows.some((row) => row.kind === kind && row.folder === folder);
  const used = panes.flatMap((pane) => folderOfPane(pane) ?? []).filter((each) => !isKnown(each));
  const added = [...new Map(used.map((each) => [`${each.kind} ${each.folder}`, each])).values()];
  if (added.length > 0) await accounts.update((rows) => [...rows, ...added]);
}

/** Takes locks always in the same order, so that two processes cannot wait for each other. */
export async function refreshAll(
  core: Core,
  isWritten: (row: ForkRow) => boolean,
  waitMs: number,
): Promise<RefreshDone> {
  const seen = await core.panes();
  const running = new Set(seen.panes.map(({ sessionName }) => sessionName));
  const registered = core.stores.teams.read().rows.map(({ team }) => team);
  const isRunning = (team: TeamName) => running.has(nameNow(seen)(team));
  const teams = registered.filter(isRunning).sort();
  const work = () => refresh(core, teams, isWritten);
  return teams.reduceRight((inner, team) => () => whileChanging(core, team, waitMs, inner), work)();
}
