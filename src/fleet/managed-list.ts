// Claw's sessions beside Claude's. Each workspace keeps its own in a store inside it, so only the stores of folders that
// are known from somewhere can be listed.
//
// [SM1] A managed session belongs to the workspace whose store has it; what the store refuses is no session here.
// Which of them a running claw is in, fleet/claw-panes.ts tells.

import {
  type ManagedList,
  type ManagedSessions,
  type ManagedSummary,
  openManagedSessionsOf,
  type RefusedFile,
} from "../agents/claw/managed-store.js";
import { errorCode, HiveError } from "../base/errors.js";
import type { PaneId } from "../names/gates.js";
import type { ManagedId } from "../names/managed-id.js";
import type { Workspace } from "../names/workspace.js";
import type { Problem } from "../transcripts/transcript.js";
import { clawFolder, clawsIn, sessionsOfClaws } from "./claw-panes.js";
import type { Windows } from "./context.js";
import { runningState, type SessionState } from "./discover.js";
import type { Fleet } from "./observe.js";
import type { Panes } from "./panes.js";
import {
  type AnySession,
  byAge,
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

export interface HeldManaged {
  id: ManagedId;
  state: SessionState;
}

/** What each running claw is in. Their folders' stores are read, and no other. */
export function managedInPanes({ panes, takenAtMs }: Panes, env: NodeJS.ProcessEnv) {
  const folders = panes.flatMap((pane) => clawFolder(pane) ?? []);
  const found = new Map<PaneId, HeldManaged>();
  for (const store of openManagedSessionsOf(folders, { env })) {
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
  for (const store of openManagedSessionsOf(folders, { env })) {
    const { workspace } = store;
    const found = listed(store, problems);
    const held = sessionsOfClaws(clawsIn(fleet.panes, workspace), found.sessions);
    sessions.push(...found.sessions.map((each) => managedEntry(each, workspace, fleet, held)));
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

function managedEntry(
  summary: ManagedSummary,
  workspace: Workspace,
  fleet: Fleet,
  held: ReadonlyMap<PaneId, ManagedId>,
): ManagedEntry {
  const panes = fleet.panes.filter(({ id }) => held.get(id) === summary.id);
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
    modifiedAtMs: summary.modifiedAtMs,
    panes,
    background: null,
    state: panes.length === 0 ? "stale" : runningState(summary.updatedAtMs, fleet.takenAtMs),
  };
}
