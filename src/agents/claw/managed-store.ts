// The managed sessions of one workspace. The store is opened from a folder, or with a data folder that several
// workspaces share. The partition is the boundary: an id means nothing outside it.
//
// - Two folders never see, resume or overwrite each other's sessions, even if the ids are equal.
// - A fork is in the same partition, with its parent's id and whole records; the parent is not touched.
// - Creating or resuming in a broad folder needs permission.
// - A refused call leaves no trace on disk.
// - Only a session that belongs here and is not in use can be deleted. The caller chooses where it goes.

import { errorCode, exitCodes, HiveError } from "../../base/errors.js";
import { FileRefused, removeFile } from "../../base/files/atomic-file.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { shellWord } from "../../base/text/shell-word.js";
import { limits } from "../../limits.js";
import { broadness } from "../../names/broad.js";
import type { ManagedId } from "../../names/managed-id.js";
import { openWorkspace, type Workspace } from "../../names/workspace.js";
import { appendRecords } from "./append.js";
import { type Located, listManaged, locate, type ManagedList, type ManagedRef, readLocated } from "./find.js";
import { holdSession, whileHolding } from "./hold.js";
import { makeSession, metaLine, type NewFile, recordBytes } from "./make.js";
import type { ManagedSummary, ReadFile } from "./managed-file.js";
import { type Places, partsOf, pathsOf, placesOf, standsAt } from "./places.js";
import { type Rebound, rebindSession } from "./rebind.js";
import { checkedRecord, type ManagedMessage, type ManagedRecord, recordLine } from "./records.js";

export type { ManagedList, ManagedRef } from "./find.js";
export type { ManagedSummary, RefusedFile } from "./managed-file.js";
export type { Rebound } from "./rebind.js";

export interface ManagedOptions {
  /** The workspace (default: the current folder). */
  folder?: string;
  /** Instead of `<workspace>/.claw`; still partitioned by workspace. */
  dataFolder?: string;
  /** The environment, for HOME. */
  env?: NodeJS.ProcessEnv;
}

export interface ManagedSessions {
  workspace: Workspace;
  /** `…/sessions/<fingerprint>`: the folder of this workspace's sessions. It need not exist. */
  partition: string;
  /** Its parent, which holds older sessions. */
  legacyRoot: string;
  list(): ManagedList;
  /** The newest session with a message. */
  latest(): ManagedSummary | null;
  load(ref: ManagedRef): ManagedSession;
  /** Whether `load` would read it. */
  exists(ref: ManagedRef): boolean;
  create(options?: CreateOptions): Promise<ManagedHandle>;
  /** Holds the session until the handle is closed. A second resume is refused, and the error names the holder. */
  resume(ref: ManagedRef, options?: BroadLeave): Promise<ManagedHandle>;
  append(ref: ManagedRef, records: ManagedRecord | readonly ManagedRecord[]): Promise<Appended>;
  fork(ref: ManagedRef, options?: { branch?: string }): Promise<ManagedSummary>;
  delete(ref: ManagedRef, disposal: Disposal): Promise<Deleted>;
  /** Binds a session of a moved or copied clone to this workspace. */
  rebind(ref: ManagedRef): Promise<Rebound>;
}

export interface ManagedSession {
  summary: ManagedSummary;
  /** Every whole record except `session_meta`, including unknown types. */
  records: ManagedRecord[];
  messages: ManagedMessage[];
}

export interface BroadLeave {
  /** Permission to begin in `/` or the home folder. */
  isBroadAllowed?: boolean;
}

export interface CreateOptions extends BroadLeave {
  model?: string;
  records?: readonly ManagedRecord[];
}

export interface ManagedHandle {
  id: ManagedId;
  path: string;
  append(records: ManagedRecord | readonly ManagedRecord[]): Promise<Appended>;
  close(): void;
}

export interface Appended {
  /** The file with the incomplete line of a killed writer; null if there was none. */
  setAside: string | null;
}

/** Nothing is destroyed by default. `toTrash` moves the file and returns its new path. */
export type Disposal = { toTrash: (path: string) => string | Promise<string> } | { isForever: true };

export interface Deleted {
  id: ManagedId;
  /**
   * The session's file and its parts (rotated out of it, or torn off). `trash` is null for a file removed for ever.
   */
  files: { path: string; trash: string | null }[];
  /** An older file of the same id that becomes visible now. */
  uncovers: string | null;
}

export function openManagedSessions(options: ManagedOptions = {}): ManagedSessions {
  const workspace = openWorkspace(options.folder);
  const places = placesOf(workspace, options.dataFolder);
  const env = options.env ?? process.env;
  const read = (ref: ManagedRef) => readLocated(places, locate(places, ref));
  return {
    workspace,
    partition: places.partition,
    legacyRoot: places.legacyRoot,
    list: () => listManaged(places),
    latest: () => listManaged(places).sessions.find(({ messages }) => messages > 0) ?? null,
    load(ref) {
      const { summary, contents } = read(ref);
      return { summary, records: contents.records, messages: contents.messages };
    },
    exists: (ref) => isThereToRead(() => read(ref)),
    create: ({ model, records = [], ...leave } = {}) =>
      withFolderInErrors(places, async () => {
        refuseBroad(workspace, env, leave);
        const lines = linesOf(records);
        const own = model === undefined ? {} : { model };
        const made = await makeSession(places, (id) => Buffer.from(metaLine(places, id, own, null) + lines));
        return openHandle(places, made);
      }),
    resume: (ref, leave = {}) =>
      withFolderInErrors(places, () => {
        refuseBroad(workspace, env, leave);
        return openHandle(places, writable(places, ref));
      }),
    append: (ref, records) =>
      withFolderInErrors(places, () => {
        const lines = linesOf(records);
        const { path, id } = writable(places, ref);
        return whileHolding(path, id, () => ({ setAside: appendRecords(path, lines) }));
      }),
    fork: (ref, { branch } = {}) => withFolderInErrors(places, () => forkSession(places, read(ref), branch)),
    delete: (ref, disposal) => withFolderInErrors(places, () => deleteSession(places, ref, disposal)),
    rebind: (ref) => withFolderInErrors(places, () => rebindSession(places, ref)),
  };
}

