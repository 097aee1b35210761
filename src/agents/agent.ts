// What differs between agents. Everything above this folder knows agents only through this interface.

import type { SessionId } from "../names/gates.js";
import type { ProcessInfo } from "../processes/process.js";

/** What runs in a pane. A shell is every pane that runs no agent; a monitor runs the viewer. */
export type Kind = "claude" | "claw" | "demo" | "shell" | "monitor";

export interface Agent {
  kind: Kind;
  /** Whether this process is the agent itself (not something the agent runs). */
  recognises(process: ProcessInfo): boolean;
  /** The folder this very process keeps its files in; `ownFolder` is the one its environment names, if any. */
  folderOf(ownFolder: string | null, env: NodeJS.ProcessEnv): string | null;
  /** What the agent itself says of a running process: its live registry. */
  liveSession(folder: string, process: ProcessInfo): LiveSession | null;
}

/** Activities an agent reports of itself. */
export type ReportedActivity = "idle" | "busy" | "waiting";

export interface LiveSession {
  sessionId: SessionId;
  name: string | null;
  cwd: string | null;
  version: string | null;
  activity: ReportedActivity | null;
  waitingFor: string | null;
  updatedAtMs: number | null;
}
