// The library: reads the fleet and its stores, emits events, and opens claw's managed sessions. Check typed names
// with the gates first.

export { freshenSession } from "./agents/claude/freshen.js";
export { claudeHome } from "./agents/claude/home.js";
export {
  type Appended,
  type CreateOptions,
  type Deleted,
  type Disposal,
  type ManagedHandle,
  type ManagedList,
  type ManagedOptions,
  type ManagedRef,
  type ManagedSession,
  type ManagedSessions,
  type ManagedSummary,
  openManagedSessions,
  openManagedSessionsOf,
  type Rebound,
  type RefusedFile,
} from "./agents/claw/managed-store.js";
export type { ManagedBlock, ManagedMessage, ManagedRecord } from "./agents/claw/records.js";
export { HiveError, UsageError } from "./base/errors.js";
export { LockedError } from "./base/files/lock.js";
export type { HiveEvent } from "./events/event.js";
export type { Discovery, Evidence, SessionState } from "./fleet/identity/discover.js";
export type { Fleet } from "./fleet/observe.js";
export type { FleetPane, Panes } from "./fleet/panes.js";
export type { AgentView, TeamView } from "./fleet/view.js";
export { type Hive, type HiveOptions, openHive } from "./hive/hive.js";
export { type Fingerprint, fingerprint } from "./names/fingerprint.js";
export {
  type PaneAddress,
  type PaneId,
  paneAddress,
  type Role,
  role,
  type SessionId,
  sessionId,
  type TeamName,
  teamName,
} from "./names/gates.js";
export type { ManagedId } from "./names/managed-id.js";
export { deriveSessionId, sessionName, sessionNamespace } from "./names/session-id.js";
export { openWorkspace, type Workspace } from "./names/workspace.js";
export { WorkspaceMismatch } from "./names/workspace-mismatch.js";
export { StoreError } from "./stores/file/error.js";
export { TmuxError } from "./tmux/error.js";
