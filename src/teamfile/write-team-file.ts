// Writes a team as the text of a team file, with comments that explain it.
//
// A written file reads back as the same team. Default values are not written. A kind or model that all agents share
// is written once, under `defaults`.

import { isAbsolute, relative } from "node:path";
import type { TeamFile, WantedAgent } from "./team-file.js";

/** The contents of a team file, without its path and line numbers. */
export type WrittenTeam = Pick<TeamFile, "folder" | "project" | "team" | "layout" | "adopts"> & {
  agents: readonly Omit<WantedAgent, "line">[];
};

export function writeTeamFile({ folder, project, team, layout, adopts, agents }: WrittenTeam): string {
  const defaults = sharedBy(agents);
  const written = agents.flatMap((agent) => {
    const own = Object.entries(settingsOf(agent, folder)).filter(([key, value]) => value !== defaults[key]);
    return [`  ${scalar(agent.id)}:`, ...settingLines(own, "    ")];
  });
  const shared = settingLines(Object.entries(defaults), "  ");
  const isPlain = agents.every(({ promptPaths, cwd }) => promptPaths.length === 0 && cwd === folder);
  return [
    "# A team of agents in tmux. `hivemind up` starts it, `hivemind plan` shows first what that would do.",
    "# Each agent keeps its own conversation; its id is derived from the project's id and the agent's.",
    "# All keys: hivemind init --keys",
    `project: ${scalar(project)}`,
    ...(team === project ? [] : [`session: ${scalar(team)} # the tmux session`]),
    `layout: ${layout} # or ${layout === "windows" ? "tiled: all in one window" : "windows: one per agent"}`,
    ...(adopts
      ? ["running: adopt # a running agent with a name of this file becomes this file's agent"]
      : []),
    "",
    ...(shared.length > 0 ? ["# For every agent without its own setting.", "defaults:", ...shared, ""] : []),
    "agents:",
    ...written,
    ...(isPlain ? lesson : []),
    "",
  ].join("\n");
}

const lesson = [
  "  # An agent may have its own settings, for example:",
  "  # reviewer:",
  "  #   cwd: services/api        # where it works, relative to this file",
  "  #   prompt: roles/review.md  # a file with its first message",
];

type Written = Readonly<Record<string, string | null>>;

/** The kind and model that at least two agents share, which people change for all at once. Shells have no model. */
function sharedBy(agents: WrittenTeam["agents"]): Written {
  const all = agents.map((agent) => settingsOf(agent, ""));
  return {
    kind: common(all.map(({ kind }) => kind)),
    model: common(all.filter(({ kind }) => kind !== "shell").map(({ model }) => model)),
  };
}

function common(values: readonly (string | null | undefined)[]): string | null {
  return values.length > 1 && new Set(values).size === 1 ? (values[0] ?? null) : null;
}

/** As they are written, by key; null for what holds anyway. */
function settingsOf(agent: Omit<WantedAgent, "line">, folder: string): Written {
  const { kind, model, cwd, promptPaths, permissionMode, inbound, mcp, args, env } = agent;
  const { fork, worktree, start, restart, reportsTo } = agent;
  return {
    kind: kind === "claude" ? null : kind,
    model: model && scalar(model),
    cwd: cwd === folder ? null : path(cwd, folder),
    prompt: promptPaths[0] === undefined ? null : path(promptPaths[0], folder),
    permission_mode: permissionMode && scalar(permissionMode),
    inbound: inbound === "hold" ? null : inbound,
    mcp: mcp ? "true" : null,
    args: args.length === 0 ? null : JSON.stringify(args),
    env: Object.keys(env).length === 0 ? null : JSON.stringify(env),
    fork: fork && scalar(fork),
    worktree: worktree && scalar(worktree),
    start: start === "resume" ? null : start,
    restart: restart === "never" ? null : restart,
    reports_to: reportsTo && scalar(reportsTo),
  };
}

function settingLines(settings: readonly (readonly [string, string | null])[], indent: string): string[] {
  return settings.flatMap(([key, value]) => (value === null ? [] : [`${indent}${key}: ${value}`]));
}

/** From the file's folder where it lies below it; else whole. */
function path(target: string, folder: string): string {
  const below = relative(folder, target);
  if (below === ".." || below.startsWith("../") || isAbsolute(below)) return scalar(target);
  return scalar(below === "" || below.startsWith("~") ? `./${below}` : below);
}

/** Plain where YAML reads it as the same text; every JSON string is a YAML string. */
function scalar(text: string): string {
  const isPlain = /^[A-Za-z/][A-Za-z0-9_./-]*$/.test(text) && !/^(?:true|false|null)$/i.test(text);
  return isPlain ? text : JSON.stringify(text);
}
