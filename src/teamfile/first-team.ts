// Builds a first team from a few answers, and provides the default answers.

import { basename } from "node:path";
import { HiveError } from "../base/errors.js";
import { limits } from "../limits.js";
import { projectId, role, teamName } from "../names/gates.js";
import { paneKinds } from "../names/kind.js";
import { fits, forms, sessionFor } from "./forms.js";
import { meant, quoted } from "./problem.js";
import { blankAgent, type TeamLayout, teamLayouts, type WantedAgent } from "./team-file.js";
import type { WrittenTeam } from "./write-team-file.js";

/** As typed. Null means no answer. */
export interface Answers {
  project: string;
  session: string | null;
  agents: string;
  model: string | null;
  kind: string | null;
  layout: string | null;
}

export const firstAgents = "lead,dev";

/** A project id from a folder's name. */
export function projectFor(folder: string): string {
  const fit = basename(folder)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[-.]+|-+$/g, "")
    .slice(0, limits.projectLength);
  return fit === "" ? "team" : fit;
}

export function firstTeam(folder: string, answers: Answers): WrittenTeam {
  const project = projectId(answers.project);
  const kind = answers.kind === null ? "claude" : chosen("kind", answers.kind, paneKinds);
  const model = answers.model === null ? null : modelOf(answers.model);
  if (kind === "shell" && model !== null) throw new HiveError("a shell has no model");
  return {
    folder,
    project,
    team: teamName(answers.session ?? sessionFor(project)),
    layout: layoutOf(answers.layout),
    adopts: false,
    agents: idsOf(answers.agents).map((id) => ({ ...blankAgent, id, kind, model, cwd: folder })),
  };
}

/** Reads `lead,dev` or `lead dev`. */
export function idsOf(typed: string): WantedAgent["id"][] {
  const ids = typed
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(role);
  const twice = ids.find((id, at) => ids.indexOf(id) < at);
  if (twice !== undefined) throw new HiveError(`refused "${typed}": ${twice} is given twice`);
  if (ids.length === 0)
    throw new HiveError("a team has at least one agent", { hint: `for example: ${firstAgents}` });
  return ids;
}

export function modelOf(typed: string): string {
  if (fits(forms.text, typed)) return typed;
  throw new HiveError(`refused ${quoted(typed)}: ${forms.text.rule}`);
}

export function layoutOf(typed: string | null): TeamLayout {
  return typed === null ? "tiled" : chosen("layout", typed, teamLayouts);
}

function chosen<T extends string>(name: string, typed: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === typed);
  if (found !== undefined) return found;
  throw new HiveError(
    `${name} cannot be ${quoted(typed)}: ${meant(typed, choices, `it is one of ${choices.join(", ")}`)}`,
  );
}
