// The text of a team file as the team it describes, or everything that is wrong with it.
//
// [TFR1] A file is read whole or not at all: one problem, and there is no team; all problems are told at once.
// [TFR2] What an agent says itself stands before the defaults; of `env` name by name.
// [TFR3] A shell has no conversation: what is about one is refused there, and what the defaults say of one is not for it.
// [TFR4] Paths are taken from the folder of the file, `~` from the home folder.

import { resolve } from "node:path";
import { limits } from "../limits.js";
import { projectId, type Role, teamName } from "../names/gates.js";
import { fromHome } from "../names/home-path.js";
import { placeToFind } from "./find-team-file.js";
import { fits, forms, sessionFor } from "./forms.js";
import { keys } from "./keys.js";
import { inOrder, type Problem, quoted, start } from "./problem.js";
import { entriesIn, listIn, mappingIn, type Report, type Settings, settingsAt, textIn } from "./settings.js";
import type { RestartPolicy, StartPolicy, TeamFile, TeamLayout, WantedAgent } from "./team-file.js";
import { checkTogether, type Draft } from "./together.js";
import { readYaml, type YamlEntry } from "./yaml-text.js";

/** Where the file is: `folder` is its folder's real path. */
export interface FilePlace {
  path: string;
  folder: string;
  /** Null where nobody knows it. */
  home: string | null;
}

export type ReadTeam = { team: TeamFile } | { problems: Problem[] };

export function readTeamFile(text: string, place: FilePlace): ReadTeam {
  const { value, problems } = readYaml(text);
  const report = (problem: Problem) => void problems.push(problem);
  if (value?.is !== "mapping") {
    const message = `it is no team file: it wants \`project: NAME\` and \`agents:\``;
    if (problems.length === 0) report({ line: value?.line ?? 1, column: value?.column ?? 1, message });
    return { problems };
  }
  const top = settingsAt("top", value.entries, report);
  for (const { name } of keys.filter((key) => key.standard === null)) {
    if (!value.entries.some(({ key }) => key === name))
      report({ ...start, message: `\`${name}\` is missing` });
  }
  const team = teamOf(top, report);
  const defaults = settingsAt("defaults", entriesIn(top, "defaults"), report);
  const drafts = draftsOf(top, report);
  const agents = drafts.map((draft) => agentOf(draft, defaults, place, report));
  checkTogether(drafts, agents, defaults, report);
  if (problems.length > 0) return { problems: inOrder(problems) };
  return {
    team: {
      path: place.path,
      written: placeToFind(place),
      folder: place.folder,
      project: projectId(textIn(top, "project")!),
      team: teamName(team!),
      layout: (textIn(top, "layout") ?? "tiled") as TeamLayout,
      adopts: textIn(top, "running") === "adopt",
      agents,
      notes: [],
    },
  };
}

/** A project's id may have a dot, and begin with a dash, which no tmux session's name can. */
function teamOf(top: Settings, report: Report): string | null {
  const project = textIn(top, "project");
  const session = textIn(top, "session");
  if (session !== null || project === null) return session;
  if (fits(forms.team, project)) return project;
  const { line, column } = top.get("project")!;
  const message = `${quoted(project)} cannot name a tmux session: add \`session: ${sessionFor(project)}\``;
  report({ line, column, message });
  return null;
}

function draftsOf(top: Settings, report: Report): Draft[] {
  const agents = top.get("agents");
  if (agents === undefined) return [];
  const entries = entriesIn(top, "agents");
  const { line, column } = agents;
  if (entries.length === 0) report({ line, column, message: "`agents` has none" });
  if (entries.length > limits.teamFileAgents) {
    report({ line, column, message: tooMany(entries.length) });
    return [];
  }
  return entries.map((entry) => draftOf(entry, report));
}

export function tooMany(count: number): string {
  return `there are ${count} agents, and ${limits.teamFileAgents} are the most`;
}

function draftOf({ key: id, value, line, column }: YamlEntry, report: Report): Draft {
  if (!fits(forms.role, id)) report({ line, column, message: `refused ${quoted(id)}: ${forms.role.rule}` });
  if (value.is !== "mapping" && value.is !== "nothing") {
    const message = `${quoted(id)} wants its settings below it, \`model: opus\` for one, or nothing`;
    report({ line: value.line, column: value.column, message });
  }
  const own = settingsAt("agent", value.is === "mapping" ? value.entries : [], report);
  return { id, own, line, column };
}

function agentOf(
  { id, own, line }: Draft,
  defaults: Settings,
  place: FilePlace,
  report: Report,
): WantedAgent {
  const kind = (textIn(own, "kind") ?? textIn(defaults, "kind") ?? "claude") as WantedAgent["kind"];
  const isShell = kind === "shell";
  if (isShell) refuseConversation(id, own, report);
  const all = new Map([...[...defaults].filter(([name]) => !isShell || !ofConversation.has(name)), ...own]);
  const path = (name: string) => absolute(textIn(all, name), place);
  const prompt = path("prompt");
  return {
    id: id as Role,
    kind,
    model: textIn(all, "model"),
    cwd: path("cwd") ?? place.folder,
    promptPaths: prompt === null ? [] : [prompt],
    permissionMode: textIn(all, "permission_mode"),
    args: listIn(all, "args") ?? [],
    env: { ...mappingIn(defaults, "env"), ...mappingIn(own, "env") },
    fork: textIn(all, "fork") as Role | null,
    worktree: textIn(all, "worktree"),
    start: (textIn(all, "start") ?? "resume") as StartPolicy,
    restart: (textIn(all, "restart") ?? "never") as RestartPolicy,
    // A default that names an agent is none for that agent.
    reportsTo: textIn(own, "reports_to") ?? other(textIn(defaults, "reports_to"), id),
    line,
  };
}

function other(named: string | null, id: string): string | null {
  return named === id ? null : named;
}

const ofConversation = new Set(keys.filter((key) => key.isOfConversation).map(({ name }) => name));

function refuseConversation(id: string, own: Settings, report: Report): void {
  for (const [name, { line, column }] of own) {
    if (!ofConversation.has(name)) continue;
    report({
      line,
      column,
      message: `${quoted(id)} is a shell, which has no conversation: \`${name}\` is nothing for it`,
    });
  }
}

/** Of a path in the file; null stays null. */
export function absolute(
  path: string | null,
  { folder, home }: Pick<FilePlace, "folder" | "home">,
): string | null {
  return path === null ? null : resolve(folder, fromHome(path, home));
}
