// Reads the files of teamctl. Their users keep their conversations, because the derived session ids are the same.
//
// - Project and agent ids are used unchanged, so that the session ids are those of teamctl.
// - Relative paths start at the folder of team-compose.yaml.
// - An agent of another runtime is left out. It and every key without a meaning here are reported once.

import { limits } from "../limits.js";
import { projectId, type Role, teamName } from "../names/gates.js";
import { type Form, fits, forms, sessionFor } from "./forms.js";
import { inOrder, type Place, type Problem, quoted, start } from "./problem.js";
import { absolute, type FilePlace, type ReadTeam, tooMany } from "./read-team-file.js";
import { blankAgent, type WantedAgent } from "./team-file.js";
import { readYaml, type Yaml, type YamlEntry } from "./yaml-text.js";

export interface Compose {
  /** The files of its projects, each with its place in the text. */
  projects: (Place & { file: string })[];
  /** Keys without a meaning here. */
  unused: string[];
  problems: Problem[];
}

export function readCompose(text: string): Compose {
  const { value, problems } = readYaml(text);
  const top = fieldsOf(value, problems, ["version", "projects"]);
  const projects = top
    .items("projects")
    .slice(0, limits.teamFileAgents)
    .flatMap((item) => {
      const file = fieldsOf(item, problems, ["file"]).text("file", forms.path);
      return file === null ? [] : [{ line: item.line, column: item.column, file }];
    });
  if (projects.length === 0 && problems.length === 0) {
    problems.push({ ...start, message: "it has no project: `projects: [{ file: projects/NAME.yaml }]`" });
  }
  return { projects, unused: top.unused, problems: inOrder(problems) };
}

/** `id` is set whenever it is readable, even if the rest is wrong. */
export function readProject(
  text: string,
  place: FilePlace,
  unusedAbove: readonly string[],
): { id: string | null; read: ReadTeam } {
  const { value, problems } = readYaml(text);
  const top = fieldsOf(value, problems, ["version", "project", "managers", "workers"]);
  const meta = fieldsOf(top.given("project"), problems, ["id", "name", "cwd"]);
  const id = meta.text("id", forms.project);
  const cwd = absolute(meta.text("cwd", forms.path), place) ?? place.folder;
  const entries = [...top.entries("managers"), ...top.entries("workers")];
  if (entries.length > limits.teamFileAgents) {
    return { id, read: { problems: [{ ...start, message: tooMany(entries.length) }] } };
  }
  const agents = entries.map((entry) => readAgent(entry, cwd, place, problems));
  const ours = agents.filter(({ runtime }) => runtime === "claude-code").map(({ agent }) => agent);
  if (id === null && problems.length === 0) {
    problems.push({ ...start, message: "it needs `project:` with an `id:`" });
  }
  if (ours.length === 0 && problems.length === 0) {
    problems.push({ ...start, message: "it has no agent that runs claude-code" });
  }
  for (const problem of twice(entries)) problems.push(problem);
  if (problems.length > 0) return { id, read: { problems: inOrder(problems) } };
  const unused = [
    ...new Set([...unusedAbove, ...top.unused, ...meta.unused, ...agents.flatMap((each) => each.unused)]),
  ];
  const team = {
    path: place.path,
    written: place.folder,
    folder: place.folder,
    project: projectId(id!),
    team: teamName(sessionFor(id!)),
    layout: "tiled" as const,
    adopts: false,
    agents: ours,
    notes: [
      ...otherRuntimes(agents),
      ...(unused.length > 0 ? [`unused keys of teamctl's files: ${unused.join(", ")}`] : []),
    ],
  };
  return { id, read: { team } };
}

interface ReadAgent {
  agent: WantedAgent;
  runtime: string;
  unused: string[];
}

const agentKeys = ["runtime", "model", "role_prompt", "permission_mode", "reports_to", "cwd_override"];

function readAgent(
  { key: id, value, line, column }: YamlEntry,
  cwd: string,
  place: FilePlace,
  problems: Problem[],
): ReadAgent {
  if (!fits(forms.role, id))
    problems.push({ line, column, message: `refused ${quoted(id)}: ${forms.role.rule}` });
  const fields = fieldsOf(value, problems, agentKeys);
  const agent: WantedAgent = {
    ...blankAgent,
    id: id as Role,
    model: fields.text("model", forms.text),
    cwd: absolute(fields.text("cwd_override", forms.path), place) ?? cwd,
    promptPaths: fields.texts("role_prompt", forms.path).map((path) => absolute(path, place)!),
    permissionMode: fields.text("permission_mode", forms.mode),
    reportsTo: fields.text("reports_to", forms.text),
    line,
  };
  return { agent, runtime: fields.text("runtime", forms.text) ?? "claude-code", unused: fields.unused };
}

function otherRuntimes(agents: readonly ReadAgent[]): string[] {
  const others = [...new Set(agents.map(({ runtime }) => runtime))].filter(
    (runtime) => runtime !== "claude-code",
  );
  return others.map((runtime) => {
    const left = agents.filter((each) => each.runtime === runtime).map(({ agent }) => agent.id);
    return `hivemind does not run ${quoted(runtime)}: left out ${left.map(quoted).join(", ")}`;
  });
}

function twice(entries: readonly YamlEntry[]): Problem[] {
  return entries
    .filter(({ key }, at) => entries.findIndex((other) => other.key === key) < at)
    .map(({ key, line, column }) => ({ line, column, message: `${quoted(key)} is already a manager` }));
}

/** A mapping with known keys. Missing and null values are left out; a value of another type is a problem. */
function fieldsOf(value: Yaml | null, problems: Problem[], known: readonly string[]) {
  const entries = value?.is === "mapping" ? value.entries : [];
  const refuse = ({ line, column }: Place, message: string) => void problems.push({ line, column, message });
  if (value !== null && value.is !== "mapping" && value.is !== "nothing")
    refuse(value, "a mapping belongs here");

  const given = (name: string): Yaml | null => {
    const found = entries.find(({ key }) => key === name)?.value ?? null;
    return found?.is === "nothing" ? null : found;
  };
  const checked = (name: string, form: Form, found: Yaml): string[] => {
    if (found.is !== "text") refuse(found, `\`${name}\` must be text`);
    else if (fits(form, found.text)) return [found.text];
    else refuse(found, `\`${name}\`: refused ${quoted(found.text)}: ${form.rule}`);
    return [];
  };
  /** One text, or a list. */
  const texts = (name: string, form: Form): string[] => {
    const found = given(name);
    if (found === null) return [];
    return (found.is === "list" ? found.items : [found]).flatMap((each) => checked(name, form, each));
  };
  return {
    unused: entries.map(({ key }) => key).filter((key) => !known.includes(key)),
    given,
    texts,
    text(name: string, form: Form): string | null {
      const found = given(name);
      return found === null ? null : (checked(name, form, found)[0] ?? null);
    },
    items(name: string): readonly Yaml[] {
      const found = given(name);
      if (found === null || found.is === "list") return found?.items ?? [];
      refuse(found, `\`${name}\` must be a list`);
      return [];
    },
    entries(name: string): readonly YamlEntry[] {
      const found = given(name);
      if (found === null || found.is === "mapping") return found?.entries ?? [];
      refuse(found, `\`${name}\` must be a mapping`);
      return [];
    },
  };
}
