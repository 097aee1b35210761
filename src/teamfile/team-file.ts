// A team as a person wrote it down. A plain value: who read it, and from which spelling, shows only in the places.

import type { Kind } from "../agents/agent.js";
import type { Role, TeamName } from "../names/gates.js";

export interface TeamFile {
  /** The file that was read, for people. */
  path: string;
  /** By which it is found again: its folder, or the file itself where it has a name of its own. */
  written: string;
  /** The real path of the folder it belongs to: what is relative in the file is relative to it. */
  folder: string;
  project: string;
  /** The tmux session. */
  team: TeamName;
  layout: TeamLayout;
  /** Agents of the team that run under a name of the file become the file's, in their conversations. */
  adopts: boolean;
  /** In the order of the file. */
  agents: readonly WantedAgent[];
  /** What stands in the file and is not supported, each said once. */
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

/** How tmux arranges the panes of one window; `windows` gives each agent a window of its own. */
export type TeamLayout = (typeof teamLayouts)[number];

export interface WantedAgent {
  /** Its role, and what its session id is derived from. */
  id: Role;
  kind: Extract<Kind, "claude" | "demo" | "shell">;
  model: string | null;
  /** Absolute, as written: a symlink is not followed yet. */
  cwd: string;
  /** The files with what it is told first, one after the other. */
  promptPaths: readonly string[];
  permissionMode: string | null;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Another agent of this file: its first conversation begins as a fork of that one's. */
  fork: Role | null;
  /** The branch whose worktree it works in; `cwd` then lies in the repository. */
  worktree: string | null;
  start: StartPolicy;
  restart: RestartPolicy;
  reportsTo: string | null;
  /** Of its name in the file, from 1. */
  line: number;
}

/** `resume`: the same conversation for ever. `fresh`: each `up` that starts it begins a new one. */
export type StartPolicy = "resume" | "fresh";

/** `on-crash`: `watch` brings it back when it ended with a failure. */
export type RestartPolicy = "never" | "on-crash";

/** An agent about which nothing is said. */
export const blankAgent: Omit<WantedAgent, "id" | "cwd" | "line"> = {
  kind: "claude",
  model: null,
  promptPaths: [],
  permissionMode: null,
  args: [],
  env: {},
  fork: null,
  worktree: null,
  start: "resume",
  restart: "never",
  reportsTo: null,
};
