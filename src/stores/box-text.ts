// What of the stores travels to another host, as files of a box. Pure.
// A box is laid out like a config folder of hivemind, with the client's `projects/` in it: whatever reads those reads it.
//
// [BX1] Only stores, snapshots, layouts and transcripts have a place in a box; under any other name, or one that leads
//       out of it, nothing is packed or unpacked.
// [BX2] What a box says reads back as the rows it was made of.

import { isSessionId, isTeamName, type SessionId } from "../names/gates.js";
import { storePaths } from "./folder.js";
import { type ForkRow, forkFormat, forkHeader } from "./forks.js";
import { formatLayout, type Layout } from "./layout-text.js";
import { type RoleRow, roleFormat } from "./roles.js";
import { formatRow, type RowFormat } from "./row-lines.js";
import { type SessionRow, sessionFormat } from "./sessions.js";
import { formatSnapshot, type StoredRow } from "./snapshot-text.js";
import { snapshotName } from "./snapshots.js";
import { type TeamRow, teamFormat } from "./teams.js";

export interface BoxRows {
  teams: readonly TeamRow[];
  roles: readonly RoleRow[];
  sessions: readonly SessionRow[];
  forks: readonly ForkRow[];
  /** Null when nothing was saved. */
  snapshot: BoxSnapshot | null;
  layouts: readonly Layout[];
}

export interface BoxSnapshot {
  rows: readonly StoredRow[];
  silent: ReadonlySet<SessionId>;
  savedAtMs: number;
  /** Of the file that it was saved as; else one by its time. */
  name?: string;
}

/** By their paths in the box. */
export function boxTexts({ teams, roles, sessions, forks, snapshot, layouts }: BoxRows): Map<string, string> {
  const texts = new Map([
    [paths.teams, lines(teams, teamFormat)],
    [paths.roles, lines(roles, roleFormat)],
    [paths.sessions, lines(sessions, sessionFormat)],
    [paths.forks, [...forkHeader.map((line) => `${line}\n`), lines(forks, forkFormat)].join("")],
  ]);
  if (snapshot !== null) {
    const { rows, silent, savedAtMs, name } = snapshot;
    texts.set(
      name ?? snapshotName(savedAtMs),
      formatSnapshot(rows, savedAtMs, { isAutosave: false, silent }),
    );
  }
  for (const layout of layouts)
    texts.set(`${layoutFolder}${layout.team}${layoutEnding}`, formatLayout(layout));
  return texts;
}

export function boxTranscript(slug: string, id: SessionId): string {
  return `projects/${slug}/${id}.jsonl`;
}

export function isBoxPath(path: string): boolean {
  if (Object.values(paths).includes(path)) return true;
  if (/^hivemind\.snapshot\.\d{8}T\d{6}(?:-\d{1,4})?\.env$/.test(path)) return true;
  if (path.startsWith(layoutFolder) && path.endsWith(layoutEnding)) {
    return isTeamName(path.slice(layoutFolder.length, -layoutEnding.length));
  }
  const [, id] = /^projects\/[A-Za-z0-9-]{1,255}\/([^/]+)\.jsonl$/.exec(path) ?? [];
  return id !== undefined && isSessionId(id);
}

/** A box is opened like any config folder, by its path alone: no override leads out of it. */
const { roles, sessions, teams, forks } = storePaths({ HIVEMIND_CONFIG_DIR: "/" });
const inside = (path: string) => path.slice(1);
const paths = {
  roles: inside(roles),
  sessions: inside(sessions),
  teams: inside(teams),
  forks: inside(forks),
};
const layoutFolder = "otmux/";
const layoutEnding = ".layout.env";

function lines<Row extends object>(rows: readonly Row[], format: RowFormat<Row>): string {
  return rows.map((row) => `${formatRow(row, format)}\n`).join("");
}
