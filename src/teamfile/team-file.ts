// A team as a team file describes it: a plain value, independent of the file's format.

import type { Role, TeamName } from "../names/gates.js";
import type { PaneKind } from "../names/kind.js";

export interface TeamFile {
  /** The file that was read, for messages. */
  path: string;
  /** Where to find it again: its folder, or the file itself if it has an unusual name. */
  written: string;
  /** The real path of its folder; relative paths in the file start here. */
  folder: string;
  project: string;
  /** The tmux session. */
  team: TeamName;
  layout: TeamLayout;
  /** Running agents of the team with a name of the file become the file's agents, with their conversations. */
  adopts: boolean;
  /** In the order of the file. */
  agents: readonly WantedAgent[];
  /** Unsupported contents of the file, each reported once. */
  notes: readonly string[];
}

export const teamLayouts = [
  "tiled",
  "even-horizontal",
  "even-vertical",
  "main-horizontal",
  "main-vertical",
  "windows",
] as const;

/** How tmux arranges the panes of one window; `windows` gives each agent its own window. */
export type TeamLayout = (typeof teamLayouts)[number];

export interface WantedAgent {
  /** Its role. Its session id is derived from it. */
  id: Role;
  kind: PaneKind;
  model: string | null;
  /** Absolute, with links not resolved. */
  cwd: string;
  /** The files of its first message, in order. */
  promptPaths: readonly string[];
  permissionMode: string | null;
  /** What its client does with other agents' words if it bypasses permissions. */
  inbound: InboundPolicy;
  /** It gets hivemind's tools. */
  mcp: boolean;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Another agent of this file: its first conversation starts as a fork of that agent's. */
  fork: Role | null;
  /** The branch whose worktree it works in; `cwd` is then in the repository. */
  worktree: string | null;
  start: StartPolicy;
  restart: RestartPolicy;
  reportsTo: string | null;
  /** The line of its name in the file, from 1. */
  line: number;
}

/** `resume`: always the same conversation. `fresh`: each `up` that starts it makes a new one. */
export type StartPolicy = "resume" | "fresh";

/** `hold`: the client asks a person about each message. */
export type InboundPolicy = "hold" | "accept";

/** `on-crash`: `watch` restarts it after a failure. */
export type RestartPolicy = "never" | "on-crash";

/** An agent without settings. */
export const blankAgent: Omit<WantedAgent, "id" | "cwd" | "line"> = {
  kind: "claude",
  model: null,
  promptPaths: [],
  permissionMode: null,
  inbound: "hold",
  mcp: false,
  args: [],
  env: {},
  fork: null,
  worktree: null,
  start: "resume",
  restart: "never",
  reportsTo: null,
};
