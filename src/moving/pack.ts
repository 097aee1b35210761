// A box: the teams of this host as they can come back on another.
//
// [PCK1] In it is what is stored of these teams (rows, the newest snapshot that has each, layouts, lineage) and the
//        transcripts of their sessions. Nothing else of this host is read for it. One that may lie where nobody could
//        look is not left behind: nothing is packed.
// [PCK2] Of a transcript that is being written the whole lines count, as many as there were when it was looked at.
// [PCK3] Packing changes nothing here.

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { openRegular } from "../base/atomic-file.js";
import { HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { utcSeconds } from "../base/utc.js";
import { searchedFolders } from "../fleet/folders.js";
import { limits } from "../limits.js";
import type { Host, SessionId } from "../names/gates.js";
import { projectSlug } from "../names/slug.js";
import { type BoxFile, type BoxPage, refuseLarge } from "../stores/box-page.js";
import { boxTexts, boxTranscript, isBoxPath } from "../stores/box-text.js";
import { storeError } from "../stores/error.js";
import { checksum, firstBytes } from "../stores/pulled.js";
import { type SnapshotRow, withLikelyKind } from "../stores/snapshot-text.js";
import type { Stores } from "../stores/stores.js";
import { type FoundFile, findSession } from "../transcripts/find.js";
import { refuseUnseen } from "../transcripts/hidden.js";
import { type Parents, parentsIn, travellingRows } from "./lineage-rows.js";
import { type StoredChoice, type StoredRows, storedTeams } from "./stored-teams.js";

export interface Box {
  page: BoxPage;
  bytesOf(path: string): AsyncIterable<Buffer>;
  /** The saved panes in it. */
  rows: readonly SnapshotRow[];
  /** The conversations that would be opened from it. */
  sessions: ReadonlySet<SessionId>;
  /** What they, and their ancestors, come from. */
  parents: Parents;
  /** What does not travel, in words for a person. */
  problems: string[];
}

export interface PackWorld {
  env: NodeJS.ProcessEnv;
  stores: Stores;
}

export interface PackChoice extends StoredChoice {
  /** What this host is called by whoever unpacks. */
  host: Host;
}

export async function packBox(world: PackWorld, choice: PackChoice): Promise<Box> {
  const problems: string[] = [];
  const { teams, rows } = storedTeams(world.stores, choice, problems);
  const found = transcriptsOf(world, rows, problems);
  const forks = travellingRows(() => world.stores.forks.scan(), found.sessions);
  const texts = boxTexts({ ...rows, forks });
  const files: BoxFile[] = [...texts].map(([path, text]) => ({
    path,
    sizeBytes: Buffer.byteLength(text),
    sha256: createHash("sha256").update(text).digest("hex"),
  }));
  const sources = new Map<string, BoxFile & { from: string }>();
  for (const { id, path: from } of found.files) {
    const path = boxTranscript(basename(dirname(from)), id);
    if (!isBoxPath(path)) {
      problems.push(`${harmless(from)} stays: no client gives a folder such a name`);
      continue;
    }
    sources.set(path, { path, from, ...(await measured(from)) });
  }
  files.push(...[...sources.values()].map(({ from: _, ...file }) => file));
  refuseLarge(files);
  return {
    page: {
      version: 1,
      host: choice.host,
      packedAt: utcSeconds(Date.now()),
      savedAt: rows.snapshot === null ? null : utcSeconds(rows.snapshot.savedAtMs),
      teams,
      files,
    },
    rows: (rows.snapshot?.rows ?? []).map(withLikelyKind),
    sessions: new Set((rows.snapshot?.rows ?? rows.sessions).flatMap(({ uuid }) => uuid ?? [])),
    parents: parentsIn(forks),
    problems,
    async *bytesOf(path) {
      const source = sources.get(path);
      if (source === undefined) return yield Buffer.from(texts.get(path) ?? "");
      let left = source.sizeBytes;
      for await (const piece of firstBytes(source.from, source.sizeBytes)) {
        left -= piece.length;
        yield piece;
      }
      if (left > 0) throw new HiveError(`${source.from} became shorter while it was read`);
    },
  };
}

/** Of a session that has no transcript yet its parent's is needed: it is forked from that again. */
function transcriptsOf({ env, stores }: PackWorld, { sessions, snapshot }: StoredRows, problems: string[]) {
  const accounts = stores.accounts.read().rows.map(({ folder }) => folder);
  const roots = searchedFolders(env, accounts, []);
  const folders = new Map(snapshot?.rows.map(({ uuid, cwd }) => [uuid, cwd]));
  const own = new Set([...sessions, ...(snapshot?.rows ?? [])].flatMap(({ uuid }) => uuid ?? []));
  const files: FoundFile[] = [];
  for (const uuid of own) {
    const looked = findSession(roots, uuid);
    const found = theOne(looked.files, folders.get(uuid));
    const origin = found === null ? lastParent(stores, uuid) : null;
    const inherited = origin === null ? null : theOne(findSession(roots, origin).files, undefined);
    if (found === null && inherited === null && !snapshot?.silent.has(uuid)) {
      refuseUnseen(`the transcript of ${uuid}`, uuid, looked.problems);
      problems.push(`there is no transcript of ${uuid}`);
    }
    files.push(...[found, inherited].filter((file) => file !== null));
  }
  return { sessions: own, files: [...new Map(files.map((file) => [file.id, file])).values()] };
}

/** In the folder it was saved in, else the one that was written last. */
function theOne(files: readonly FoundFile[], cwd: string | undefined): FoundFile | null {
  const here = files.filter(({ path }) => cwd !== undefined && basename(dirname(path)) === projectSlug(cwd));
  const [newest] = [...(here.length > 0 ? here : files)].sort(
    (a, b) => b.stamp.modifiedAtMs - a.stamp.modifiedAtMs,
  );
  return newest ?? null;
}

function lastParent({ forks }: Stores, uuid: SessionId): SessionId | null {
  return [...forks.scan({ uuid })].findLast(({ parent }) => parent !== null)?.parent ?? null;
}

async function measured(path: string): Promise<Omit<BoxFile, "path">> {
  try {
    const sizeBytes = wholeLines(path);
    return { sizeBytes, sha256: await checksum(path, sizeBytes) };
  } catch (error) {
    throw storeError(path, error);
  }
}

/** How many bytes end with a line end. */
function wholeLines(path: string): number {
  const fd = openRegular(path, constants.O_RDONLY);
  if (fd === null) return 0;
  try {
    const block = Buffer.alloc(limits.boxTailBytes);
    for (let end = fstatSync(fd).size; end > 0; ) {
      const start = Math.max(0, end - block.length);
      const got = readSync(fd, block, 0, end - start, start);
      const last = block.subarray(0, got).lastIndexOf(0x0a);
      if (last >= 0) return start + last + 1;
      end = start;
    }
    return 0;
  } finally {
    closeSync(fd);
  }
}
