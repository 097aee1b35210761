// Continues a saved session as a fork, in a given pane.
//
// - The pane must be dead, kept open for an agent, or an idle shell. Anything else in it is left alone.
// - The child's id is chosen before the start, and the child runs in its parent's folder.
// - A role is unique in its team.

import { HiveError } from "../base/errors.js";
import { harmless } from "../base/text/escape-terminal.js";
import { findPaneIn } from "../fleet/find-pane.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { roleOf } from "../fleet/resolve.js";
import { roleHolder } from "../fleet/roster/roster.js";
import type { PaneId, Role, SessionId, TeamName } from "../names/gates.js";
import type { Kind } from "../names/kind.js";
import { isFreePane } from "./snapshot/place-rows.js";
import { newSession } from "./spawn.js";
import { workFolder } from "./start/broad-folder.js";
import { isIdleShell } from "./start/idle-shell.js";
import { workFolderOf } from "./start/session-folder.js";
import { type Started, startAgent } from "./start/start.js";
import type { TeamWorld } from "./world.js";

export interface SessionFork {
  parent: SessionId;
  /** The parent's transcript. */
  path: string;
  pane: PaneId;
  team: TeamName;
  kind: Kind;
  /** Default: the pane's role, if it has one. */
  role?: Role;
  /** The child's name in the client. */
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

/** Checks everything that can be refused before a lock is taken or a row written. */
export function forkPlan(
  { parent, path, pane: id, team, role, isBroadAllowed }: SessionFork,
  fleet: Fleet,
  { env }: Pick<TeamWorld, "env">,
): { role: Role | null; cwd: string } {
  const pane = findPaneIn(fleet, id);
  refuseTaken(pane);
  const own = role ?? roleOf(pane);
  const other = roleHolder(fleet.roster, team, own);
  if (other !== undefined && other.id !== pane.agent?.id) {
    throw new HiveError(`${other.address ?? `@${other.id}`} is ${own} already`, {
      hint: "choose another name: --as ROLE",
    });
  }
  return { role: own, cwd: workFolder(folderOf(fleet, parent, path), env, isBroadAllowed) };
}

function refuseTaken(pane: FleetPane): void {
  const { address, command, process } = pane;
  if (process !== null) {
    throw new HiveError(`an agent runs in ${address}`, {
      hint: "choose a pane with only an idle shell in it (hivemind status)",
    });
  }
  if (isFreePane(pane) || isIdleShell(pane)) return;
  throw new HiveError(`${address} runs ${harmless(command)}, so it is left alone`, {
    hint: "choose a pane with only an idle shell in it",
  });
}

function folderOf({ index }: Fleet, parent: SessionId, path: string): string {
  const transcript = index.byId.get(parent)?.find((each) => each.path === path);
  const folder = transcript === undefined ? null : workFolderOf(transcript);
  if (folder !== null) return folder;
  throw new HiveError(`the folder of session ${parent} is unknown`, {
    hint: `its file is ${harmless(path)}`,
  });
}