/** There is no list of all workspaces: these are the stores of the given folders, one per workspace. */
export function openManagedSessionsOf(
  folders: readonly string[],
  options: Omit<ManagedOptions, "folder"> = {},
): ManagedSessions[] {
  const stores = folders.map((folder) => openManagedSessions({ ...options, folder }));
  return [...new Map(stores.map((store) => [store.partition, store])).values()];
}

/** A file system error is reported in its own words with the folder; it is not a bug of ours. */
async function withFolderInErrors<T>({ partition }: Places, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const isOfDisk = error instanceof FileRefused || errorCode(error) !== undefined;
    if (!isOfDisk || error instanceof HiveError) throw error;
    throw new HiveError(`${harmless(partition)}: ${harmless((error as Error).message)}`, {
      hint: "check free space and permissions there; existing files are unchanged",
      cause: error,
    });
  }
}

async function openHandle(places: Places, { path, id }: NewFile): Promise<ManagedHandle> {
  const lock = await holdSession(path, id);
  let isOpen = true;
  return {
    id,
    path,
    append: (records) =>
      withFolderInErrors(places, async () => {
        if (!isOpen) throw new Error(`session ${id} was closed`);
        return { setAside: appendRecords(path, linesOf(records)) };
      }),
    close() {
      isOpen = false;
      lock.release();
    },
  };
}

async function forkSession(places: Places, parent: ReadFile, branch?: string): Promise<ManagedSummary> {
  const { summary, contents } = parent;
  const fork = {
    parent_session_id: summary.id,
    ...(branch === undefined ? {} : { branch_name: branchName(branch) }),
  };
  const { created_at_ms: _, ...carried } = contents.meta ?? {};
  const made = await makeSession(places, (id) =>
    Buffer.concat([Buffer.from(metaLine(places, id, { fork }, carried)), recordBytes(contents)]),
  );
  return readLocated(places, { ...made, place: "partition" }).summary;
}

async function deleteSession(places: Places, ref: ManagedRef, disposal: Disposal): Promise<Deleted> {
  const located = locate(places, ref);
  const { path, id } = inStore(located);
  readLocated(places, located);
  const files = await whileHolding(path, id, async () => {
    const gone: Deleted["files"] = [];
    for (const each of [path, ...partsOf(path)]) {
      if ("isForever" in disposal) removeFile(each);
      gone.push({ path: each, trash: "isForever" in disposal ? null : await disposal.toTrash(each) });
    }
    return gone;
  });
  return { id, files, uncovers: pathsOf(places, id).find(standsAt) ?? null };
}

/** A session of this store that records can be added to. */
function writable(places: Places, ref: ManagedRef): Located {
  const located = inStore(locate(places, ref));
  if (readLocated(places, located).contents.form !== "object") return located;
  throw new HiveError(`${harmless(located.path)} has an older format, which cannot be extended`, {
    hint: `continue in a copy: hivemind sessions fork ${located.id}`,
  });
}

function inStore(located: Located): Located {
  if (located.place === "partition" || located.place === "flat") return located;
  throw new HiveError(
    `${harmless(located.path)} is outside this workspace: it can only be read, or forked into it`,
    {
      hint: `hivemind sessions fork --file ${shellWord(located.path)}`,
    },
  );
}

/** A failed look is not an answer. */
function isThereToRead(look: () => ReadFile): boolean {
  try {
    look();
    return true;
  } catch (error) {
    if (error instanceof HiveError && error.exitCode !== exitCodes.couldNotLook) return false;
    throw error;
  }
}

function linesOf(records: ManagedRecord | readonly ManagedRecord[]): string {
  const all = "type" in records ? [records] : records;
  return all.map((record) => recordLine(checkedRecord(record))).join("");
}

function branchName(name: string): string {
  const isFit = name.trim() !== "" && name.length <= limits.managedBranchLength;
  if (isFit && !/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(name)) return name;
  throw new HiveError(
    `refused "${harmless(name.slice(0, limits.managedBranchLength))}": a branch name has no control characters and at most ${limits.managedBranchLength} characters`,
  );
}

function refuseBroad(
  { path }: Workspace,
  env: NodeJS.ProcessEnv,
  { isBroadAllowed = false }: BroadLeave,
): void {
  const what = broadness(path, env);
  if (what === null || isBroadAllowed) return;
  throw new HiveError(`refused to begin a session in ${harmless(path)}: it is ${what}`, {
    hint: "go to a project's folder, or add --allow-broad-cwd",
  });
}
