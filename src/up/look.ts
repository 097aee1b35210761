// What a plan asks of the outside, in one look.
//
// [UW7] A role prompt is a plain file of a reasonable size, or a link to one: nothing else is opened and waited for.

import { realpathSync, statSync } from "node:fs";
import { setTimeout as rest } from "node:timers/promises";
import { readBytes } from "../base/atomic-file.js";
import { storedRows } from "../fleet/moves.js";
import type { Fleet } from "../fleet/observe.js";
import { type WorktreePlace, worktreePlace } from "../git/worktree-list.js";
import { limits } from "../limits.js";
import { addressParts, type Role, type TeamName } from "../names/gates.js";
import { findProcess } from "../processes/processes.js";
import type { RoleRow } from "../stores/roles.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { realFolder } from "../teams/restore.js";
import type { TeamWorld } from "../teams/world.js";
import { noticeEnds } from "../tmux/program.js";
import { parseLaunch } from "./launch.js";
import { findSeats } from "./seats.js";
import type { PathKind, WantedFacts } from "./wanted.js";

export async function lookAt(world: TeamWorld, file: TeamFile): Promise<WantedFacts> {
  const fleet = await whenEndsAreKnown(world, file);
  const places = await worktreesOf(world, file);
  const rows = storedRows(world.stores);
  return {
    env: world.env,
    fleet,
    seats: findSeats(file, fleet, rows),
    moved: world.stores.moved.read().rows,
    stood: fleet.panes.some(({ sessionName }) => sessionName === file.team)
      ? []
      : stoodIn(file.team, rows.roles),
    realFolder,
    textOf,
    kindOf,
    worktreeOf: (agent) => places.get(agent) ?? null,
  };
}

/** An agent that has ended leaves a dead pane, once tmux knows that it has. */
async function whenEndsAreKnown(world: TeamWorld, { team }: TeamFile): Promise<Fleet> {
  const until = performance.now() + limits.endNoticedMs;
  for (;;) {
    const fleet = await world.observe();
    const isUnnoticed = fleet.panes.some(
      (pane) =>
        pane.sessionName === team &&
        !pane.dead &&
        parseLaunch(pane) !== null &&
        findProcess(pane.pid) === null,
    );
    if (!isUnnoticed || performance.now() > until) return fleet;
    await noticeEnds(world.tmux);
    await rest(limits.startPollMs);
  }
}

function stoodIn(team: TeamName, roles: readonly RoleRow[]): Role[] {
  const own = roles
    .map(({ pane, role }) => ({ role, ...addressParts(pane) }))
    .filter((row) => row.team === team);
  return own.sort((a, b) => a.window - b.window || a.pane - b.pane).map(({ role }) => role);
}

async function worktreesOf(
  { env }: TeamWorld,
  { agents }: TeamFile,
): Promise<Map<Role, WorktreePlace | string>> {
  const places = new Map<Role, WorktreePlace | string>();
  for (const { id, worktree, cwd } of agents) {
    const real = realFolder(cwd);
    if (worktree !== null && real !== null) places.set(id, await worktreePlace(real, worktree, { env }));
  }
  return places;
}

function textOf(path: string): string | null {
  try {
    return readBytes(realpathSync(path), limits.upPromptBytes)?.toString("utf8") ?? null;
  } catch {
    return null;
  }
}

function kindOf(path: string): PathKind {
  try {
    const stat = statSync(path);
    if (stat.isDirectory()) return "folder";
    return stat.isFile() ? "file" : "something else";
  } catch {
    return "nothing";
  }
}
