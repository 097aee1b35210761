// Which file of a conversation the agent of a pane writes. One session id can have files under two project folders,
// and in two config folders.
//
// [PT1] An agent writes into its own config folder: a file elsewhere is another agent's.
// [PT2] A hook's report of this process names its file, for as long as that file lies there.
// [PT3] A process that was started to create a session writes a file that was born after its start, one that was
//       started to resume a session a file from before. Of several the one under the slug of its folder is its own.
// [PT4] Where nothing decides between several files of a running agent, its file is not known. Of an ended agent the
//       file of its folder counts, else the last written.

import { realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { errorCode } from "../base/errors.js";
import type { SessionId } from "../names/gates.js";
import { projectSlug } from "../names/slug.js";
import type { Index } from "../transcripts/index.js";
import type { Transcript } from "../transcripts/transcript.js";
import type { HookClaim } from "./hook-claims.js";
import type { FleetPane } from "./panes.js";

export type FilePane = Pick<FleetPane, "process" | "folder" | "live" | "arguments" | "cwd" | "startPath">;

/** `hook` is what the hooks of the pane's own process reported. */
export function transcriptOfPane(
  { byId }: Pick<Index, "byId">,
  uuid: SessionId,
  pane: FilePane,
  hook: HookClaim | null,
): Transcript | null {
  const files = byId.get(uuid) ?? [];
  const slug = slugOf(pane);
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

/** Of a process without a registry file nobody is sure which folder is its own. */
function isInFolder({ path }: Transcript, { folder, live }: FilePane): boolean {
  if (live === null || folder === null) return true;
  return isSamePlace(dirname(dirname(dirname(path))), folder);
}

function fitsStart({ bornAtMs, facts }: Transcript, uuid: SessionId, pane: FilePane): boolean {
  const bornMs = bornAtMs ?? facts.firstAtMs;
  if (bornMs === null || pane.arguments?.began !== uuid) return true;
  const { from, to } = startOf(pane);
  return pane.arguments.isCreated ? bornMs >= from : bornMs <= to;
}

/** The clock of files ticks coarser than the client's, and the start of a process is known to about a second. */
function startOf({ process, live }: FilePane): { from: number; to: number } {
  const aroundMs = live?.startedAtMs ?? process?.startedAtMs ?? 0;
  const slackMs = live?.startedAtMs === undefined ? 2_000 : 500;
  return { from: aroundMs - slackMs, to: aroundMs + slackMs };
}

function slugOf(pane: FilePane): string {
  return projectSlug(realPath(folderOf(pane)));
}

function folderOf({ live, cwd, startPath }: FilePane): string {
  return live?.cwd ?? (cwd || startPath);
}

function isSamePlace(a: string, b: string): boolean {
  return a === b || realPath(a) === realPath(b);
}

/** The path as it is given where nothing lies there. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return path;
  }
}

function only<T>(some: readonly T[]): T | null {
  return some.length === 1 ? some[0]! : null;
}
