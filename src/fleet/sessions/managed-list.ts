// Claw's sessions beside Claude's. Each workspace has its own store, so only the stores of known folders can be
// listed.
//
// A managed session belongs to the workspace whose store has it. A file that the store refuses is not a session.
//
// claw has no registry. It creates a session at its start, or takes the one in `--resume ID`, and writes to it at
// each turn. `/clear`, `/resume` and `/session` switch to another one without any outside sign.
//
// So a claw is in the session that its arguments name; or in the only one of its folder created at its start; or, if
// it is the only claw of its folder, in the only one written since. If another session that no other claw there
// began was written later, claw may have switched to it: unknown.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import {
  type ManagedList,
  type ManagedSessions,
  type ManagedSummary,
  openManagedSessionsOf,
  type RefusedFile,
} from "../../agents/claw/managed-store.js";
import { errorCode, HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import type { PaneId } from "../../names/gates.js";
import type { ManagedId } from "../../names/managed-id.js";
import { openWorkspace, type Workspace } from "../../names/workspace.js";
import type { Problem } from "../../transcripts/transcript.js";
import type { Windows } from "../activity/context.js";
import { runningState, type SessionState } from "../identity/discover.js";
import type { Fleet } from "../observe.js";
import type { FleetPane, Panes } from "../panes.js";
import {
  type AnySession,
  byAge,
  folderOf,
  isRunning,
  knownFolders,
  listSessions,
  listSessionsIn,
  type ManagedEntry,
  type SessionEntry,
} from "./session-list.js";

export interface Sessions {
  /** Newest first. */
  sessions: AnySession[];
  /** Files in a managed store that are not shown as sessions, with their workspace. */
  refused: (RefusedFile & { workspace: Workspace })[];
  /** Stores that could not be read. */
  problems: Problem[];
}

export interface ListOptions {
  env: NodeJS.ProcessEnv;
  /** Its managed sessions are always listed, even if the folder is not known otherwise. */
  here: Workspace | null;
}

/** Claude's sessions of every workspace, and claw's of every known folder. Reads each of those stores. */
export function listEverySession(fleet: Fleet, windows: Windows, { env, here }: ListOptions): Sessions {
  const entries = listSessions(fleet, windows);
  const folders = [here?.path ?? [], knownFolders(entries, fleet)].flat();
  return withManaged(entries, folders, fleet, env);
}

/** The sessions of one workspace. */
export function listWorkspaceSessions(
  fleet: Fleet,
  windows: Windows,
  { env, here }: ListOptions & { here: Workspace },
): Sessions {
  return withManaged(listSessionsIn(here, fleet, windows), [here.path], fleet, env);
}

export interface HeldManaged {
  id: ManagedId;
  state: SessionState;
}

/** The session of each running claw. Reads only the stores of their folders. */
export function managedInPanes({ panes, takenAtMs }: Panes, env: NodeJS.ProcessEnv) {
  const folders = panes.flatMap((pane) => clawFolder(pane) ?? []);
  const found = new Map<PaneId, HeldManaged>();
  for (const store of openManagedSessionsOf(folders.filter(mayHaveStore), { env })) {
    const { sessions } = listed(store, []);
    for (const [pane, id] of sessionsOfClaws(clawsIn(panes, store.workspace), sessions)) {
      const { updatedAtMs } = sessions.find((each) => each.id === id)!;
      found.set(pane, { id, state: runningState(updatedAtMs, takenAtMs) });
    }
  }
  return found;
}

function withManaged(
  transcribed: readonly SessionEntry[],
  folders: readonly string[],
  fleet: Fleet,
  env: NodeJS.ProcessEnv,
): Sessions {
  const sessions: AnySession[] = [...transcribed];
  const refused: Sessions["refused"] = [];
  const problems: Problem[] = [];
  for (const store of openManagedSessionsOf(folders.filter(mayHaveStore), { env })) {
    const { workspace } = store;
    const found = listed(store, problems);
    const held = sessionsOfClaws(clawsIn(fleet.panes, workspace), found.sessions);
    sessions.push(...found.sessions.map((each) => managedEntry(each, workspace, fleet, held)));
    refused.push(...found.refused.map((each) => ({ ...each, workspace })));
  }
  // Claude's sessions are already in order.
  if (sessions.length > transcribed.length) sessions.sort(byAge);
  return { sessions, refused, problems };
}

/** Most folders have no store: one question finds that out, where opening it asks a dozen. */
function mayHaveStore(folder: string): boolean {
  try {
    return lstatSync(join(folder, ".claw"), { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Whoever opens the store finds out why, and says so.
    return true;
  }
}

/** An unreadable foreign folder does not hide the others. */
function listed(store: ManagedSessions, problems: Problem[]): Pick<ManagedList, "sessions" | "refused"> {
  try {
    return store.list();
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof HiveError)) throw error;
    problems.push({ path: store.partition, message: (error as Error).message });
    return { sessions: [], refused: [] };
  }
}

function managedEntry(
  summary: ManagedSummary,
  workspace: Workspace,
  fleet: Fleet,
  held: ReadonlyMap<PaneId, ManagedId>,
): ManagedEntry {
  const panes = fleet.panes.filter(({ id }) => held.get(id) === summary.id);
  const { firstPrompt, createdAtMs, ...own } = summary;
  return {
    ...own,
    store: "managed",
    agent: "claw",
    title: summary.branch ?? firstPrompt,
    workspace,
    context: null,
    bornAtMs: createdAtMs,
    gitBranch: null,
    panes,
    background: null,
    state: panes.length === 0 ? "stale" : runningState(summary.updatedAtMs, fleet.takenAtMs),
  };
}

export interface Claw {
  pane: PaneId;
  /** The earliest possible time of its start. */
  startedAtMs: number;
  /** The id in `--resume`. */
  named: ManagedId | null;
}

type Saved = Pick<ManagedSummary, "id" | "createdAtMs" | "updatedAtMs">;

/** `sessions` are all sessions of the workspace in which these claws run. */
export function sessionsOfClaws(
  claws: readonly Claw[],
  sessions: readonly Saved[],
): ReadonlyMap<PaneId, ManagedId> {
  const begun = new Map(claws.map((claw) => [claw.pane, begunBy(claw, claws, sessions)]));
  return new Map(
    claws.flatMap((claw): [PaneId, ManagedId][] => {
      const since = sessions.filter(({ updatedAtMs }) => updatedAtMs >= claw.startedAtMs);
      const own = begun.get(claw.pane) ?? null;
      if (own === null) {
        const isCertain = claw.named === null && claws.length === 1 && since.length === 1;
        return isCertain ? [[claw.pane, since[0]!.id]] : [];
      }
      const ofOthers = new Set([...begun].flatMap(([pane, each]) => (pane === claw.pane ? [] : each?.id)));
      const isLater = ({ id, updatedAtMs }: Saved) =>
        id !== own.id && updatedAtMs > own.updatedAtMs && !ofOthers.has(id);
      return since.some(isLater) ? [] : [[claw.pane, own.id]];
    }),
  );
}

function clawsIn(panes: readonly FleetPane[], workspace: Workspace): Claw[] {
  return panes.flatMap((pane) => {
    const folder = clawFolder(pane);
    if (folder === null || openWorkspace(folder).path !== workspace.path) return [];
    return {
      pane: pane.id,
      startedAtMs: pane.process!.startedAtMs - limits.processStartSlackMs,
      named: pane.arguments?.managed ?? null,
    };
  });
}

/** The folder of a running claw; null for every other pane. */
function clawFolder(pane: FleetPane): string | null {
  return pane.kind === "claw" && isRunning(pane) ? folderOf(pane) : null;
}

function begunBy(claw: Claw, claws: readonly Claw[], sessions: readonly Saved[]): Saved | null {
  if (claw.named !== null) return sessions.find(({ id }) => id === claw.named) ?? null;
  const isRival = (other: Claw) =>
    other !== claw && Math.abs(other.startedAtMs - claw.startedAtMs) <= limits.clawStartMs;
  if (claws.some(isRival)) return null;
  const [only, second] = sessions.filter(({ createdAtMs }) => {
    const sinceStartMs = (createdAtMs ?? 0) - claw.startedAtMs;
    return sinceStartMs >= 0 && sinceStartMs <= limits.clawStartMs;
  });
  return second === undefined ? (only ?? null) : null;
}
