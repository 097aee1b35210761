// Which file of a conversation the agent of a pane writes. One session id can have files under two project folders,
// and in two config folders.
//
// 1. An agent writes into its own config folder: a file elsewhere is another agent's.
// 2. A hook's report of this process names its file, as long as the file exists.
// 3. A process started to create a session writes a file born after its start; one started to resume, an older file.
// 4. Of several, the file under the slug of the agent's folder is its own.
// 5. If several files of a running agent remain, its file is unknown.
//
// For an ended agent the file under its folder's slug counts, else the one written last.

import { basename, dirname } from "node:path";
import { realPath } from "../../base/files/real-path.js";
import type { SessionId } from "../../names/gates.js";
import { projectSlug } from "../../names/slug.js";
import type { Index } from "../../transcripts/index.js";
import type { Transcript } from "../../transcripts/transcript.js";
import type { FleetPane } from "../panes.js";
import type { HookClaim } from "./hook-claims.js";

export type FilePane = Pick<FleetPane, "process" | "folder" | "live" | "arguments" | "cwd" | "startPath">;

/** `hook` is the claim of the pane's own process. */
export function transcriptOfPane(
  { byId }: Pick<Index, "byId">,
  uuid: SessionId,
  pane: FilePane,
  hook: HookClaim | null,
): Transcript | null {
  const files = byId.get(uuid) ?? [];
  const slug = projectSlug(realPath(folderOf(pane)) ?? folderOf(pane));
  const underSlug = (each: Transcript) => basename(dirname(each.path)) === slug;
  if (pane.process === null) return files.find(underSlug) ?? files[0] ?? null;
  const own = files.filter((each) => isInFolder(each, pane));
  const reported = hook?.sessionId === uuid ? hook.transcriptPath : null;
  const named = reported === null ? undefined : own.find(({ path }) => isSamePlace(path, reported));
  if (named !== undefined) return named;
  const possible = own.filter((each) => fitsStart(each, uuid, pane));
  const cwd = folderOf(pane);
  return (
    only(possible) ??
    only(possible.filter(underSlug)) ??
    only(possible.filter(({ facts }) => facts.lastCwd === cwd)) ??
    only(possible.filter(({ modifiedAtMs }) => modifiedAtMs >= startOf(pane).from))
  );
}

/** Without a registry entry, a process's config folder is uncertain, so every file may be its own. */
function isInFolder(written: Transcript, { folder, live }: FilePane): boolean {
  if (live === null || folder === null) return true;
  return isSamePlace(written.folder, folder);
}

function fitsStart({ bornAtMs, facts }: Transcript, uuid: SessionId, pane: FilePane): boolean {
  const bornMs = bornAtMs ?? facts.firstAtMs;
  if (bornMs === null || pane.arguments?.began !== uuid) return true;
  const { from, to } = startOf(pane);
  return pane.arguments.isCreated ? bornMs >= from : bornMs <= to;
}

/** File times are coarser than the client's clock, and a process's start is known to about a second. */
function startOf({ process, live }: FilePane): { from: number; to: number } {
  const aroundMs = live?.startedAtMs ?? process?.startedAtMs ?? 0;
  const slackMs = live?.startedAtMs === undefined ? 2_000 : 500;
  return { from: aroundMs - slackMs, to: aroundMs + slackMs };
}

function folderOf({ live, cwd, startPath }: FilePane): string {
  return live?.cwd ?? (cwd || startPath);
}

function isSamePlace(a: string, b: string): boolean {
  return a === b || (realPath(a) ?? a) === (realPath(b) ?? b);
}

function only<T>(some: readonly T[]): T | null {
  return some.length === 1 ? some[0]! : null;
}
