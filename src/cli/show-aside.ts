// What was put aside, on a terminal and for programs. Pure.

import { textTable } from "../base/table.js";
import type { Workspace } from "../names/workspace.js";
import type { Aside } from "../stores/put-aside.js";
import { shown } from "./output.js";
import { age, clipped } from "./show-sessions.js";

/** Those of one workspace, or all. */
export function asideOf(all: readonly Aside[], here: Workspace | null): Aside[] {
  return all.filter(({ workspace }) => here === null || workspace === here.path);
}

export function asideLines(all: readonly Aside[], nowMs: number): string[] {
  const rows = all.map(({ name, agent, atMs, title, workspace }) => [
    shown(name),
    shown(agent),
    age(atMs, nowMs),
    clipped(title),
    shown(workspace),
  ]);
  return textTable([["NAME", "AGENT", "AGE", "TITLE", "FOLDER"], ...rows], ["left", "left", "right"]);
}

export function asideJson({ name, id, agent, title, workspace, atMs, path, files }: Aside) {
  const from = files.map((file) => file.from);
  return { name, id, agent, title, cwd: workspace, at: new Date(atMs).toISOString(), path, files: from };
}

/** By the name of its folder, by its id, or by the beginning of either. */
export function asideNamed(all: readonly Aside[], typed: string): Aside[] {
  const exact = all.filter(({ name, id }) => name === typed || id === typed);
  const isPrefix = typed.length >= 8;
  return exact.length > 0 || !isPrefix ? exact : all.filter(({ id }) => id.startsWith(typed));
}
