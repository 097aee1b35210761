// Packs a bundle: the teams of this host in a form that another host can restore.
//
// - It holds what is stored for these teams (rows, the newest snapshot of each, layouts, lineage) and the
//   transcripts of their sessions. Nothing else of this host is read.
// - If a transcript may be in an unreadable place, nothing is packed, so that none is left behind.
// - Of a growing transcript only the whole lines at the first look count.
// - A team with an agent of a kind that cannot move is refused.
// - Packing changes nothing here.

import { createHash } from "node:crypto";
import { constants, fstatSync, readSync } from "node:fs";
import { basename, dirname } from "node:path";
import { needOf } from "../agents/all.js";
import { HiveError } from "../base/errors.js";
import { withFile } from "../base/files/atomic-file.js";
import { harmless } from "../base/text/escape-terminal.js";
import { utcSeconds } from "../base/text/utc.js";
import { rootsOf, searchedFolders } from "../fleet/folders.js";
import { limits } from "../limits.js";
import type { Host, SessionId, TeamName } from "../names/gates.js";
import { projectSlug } from "../names/slug.js";
import { storeError } from "../stores/file/error.js";
import { checksum, firstBytes } from "../stores/received.js";
import type { Stores } from "../stores/stores.js";
import {
  type BundleFile,
  boxTranscript,
  bundleTexts,
  isBundlePath,
  type Manifest,
  refuseLarge,
} from "../stores/text/bundle.js";
import { type SnapshotRow, withLikelyKind } from "../stores/text/snapshot-text.js";
import type { TeamWorld } from "../teams/world.js";
import { type FoundFile, findSession } from "../transcripts/find.js";
import { refuseUnseen } from "../transcripts/unreadable.js";
import { type Parents, parentsIn, travellingRows } from "./lineage-rows.js";
import { type StoredChoice, type StoredRows, storedTeams } from "./stored-teams.js";

export interface Bundle {
  page: Manifest;
  bytesOf(path: string): AsyncIterable<Buffer>;
  /** The saved panes in it. */
  rows: readonly SnapshotRow[];
  /** The conversations that would be opened from it. */
  sessions: ReadonlySet<SessionId>;
  /** The parents of these sessions and of their ancestors. */
  parents: Parents;
  /** What is not packed, for people. */
  problems: string[];
}

type PackWorld = Pick<TeamWorld, "env" | "stores">;

/** What a bundle would hold, before a transcript is read. */
export interface Contents {
  teams: TeamName[];
  /** Null if the teams were never saved. */
  savedAtMs: number | null;
  /** The small files, by their path in the bundle. */
  texts: ReadonlyMap<string, string>;
  /** `path` is in the bundle, `from` on this host. */
  transcripts: readonly { id: SessionId; path: string; from: string }[];
  rows: readonly SnapshotRow[];
  sessions: ReadonlySet<SessionId>;
  parents: Parents;
  problems: string[];
}

export function contentsOf(world: PackWorld, choice: StoredChoice): Contents {
  const problems: string[] = [];
  const { teams, rows } = storedTeams(world.stores, choice, problems);
  for (const { kind } of rows.snapshot?.rows ?? []) if (kind !== null) needOf(kind, "move");
  const found = transcriptsOf(world, rows, problems);
  const forks = travellingRows(() => world.stores.forks.scan(), found.sessions);
  const transcripts = found.files.flatMap(({ id, path: from }) => {
    const path = boxTranscript(basename(dirname(from)), id);
    if (isBundlePath(path)) return { id, path, from };
    problems.push(`${harmless(from)} stays: no client gives a folder such a name`);
    return [];
  });
  return {
    ...{ teams, transcripts, problems },
    savedAtMs: rows.snapshot?.savedAtMs ?? null,
    texts: bundleTexts({ ...rows, forks }),
    rows: (rows.snapshot?.rows ?? []).map(withLikelyKind),
    sessions: new Set((rows.snapshot?.rows ?? rows.sessions).flatMap(({ uuid }) => uuid ?? [])),
    parents: parentsIn(forks),
  };
}

export function manifestOf(
  { teams, savedAtMs }: Pick<Contents, "teams" | "savedAtMs">,
  host: Host,
  files: BundleFile[],
): Manifest {
  const savedAt = savedAtMs === null ? null : utcSeconds(savedAtMs);
  return { version: 1, host, packedAt: utcSeconds(Date.now()), savedAt, teams, files };
}

export function textFile(path: string, text: string): BundleFile {
  const sha256 = createHash("sha256").update(text).digest("hex");
  return { path, sizeBytes: Buffer.byteLength(text), sha256 };
}

/** `host` is the name of this host on the receiving side. */
export async function packBundle(world: PackWorld, choice: StoredChoice & { host: Host }): Promise<Bundle> {
  const contents = contentsOf(world, choice);
  const files: BundleFile[] = [];
  const bytes = new Map<string, () => AsyncGenerator<Buffer>>();
  for (const [path, text] of contents.texts) {
    files.push(textFile(path, text));
    bytes.set(path, async function* () {
      yield Buffer.from(text);
    });
  }
  for (const { path, from } of contents.transcripts) {
    const file = { path, ...(await measured(from)) };
    files.push(file);
    bytes.set(path, () => allOf(from, file.sizeBytes));
  }
  refuseLarge(files);
  const { rows, sessions, parents, problems } = contents;
  return {
    ...{ rows, sessions, parents, problems },
    page: manifestOf(contents, choice.host, files),
    bytesOf: (path) => bytes.get(path)!(),
  };
}

async function* allOf(path: string, sizeBytes: number): AsyncGenerator<Buffer> {
  let left = sizeBytes;
  for await (const piece of firstBytes(path, sizeBytes)) {
    left -= piece.length;
    yield piece;
  }
  if (left > 0) throw new HiveError(`${path} became shorter while it was read`);
}

/** A session without a transcript needs its parent's: it is forked from that again. */
function transcriptsOf({ env, stores }: PackWorld, { sessions, snapshot }: StoredRows, problems: string[]) {
  const roots = rootsOf(searchedFolders(env, stores.accounts.read().rows, []));
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

/** The file in its saved folder, else the newest one. */
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

async function measured(path: string): Promise<Omit<BundleFile, "path">> {
  try {
    const sizeBytes = wholeLines(path);
    return { sizeBytes, sha256: await checksum(path, sizeBytes) };
  } catch (error) {
    throw storeError(path, error);
  }
}

/** The number of bytes up to the last line end. */
export function wholeLines(path: string): number {
  const look = (fd: number) => {
    const block = Buffer.alloc(limits.boxTailBytes);
    for (let end = fstatSync(fd).size; end > 0; ) {
      const start = Math.max(0, end - block.length);
      const got = readSync(fd, block, 0, end - start, start);
      const last = block.subarray(0, got).lastIndexOf(0x0a);
      if (last >= 0) return start + last + 1;
      end = start;
    }
    return 0;
  };
  return withFile(path, constants.O_RDONLY, look) ?? 0;
}
