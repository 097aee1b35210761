// A second agent that knows what the first one knows: a fork of its conversation, in a pane of its own.
//
// [TFK1] The parent goes on untouched. The child's id is chosen before, so its parent is known from the start.
// [TFK2] The child has its parent's kind, folder and model, and a role that nobody in its team has.
// [TFK3] What has no session, or has not said a word, cannot be forked; nor what may have, where nobody could look.
// [TFK4] A child begins in a broad folder only with leave, though its parent works there.

import { HiveError } from "../base/errors.js";
import type { Fleet } from "../fleet/observe.js";
import type { FleetPane } from "../fleet/panes.js";
import { rolesIn } from "../fleet/resolve.js";
import { limits } from "../limits.js";
import { isRole, type Role, type SessionId, type TeamName } from "../names/gates.js";
import { refuseUnseen } from "../transcripts/hidden.js";
import { workFolder } from "./broad.js";
import { modelOf } from "./save.js";
import { workFolderOf } from "./session-folder.js";
import { openedFor } from "./spare-panes.js";
import { newSession, spawnAgent } from "./spawn.js";
import type { Started } from "./start.js";
import type { TeamWorld } from "./world.js";

export interface Fork {
  /** The parent's pane, in this fleet. */
  pane: FleetPane;
  fleet: Fleet;
  /** Where the child goes. */
  team: TeamName;
  role?: Role;
  isBroadAllowed?: boolean;
}

export interface Forked extends Started {
  role: Role;
  parent: SessionId;
}

export async function forkAgent(world: TeamWorld, fork: Fork): Promise<Forked> {
  const { pane, fleet, team, role, isBroadAllowed = false } = fork;
  if (pane.process === null) {
    throw new HiveError(`no agent runs in ${pane.address}`, {
      hint: `an ended one comes back as a fork: hivemind agent respawn ${pane.address}`,
    });
  }
  const parent = fleet.sessions.get(pane.id)?.uuid ?? null;
  if (parent === null) {
    throw new HiveError(`which session ${pane.address} is in is not known`, {
      hint: `hivemind session discover ${pane.address} --explain`,
    });
  }
  const [written] = fleet.index.byId.get(parent) ?? [];
  if (written === undefined) {
    refuseUnseen(`the transcript of ${parent}`, parent, fleet.index.problems);
    throw new HiveError(`${pane.address} has not said a word yet: there is nothing to fork`, {
      hint: `hivemind agent spawn NAME --team ${team}`,
    });
  }
  const folder = workFolderOf(written) ?? pane.live?.cwd ?? pane.cwd;
  const cwd = workFolder(folder, world.env, isBroadAllowed, "if it shall: --allow-broad-cwd");
  const name = role ?? childRole(fleet, world, pane, team);
  const started = await spawnAgent(world, {
    team,
    role: name,
    kind: pane.kind,
    cwd,
    model: modelOf(pane, parent, fleet),
    session: { how: "fork", id: newSession(), parent },
  });
  return { ...started, role: name, parent };
}

/** `po-2` beside `po`: the first number that is free. */
function childRole(fleet: Fleet, world: TeamWorld, pane: FleetPane, team: TeamName): Role {
  const roleAt = rolesIn(fleet, world.stores);
  const own = fleet.panes.filter(({ sessionName }) => sessionName === team);
  // Of one that a killed run opened, and nothing was started in, the name is to be had again.
  const isLeft = (each: FleetPane) => openedFor(each) !== null && openedFor(each) === roleAt(each);
  const taken = new Set(own.filter((each) => each.dead || !isLeft(each)).map(roleAt));
  const stem = roleAt(pane)?.slice(0, limits.roleLength - 4) ?? "fork";
  for (let number = 2; ; number++) {
    const role = `${stem}-${number}`;
    if (isRole(role) && !taken.has(role)) return role;
  }
}
