// Turns the text of a team file into the team it describes, or into all of its problems.
//
// - A file is read whole or not at all: with one problem there is no team. All problems are reported at once.
// - An agent's own settings override the defaults; `env` is merged per variable.
// - A shell has no conversation: settings about one are refused for a shell, and ignored for it in the defaults.
// - Paths are relative to the folder of the file, `~` is the home folder.
// - `fork` and `reports_to` refer to another agent of the file. A fork has the kind of its parent, and is never,
//   directly or indirectly, a fork of itself.

import { resolve } from "node:path";
import { limits } from "../limits.js";
import { projectId, type Role, teamName } from "../names/gates.js";
import { fromHome } from "../names/home-path.js";
import { placeToFind } from "./find-team-file.js";
import { fits, forms, sessionFor } from "./forms.js";
import { keys } from "./keys.js";
import { inOrder, meant, type Place, type Problem, quoted, start } from "./problem.js";
import { entriesIn, listIn, mappingIn, type Report, type Settings, settingsAt, textIn } from "./settings.js";
import type {
  InboundPolicy,
  RestartPolicy,
  StartPolicy,
  TeamFile,
  TeamLayout,
  WantedAgent,
} from "./team-file.js";
import { readYaml, type YamlEntry } from "./yaml-text.js";

/** The place of the file; `folder` is the real path of its folder. */
export interface FilePlace {
  path: string;
  folder: string;
  /** Null if unknown. */
  home: string | null;
}

export type ReadTeam = { team: TeamFile } | { problems: Problem[] };

export function readTeamFile(text: string, place: FilePlace): ReadTeam {
  const { value, problems } = readYaml(text);
  const report = (problem: Problem) => void problems.push(problem);
  if (value?.is !== "mapping") {
    const message = `it is not a team file: it needs \`project: NAME\` and \`agents:\``;
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

/** A project id may have a dot and start with a dash; the name of a tmux session may not. */
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
  if (entries.length === 0) report({ line, column, message: "`agents` is empty" });
  if (entries.length > limits.teamFileAgents) {
    report({ line, column, message: tooMany(entries.length) });
    return [];
  }
  return entries.map((entry) => draftOf(entry, report));
}

export function tooMany(count: number): string {
  return `there are ${count} agents; the limit is ${limits.teamFileAgents}`;
}

function draftOf({ key: id, value, line, column }: YamlEntry, report: Report): Draft {
  if (!fits(forms.role, id)) report({ line, column, message: `refused ${quoted(id)}: ${forms.role.rule}` });
  if (value.is !== "mapping" && value.is !== "nothing") {
    const message = `${quoted(id)} needs its settings below it, for example \`model: opus\`, or nothing`;
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
    inbound: (textIn(all, "inbound") ?? "hold") as InboundPolicy,
    mcp: textIn(all, "mcp") === "true",
    args: listIn(all, "args") ?? [],
    env: { ...mappingIn(defaults, "env"), ...mappingIn(own, "env") },
    fork: textIn(all, "fork") as Role | null,
    worktree: textIn(all, "worktree"),
    start: (textIn(all, "start") ?? "resume") as StartPolicy,
    restart: (textIn(all, "restart") ?? "never") as RestartPolicy,
    // A default that refers to an agent does not apply to that agent.
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
      message: `${quoted(id)} is a shell, which has no conversation: \`${name}\` does not apply to it`,
    });
  }
}

/** The absolute form of a path in the file; null stays null. */
export function absolute(
  path: string | null,
  { folder, home }: Pick<FilePlace, "folder" | "home">,
): string | null {
  return path === null ? null : resolve(folder, fromHome(path, home));
}

/** An agent as the file has it. */
export interface Draft extends Place {
  id: string;
  own: Settings;
}

export function checkTogether(
  drafts: readonly Draft[],
  agents: readonly WantedAgent[],
  defaults: Settings,
  report: Report,
): void {
  const ids = drafts.map(({ id }) => id);
  const check = (
    settings: Settings,
    name: string,
    own: string | null,
    isFit: (other: string) => string | null,
  ) => {
    const other = textIn(settings, name);
    if (other === null) return;
    const { line, column } = settings.get(name)!;
    const message =
      other === own ? `${quoted(own)} refers to itself` : (whoIs(other, own, ids) ?? isFit(other));
    if (message !== null) report({ line, column, message: `\`${name}\`: ${message}` });
  };
  const byId = new Map<string, WantedAgent>(agents.map((agent) => [agent.id, agent]));
  check(defaults, "reports_to", null, () => null);
  for (const { id, own } of drafts) {
    check(own, "reports_to", id, () => null);
    check(own, "fork", id, (parent) => whyNoFork(byId.get(id)!, byId.get(parent)!, byId));
  }
}

function whoIs(named: string, own: string | null, ids: readonly string[]): string | null {
  const others = ids.filter((id) => id !== own);
  if (others.includes(named)) return null;
  return `there is no agent ${quoted(named)} in this file: ${meant(named, others, `there are ${others.join(", ") || "no others"}`)}`;
}

function whyNoFork(
  { id, kind }: WantedAgent,
  parent: WantedAgent,
  byId: ReadonlyMap<string, WantedAgent>,
): string | null {
  if (parent.kind !== kind)
    return `a ${kind} cannot start as a fork of ${quoted(parent.id)}, a ${parent.kind}`;
  const chain: string[] = [id];
  for (let at: WantedAgent | undefined = parent; at !== undefined; at = byId.get(at.fork ?? "")) {
    chain.push(at.id);
    if (at.id === id) return `the forks form a cycle, ${chain.join(" ← ")}`;
    // A cycle further up is reported there.
    if (chain.length > byId.size + 1) return null;
  }
  return null;
}
