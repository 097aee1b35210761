// A bundle: the store files that travel to another host, with the manifest that lists them. Pure.
// A bundle has the layout of a hivemind config folder plus the client's `projects/`, so the same code reads both.
//
// - Only stores, snapshots, layouts and transcripts may be in a bundle. Any other name, or a path that leads out of
//   it, is neither packed nor unpacked.
// - A bundle reads back as the rows it was made of.
// - A foreign manifest counts only as a whole: one forbidden file, and all of it is refused.
// - A manifest of a newer version is refused before anything else in it is read.

import { HiveError } from "../../base/errors.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { parseUtc } from "../../base/text/utc.js";
import { limits } from "../../limits.js";
import { type Host, hostName, isTeamName, isUuid, type SessionId, type TeamName } from "../../names/gates.js";
import { storePaths } from "../file/folder.js";
import { formatRow, type RowFormat } from "../file/row-lines.js";
import { type ForkRow, forkFormat, forkHeader } from "../forks.js";
import { type RoleRow, roleFormat } from "../roles.js";
import { type SessionRow, sessionFormat } from "../sessions.js";
import { snapshotName } from "../snapshots.js";
import { type TeamRow, teamFormat } from "../teams.js";
import { formatLayout, type Layout } from "./layout-text.js";
import { type AgentRow, agentFormat } from "./roster-rows.js";
import { formatSnapshot, type StoredRow } from "./snapshot-text.js";

export interface BundleRows {
  /** Only of teams that were never saved: a snapshot has its own agents. */
  agents: readonly AgentRow[];
  teams: readonly TeamRow[];
  roles: readonly RoleRow[];
  sessions: readonly SessionRow[];
  forks: readonly ForkRow[];
  /** Null if nothing was saved. */
  snapshot: BundleSnapshot | null;
  layouts: readonly Layout[];
}

export interface BundleSnapshot {
  rows: readonly StoredRow[];
  silent: ReadonlySet<SessionId>;
  savedAtMs: number;
  /** The name of the saved file (default: a name by its time). */
  name?: string;
}

/** By their paths in the bundle. */
export function bundleTexts(rows: BundleRows): Map<string, string> {
  const { agents, teams, roles, sessions, forks, snapshot, layouts } = rows;
  const texts = new Map([
    [inside(paths.teams), lines(teams, teamFormat)],
    [inside(paths.roles), lines(roles, roleFormat)],
    [inside(paths.sessions), lines(sessions, sessionFormat)],
    [inside(paths.forks), [...forkHeader.map((line) => `${line}\n`), lines(forks, forkFormat)].join("")],
  ]);
  // Versions without a roster refuse a bundle with this file.
  if (agents.length > 0) texts.set(inside(paths.roster), lines(agents, agentFormat));
  if (snapshot !== null) {
    const { silent, savedAtMs, name } = snapshot;
    const text = formatSnapshot(snapshot.rows, savedAtMs, { isAutosave: false, silent });
    texts.set(name ?? snapshotName(savedAtMs), text);
  }
  for (const layout of layouts)
    texts.set(`${layoutFolder}${layout.team}${layoutEnding}`, formatLayout(layout));
  return texts;
}

export function boxTranscript(slug: string, id: SessionId): string {
  return `projects/${slug}/${id}.jsonl`;
}

export function isBundlePath(path: string): boolean {
  const { roster, roles, sessions, teams, forks } = paths;
  if ([roster, roles, sessions, teams, forks].map(inside).includes(path)) return true;
  if (/^hivemind\.snapshot\.\d{8}T\d{6}(?:-\d{1,4})?\.env$/.test(path)) return true;
  if (path.startsWith(layoutFolder) && path.endsWith(layoutEnding)) {
    return isTeamName(path.slice(layoutFolder.length, -layoutEnding.length));
  }
  const [, id] = /^projects\/[A-Za-z0-9-]{1,255}\/([^/]+)\.jsonl$/.exec(path) ?? [];
  return id !== undefined && isUuid(id);
}

/** A bundle is opened like any config folder, by its path alone: overrides must not lead out of it. */
const paths = storePaths({ HIVEMIND_CONFIG_DIR: "/" });
const inside = (path: string) => path.slice(1);
const layoutFolder = "otmux/";
const layoutEnding = ".layout.env";

function lines<Row extends object>(rows: readonly Row[], format: RowFormat<Row>): string {
  return rows.map((row) => `${formatRow(row, format)}\n`).join("");
}

export interface BundleFile {
  /** Relative to the bundle. */
  path: string;
  sizeBytes: number;
  /** Hexadecimal. */
  sha256: string;
}

export interface Manifest {
  version: 1;
  /** The host it was packed on, by the name that the owner of the bundle uses. */
  host: Host;
  /** UTC, `…Z`. */
  packedAt: string;
  /** When its content was saved; null if it never was. */
  savedAt: string | null;
  teams: TeamName[];
  files: BundleFile[];
}

export function readManifest(value: unknown): Manifest {
  const page = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  if (page.version !== 1) {
    throw new HiveError(
      `a bundle of version ${harmless(String(page.version)).slice(0, 20)}; this hivemind reads version 1`,
      {
        hint: "update the older of the two hiveminds",
      },
    );
  }
  const { host, packedAt, savedAt, teams, files } = page;
  if (typeof host !== "string") throw bad("no host");
  if (!isListOf(teams, (team): team is TeamName => typeof team === "string" && isTeamName(team)))
    throw bad("an invalid team name");
  if (!isListOf(files, isBoxFile)) throw bad("a file that does not belong in a bundle");
  if (files.length > limits.boxFiles) throw bad(`${files.length} files`);
  refuseLarge(files);
  if (new Set(files.map(({ path }) => path)).size < files.length) throw bad("the same file twice");
  const isTime = (value: unknown): value is string => typeof value === "string" && parseUtc(value) !== null;
  if (!isTime(packedAt) || !(savedAt === null || isTime(savedAt))) throw bad("an invalid time");
  const own = files.map(({ path, sizeBytes, sha256 }) => ({ path, sizeBytes, sha256 }));
  return { version: 1, host: hostName(host), packedAt, savedAt, teams, files: own };
}

/** Checked before sending, too: the other side may be an older version that does not check. */
export function refuseLarge(files: readonly BundleFile[]): void {
  const bytes = sizeOf(files);
  if (bytes <= limits.boxBytes) return;
  throw new HiveError(`refused a bundle of ${bytes} bytes: the limit is ${limits.boxBytes}`, {
    hint: "take one team at a time, or fewer conversations",
  });
}

export function sizeOf(files: readonly BundleFile[]): number {
  return files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
}

function isListOf<T>(value: unknown, is: (each: unknown) => each is T): value is T[] {
  return Array.isArray(value) && value.every(is);
}

function isBoxFile(value: unknown): value is BundleFile {
  const { path, sizeBytes, sha256 } = (value ?? {}) as Record<string, unknown>;
  const isSize = Number.isSafeInteger(sizeBytes) && (sizeBytes as number) >= 0;
  if (typeof path !== "string" || !isBundlePath(path) || !isSize) return false;
  return (sizeBytes as number) <= limits.boxFileBytes && /^[0-9a-f]{64}$/.test(String(sha256));
}

function bad(what: string): HiveError {
  return new HiveError(`refused the manifest of this bundle: it has ${what}`);
}
