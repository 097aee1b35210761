// Describes a running team as a team file would.
//
// - It has every agent with a role that a team file can start, with folder, model, kind and permission mode. Agents
//   that are left out are reported.
// - A role counts once: of two panes the first.

import { projectId, type Role } from "../names/gates.js";
import { isPaneKind, type Kind } from "../names/kind.js";
import { blankAgent, type TeamLayout } from "./team-file.js";
import type { WrittenTeam } from "./write-team-file.js";

/** A pane as a snapshot has it. */
export interface RunningPane {
  window: number;
  pane: number;
  role: Role | null;
  kind: Kind;
  /** Empty if unknown. */
  cwd: string;
  model: string;
  /** As given to its process. */
  permissionMode?: string | null;
}

/** `layout` null: take it from the panes. `adopts`: `up` takes over running agents. */
type RunningTeam = Omit<WrittenTeam, "agents" | "layout"> & { layout: TeamLayout | null };

export function runningTeam(
  panes: readonly RunningPane[],
  { team, folder, project, layout, adopts }: RunningTeam,
): { team: WrittenTeam; leftOut: string[] } {
  const agents: WrittenTeam["agents"][number][] = [];
  const leftOut: string[] = [];
  for (const { window, pane, role, kind, cwd, model, permissionMode = null } of panes) {
    const place = `${team}:${window}.${pane}`;
    if (role === null) {
      if (kind !== "shell" && kind !== "monitor")
        leftOut.push(`${place} has no role: hivemind agent adopt ${place}`);
    } else if (!isPaneKind(kind)) leftOut.push(`${role} is a ${kind}, which a team file does not start`);
    else if (agents.some(({ id }) => id === role))
      leftOut.push(`${place} has the role ${role} too: hivemind agent rename ${place} ROLE`);
    else
      agents.push({
        ...blankAgent,
        id: role,
        kind,
        cwd: cwd || folder,
        model: kind === "shell" ? null : model || null,
        permissionMode: kind === "shell" ? null : permissionMode,
      });
  }
  const windows = new Set(panes.map(({ window }) => window));
  return {
    team: {
      folder,
      project: projectId(project),
      team,
      layout: layout ?? (windows.size > 1 && windows.size === panes.length ? "windows" : "tiled"),
      adopts,
      agents,
    },
    leftOut,
  };
}
