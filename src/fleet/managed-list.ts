// Claw's sessions beside Claude's. Each workspace keeps its own in a store inside it, so only the stores of folders that
// are known from somewhere can be listed.
//
// [SM1] A managed session belongs to the workspace whose store has it; what the store refuses is no session here.
// [SM2] A pane whose claw was started with a session's name has that session, in its own workspace only.

import {
  type ManagedList,
  type ManagedSessions,
  type ManagedSummary,
  openManagedSessionsOf,
  type RefusedFile,
} from "../agents/claw/managed-store.js";
import { errorCode, HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import { openWorkspace, type Workspace } from "../names/workspace.js";
import type { Problem } from "../transcripts/transcript.js";
import type { Windows } from "./context.js";
import type { Fleet } from "./observe.js";
import type { FleetPane } from "./panes.js";
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
  /** What lies in a managed store and is not shown as a session, with the workspace it lies in. */
  refused: (RefusedFile & { workspace: Workspace })[];
  /** Stores that could not be looked at. */
  problems: Problem[];
}

export interface ListOptions {
  env: NodeJS.ProcessEnv;
  /** Its managed sessions are listed whether anybody knows the folder or not. */
  here: Workspace | null;
}

/** Claude's of every workspace, and claw's of every folder that is known: each store has to be read. */
export function listEverySession(fleet: Fleet, windows: Windows, { env, here }: ListOptions): Sessions {
  const entries = listSessions(fleet, windows);
  const folders = [here?.path ?? [], knownFolders(entries, fleet)].flat();
  return withManaged(entries, folders, fleet, env);
}

/** Those of one workspace. */
export function listSessionsHere(
  fleet: Fleet,
  windows: Windows,
  { env, here }: ListOptions & { here: Workspace },
): Sessions {
  return withManaged(listSessionsIn(here, fleet, windows), [here.path], fleet, env);
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
  for (const store of openManagedSessionsOf(folders, { env })) {
    const { workspace } = store;
    const found = listed(store, problems);
    sessions.push(...found.sessions.map((each) => managedEntry(each, workspace, fleet)));
    refused.push(...found.refused.map((each) => ({ ...each, workspace })));
  }
  // Claude's are in order already.
  if (sessions.length > transcribed.length) sessions.sort(byAge);
  return { sessions, refused, problems };
}

/** A folder of somebody else's that cannot be read does not hide the others. */
function listed(store: ManagedSessions, problems: Problem[]): Pick<ManagedList, "sessions" | "refused"> {
  try {
    return store.list();
  } catch (error) {
    if (errorCode(error) === undefined && !(error instanceof HiveError)) throw error;
    problems.push({ path: store.partition, message: (error as Error).message });
    return { sessions: [], refused: [] };
  }
}

function managedEntry(summary: ManagedSummary, workspace: Workspace, fleet: Fleet): ManagedEntry {
  const panes = fleet.panes.filter((pane) => holds(pane, summary, workspace));
  const isLive = fleet.takenAtMs - summary.updatedAtMs < limits.liveAgeMs;
  return {
    store: "managed",
    id: summary.id,
    agent: "claw",
    title: summary.branch ?? summary.firstPrompt,
    workspace,
    model: summary.model,
    context: null,
    bornAtMs: summary.createdAtMs,
    updatedAtMs: summary.updatedAtMs,
    path: summary.path,
    sizeBytes: summary.sizeBytes,
    messages: summary.messages,
    gitBranch: null,
    parent: summary.parent,
    branch: summary.branch,
    isLegacy: summary.isLegacy,
    panes,
    background: null,
    state: panes.length === 0 ? "stale" : isLive ? "live" : "stable",
  };
}

function holds(pane: FleetPane, { id }: ManagedSummary, workspace: Workspace): boolean {
  const folder = folderOf(pane);
  if (pane.kind !== "claw" || !isRunning(pane) || folder === null) return false;
  return pane.arguments?.managed === id && openWorkspace(folder).path === workspace.path;
}
