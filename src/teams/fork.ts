// Forks a running agent: a second agent with the same conversation, in its own pane.
//
// - The parent is not touched. The child's id is chosen before the start, so its parent is known from the beginning.
// - The child has its parent's kind, folder, model and permission mode, and a role that is free in its team.
// - An agent without a session or without a conversation cannot be forked. Neither can one whose transcript may be
//   in an unreadable place.
// - The child starts in a broad folder only with permission, even if its parent works there.

import { needOf } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { roleOf } from "../fleet/resolve.js";
import { limits } from "../limits.js";
import { isRole, type Role, type SessionId, type TeamName } from "../names/gates.js";
import { refuseUnseen } from "../transcripts/unreadable.js";
import { modelOf } from "./snapshot/save.js";
import { openedFor } from "./spare-panes.js";
import { newSession, spawnAgent } from "./spawn.js";
import { workFolder } from "./start/broad-folder.js";
import { workFolderOf } from "./start/session-folder.js";
import type { Started } from "./start/start.js";
import type { TeamWorld } from "./world.js";

export interface Fork {
  /** The parent's pane, in this fleet. */
  pane: FleetPane;
  fleet: Fleet;
  /** The child's team. */
  team: TeamName;
  role?: Role;
  isBroadAllowed?: boolean;
  /** A person chose it (default: the parent's). */
  permissionMode?: string;
}

export interface Forked extends Started {
  role: Role;
  parent: SessionId;
}

export async function forkAgent(world: TeamWorld, fork: Fork): Promise<Forked> {
  const { pane, fleet, team, role, isBroadAllowed = false, permissionMode = null } = fork;
  if (pane.process === null) {
    throw new HiveError(`no agent runs in ${pane.address}`, {
      hint: `bring back an ended agent as a fork: hivemind agent respawn ${pane.address}`,
    });
  }
  needOf(pane.kind, "fork");
  const parent = fleet.sessions.get(pane.id)?.uuid ?? null;
  if (parent === null) {
    throw new HiveError(`the session of ${pane.address} is unknown`, {
      hint: `hivemind sessions discover ${pane.address} --explain`,
    });
  }
  const [written] = fleet.index.byId.get(parent) ?? [];
  if (written === undefined) {
    refuseUnseen(`the transcript of ${parent}`, parent, fleet.index.problems);
    throw new HiveError(`${pane.address} has no conversation yet: there is nothing to fork`, {
      hint: `hivemind agent spawn NAME --team ${team}`,
    });
  }
  const folder = workFolderOf(written) ?? pane.live?.cwd ?? pane.cwd;
  const cwd = workFolder(folder, world.env, isBroadAllowed, "to allow it: --allow-broad-cwd");
  const name = role ?? childRole(fleet, pane, team);
  const started = await spawnAgent(world, {
    team,
    role: name,
    kind: pane.kind,
    cwd,
    model: modelOf(pane, parent, fleet),
    permissionMode,
    session: { how: "fork", id: newSession(), parent },
  });
  return { ...started, role: name, parent };
}

/** `po-2` beside `po`: the first number that is free. */
function childRole(fleet: Fleet, pane: FleetPane, team: TeamName): Role {
  // If a killed run opened a pane for a role and started nothing in it, that role is free again.
  const isLeft = (each: FleetPane) =>
    !each.dead && openedFor(each) !== null && openedFor(each) === roleOf(each);
  const left = new Set(fleet.panes.filter(isLeft).map(({ agent }) => agent?.id));
  const own = fleet.roster.agents.filter((agent) => agent.team === team && !left.has(agent.id));
  const taken = new Set(own.map(({ role }) => role));
  const stem = roleOf(pane)?.slice(0, limits.roleLength - 4) ?? "fork";
  for (let number = 2; ; number++) {
    const role = `${stem}-${number}`;
    if (isRole(role) && !taken.has(role)) return role;
  }
}
