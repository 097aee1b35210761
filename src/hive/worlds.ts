// What the folders below the façade need from outside, for one command.

import { hostname } from "node:os";
import { recordedParents } from "../fleet/lineage/lineage-of.js";
import { foldersOf } from "../fleet/observe.js";
import { limits } from "../limits.js";
import type { SessionId } from "../names/gates.js";
import type { ReconcileWorld } from "../reconcile/world.js";
import type { TeamWorld } from "../teams/world.js";
import { type Core, whileLocked } from "./core.js";
import { refresh, rememberFolders } from "./refresh.js";

/** How long-running work reports to a person. */
export interface Voice {
  /** One line that is redrawn in place; null clears it. */
  progress(line: string | null): void;
  /** One line that stays. */
  note(line: string): void;
}

export function teamWorldOf(core: Core, voice: Voice, interrupted?: AbortSignal): TeamWorld {
  const { env, program, tmux, panes, claims } = core;
  // A fork is written before it starts; the refresh after it must not write it again.
  const forked = new Set<SessionId | null>();
  return {
    ...common(core, voice, interrupted),
    ...{ env, tmux, panes, claims, ...(program === undefined ? {} : { program }) },
    change: (work = ({ agents }) => ({ agents }), seen) =>
      core.change((roster) => {
        const wanted = work(roster);
        for (const id of wanted.parents?.keys() ?? [])
          forked.add(wanted.agents.find((agent) => agent.id === id)?.session ?? null);
        return wanted;
      }, seen),
    refresh: (team, seen) => refresh(core, team, ({ uuid }) => uuid !== null && forked.has(uuid), seen),
  };
}

export function reconcileWorldOf(core: Core, voice: Voice, interrupted?: AbortSignal): ReconcileWorld {
  return {
    ...common(core, voice, interrupted),
    hostName: hostname(),
    folders: (fleet) => foldersOf(core.world(), fleet),
    rememberFolders: (panes) => rememberFolders(core, panes),
    recordedParent: recordedParents(core.stores),
    change: core.change,
    viewerDifferences: () => core.viewer.differences(),
    removeWindow: (team) => core.viewer.removed(team),
    // A repair takes other programs' edits after two looks, not when it takes the lock.
    whileChanging: (team, work) => whileLocked(core, team, limits.repairLockMs, work),
  };
}

/** What the worlds of all commands share. */
function common(core: Core, { progress, note }: Voice, interrupted = new AbortController().signal) {
  const { stores, look, emit } = core;
  return { stores, observe: look, emit, progress, say: note, interrupted };
}
