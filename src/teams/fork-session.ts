// A saved session goes on as a fork, in a pane that is given.
//
// [TFS1] The pane is dead, kept open for an agent, or a shell in which nothing runs: whatever else is in it stays.
// [TFS2] The child's id is chosen before, and it runs in the folder that its parent belongs to.
// [TFS3] A role is held once in a team.

import type { Kind } from "../agents/agent.js";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { findPaneIn } from "../fleet/find-pane.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { rolesIn } from "../fleet/resolve.js";
import type { PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import { workFolder } from "./broad.js";
import { isIdleShell } from "./idle-shell.js";
import { isFreePane } from "./place-rows.js";
import { workFolderOf } from "./session-folder.js";
import { newSession } from "./spawn.js";
import { type Started, startAgent } from "./start.js";
import type { TeamWorld } from "./world.js";

export interface SessionFork {
  parent: SessionId;
  /** The parent's transcript. */
  path: string;
  pane: PaneId;
  team: TeamName;
  kind: Kind;
  /** Without it the pane's own, if it has one. */
  role?: Role;
  /** What the child is called in the client. */
  name?: string;
  model: string | null;
  isBroadAllowed: boolean;
}

export async function forkIntoPane(
  world: TeamWorld,
  fork: SessionFork,
): Promise<Started & { role: Role | null }> {
  const { role, cwd } = forkPlan(fork, await world.observe(), world);
  const { parent, pane, team, kind, model, name } = fork;
  const session = { how: "fork", id: newSession(), parent } as const;
  const named = name === undefined ? {} : { name };
  const started = await startAgent(world, { pane, team, kind, model, role, cwd, session, ...named });
  return { ...started, role };
}

/** Everything that can be refused before a lock is taken or a row written. */
export function forkPlan(
  { parent, path, pane: id, team, role, isBroadAllowed }: SessionFork,
  fleet: Fleet,
  { env, stores }: Pick<TeamWorld, "env" | "stores">,
): { role: Role | null; cwd: string } {
  const pane = findPaneIn(fleet, id);
  refuseTaken(pane);
  const roleOf = rolesIn(fleet, stores);
  const own = role ?? roleOf(pane);
  const others = fleet.panes.filter((each) => each.sessionName === team && each !== pane);
  const other = own === null ? undefined : others.find((each) => roleOf(each) === own);
  if (other !== undefined) {
    throw new HiveError(`${other.address} is ${own} already`, { hint: "choose another name: --as ROLE" });
  }
  return { role: own, cwd: workFolder(folderOf(fleet, parent, path), env, isBroadAllowed) };
}

function refuseTaken(pane: FleetPane): void {
  const { address, command, process } = pane;
  if (process !== null) {
    throw new HiveError(`an agent runs in ${address}`, {
      hint: "name a pane with nothing but a shell in it (hivemind status)",
    });
  }
  if (isFreePane(pane) || isIdleShell(pane)) return;
  throw new HiveError(`${address} runs ${harmless(command)}: it is left alone`, {
    hint: "name a pane with nothing but a shell in it",
  });
}

function folderOf({ index }: Fleet, parent: SessionId, path: string): string {
  const transcript = index.byId.get(parent)?.find((each) => each.path === path);
  const folder = transcript === undefined ? null : workFolderOf(transcript);
  if (folder !== null) return folder;
  throw new HiveError(`which folder session ${parent} belongs to is not known`, {
    hint: `its file is ${harmless(path)}`,
  });
}
