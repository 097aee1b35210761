// Gathers the facts for a plan, in one look.
//
// A role prompt must be a plain file of reasonable size, or a link to one: nothing else is opened, so nothing
// blocks.

import { realpathSync, statSync } from "node:fs";
import { setTimeout as rest } from "node:timers/promises";
import { readBytes } from "../base/files/atomic-file.js";
import { findProcess } from "../base/system/processes.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { type WorktreePlace, worktreePlace } from "../git/worktree-list.js";
import { limits } from "../limits.js";
import type { Role } from "../names/gates.js";
import type { TeamFile } from "../teamfile/team-file.js";
import { realFolder } from "../teams/snapshot/restore.js";
import type { TeamWorld } from "../teams/world.js";
import { noticeEnds } from "../tmux/program.js";
import { findAgentPanes } from "./agent-panes.js";
import { launchesIn } from "./launch.js";
import type { PathKind, WantedFacts } from "./wanted.js";

/** `seen` is a recent look. */
export async function lookAt(world: TeamWorld, file: TeamFile, seen?: Fleet): Promise<WantedFacts> {
  const fleet = await whenEndsAreKnown(world, file, seen ?? (await world.observe()));
  const places = await worktreesOf(world, file);
  return {
    env: world.env,
    fleet,
    seats: findAgentPanes(file, fleet, launchesIn(world.stores)),
    moved: world.stores.sessionOverrides.read().rows,
    realFolder,
    textOf,
    kindOf,
    worktreeOf: (agent) => places.get(agent) ?? null,
  };
}

/** Waits until tmux has noticed every agent that ended: only then are their panes dead. */
async function whenEndsAreKnown(world: TeamWorld, { team }: TeamFile, seen: Fleet): Promise<Fleet> {
  const until = performance.now() + limits.endNoticedMs;
  const isUnnoticed = ({ sessionName, dead, agent, pid }: FleetPane) =>
    sessionName === team && !dead && agent !== null && findProcess(pid) === null;
  let fleet = seen;
  while (fleet.panes.some(isUnnoticed) && performance.now() < until) {
    await noticeEnds(world.tmux);
    await rest(limits.startPollMs);
    fleet = await world.observe();
  }
  return fleet;
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
