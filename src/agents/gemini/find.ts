// Where the client keeps its session files: `<config folder>/tmp/<slug>/chats/session-<time>-<8 hex>.jsonl`.
//
// - The name has only the first eight digits of the id; the first line has the whole id. A file without that line: a
//   start in the same folder removed the file of a session without messages, and its process then wrote a new one.
//   The log of inputs beside it still has the id.
// - Files of sub-agents are in a folder below and are not sessions.
// - The folder that a slug stands for is in its `.project_root`, else in `projects.json`. Slugs are shortened names.
// - Whether a file grew says nothing about its session: the next start in a folder writes a summary into older files.

import { readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { readBeginning } from "../../base/files/atomic-file.js";
import { readSessionId, type SessionId } from "../../names/gates.js";
import { objectOrNull, parseRecord, textOrNull, timeMs } from "../record.js";
import { type Input, readInputs } from "./inputs.js";

export interface SessionFile {
  path: string;
  /** The first eight digits of its session's id. */
  short: string;
}

export interface SessionHead {
  id: SessionId;
  startedAtMs: number | null;
}

/** The folders of all slugs. */
export function slugFolders(home: string): string[] {
  const tmp = join(home, "tmp");
  return namesIn(tmp).map((slug) => join(tmp, slug));
}

/** The folder of the slug that stands for this work folder; null before its first start. */
export function slugFolderFor(home: string, cwd: string): string | null {
  const projects = projectsIn(read(join(home, "projects.json"), projectsBytes) ?? "");
  const slug = textOrNull(projects[cwd]);
  if (slug !== null) return join(home, "tmp", slug);
  return slugFolders(home).find((folder) => projectRootOf(folder) === cwd) ?? null;
}

/** With a list of names alone; the files are not opened. */
export function sessionFilesIn(slugFolder: string): SessionFile[] {
  const chats = join(slugFolder, "chats");
  return namesIn(chats).flatMap((name) => {
    const short = shortIdIn(name);
    return short === null ? [] : [{ path: `${chats}/${name}`, short }];
  });
}

export function shortIdIn(name: string): string | null {
  return /^session-[0-9T-]+-([0-9a-f]{8})\.jsonl$/.exec(name)?.[1] ?? null;
}

/** The slug's folder that has this session file. */
export function slugFolderOf(path: string): string {
  return dirname(dirname(path));
}

/** Null for a file without a first line of its own, a sub-agent's, or an unreadable one. */
export function readHead(path: string): SessionHead | null {
  const head = read(path, headBytes) ?? "";
  const end = head.indexOf("\n");
  return end < 0 ? null : headIn(head.slice(0, end));
}

export function headIn(line: string): SessionHead | null {
  const record = parseRecord(line);
  const id = readSessionId(record?.sessionId);
  if (record === null || id === null || typeof record.projectHash !== "string") return null;
  return record.kind === "subagent" ? null : { id, startedAtMs: timeMs(record.startTime) };
}

/** The id of a file that lost its first line; null if the log has none with these digits, or two. */
export function idInLog(slugFolder: string, short: string): SessionId | null {
  const began = new Set(inputsIn(slugFolder).map((input) => input.began));
  const [id, other] = [...began].filter((each) => each.startsWith(`${short}-`));
  return other === undefined ? readSessionId(id) : null;
}

/** What people typed into the clients of this folder. An unchanged log is not read again. */
export function inputsIn(slugFolder: string): readonly Input[] {
  const path = join(slugFolder, "logs.json");
  const { size = 0, mtimeMs = 0, ino = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
  const stamp = `${ino} ${size} ${mtimeMs}`;
  const known = logs.get(path);
  if (known?.stamp === stamp) return known.inputs;
  const inputs = readInputs(read(path, logBytes) ?? "[]");
  logs.set(path, { stamp, inputs });
  return inputs;
}

const logs = new Map<string, { stamp: string; inputs: readonly Input[] }>();

/** The folder that its sessions belong to; null if the client did not write it down. */
export function projectRootOf(slugFolder: string): string | null {
  const known = roots.get(slugFolder);
  if (known !== undefined) return known;
  const own = read(join(slugFolder, ".project_root"), headBytes)?.trim();
  const home = dirname(dirname(slugFolder));
  const root = own || folderInProjects(read(join(home, "projects.json"), projectsBytes) ?? "", slugFolder);
  if (root !== null) roots.set(slugFolder, root);
  return root;
}

/** A slug stands for one folder for ever. */
const roots = new Map<string, string>();

export function folderInProjects(json: string, slugFolder: string): string | null {
  const slug = basename(slugFolder);
  return Object.entries(projectsIn(json)).find(([, name]) => textOrNull(name) === slug)?.[0] ?? null;
}

function projectsIn(json: string): Record<string, unknown> {
  return objectOrNull(parseRecord(json)?.projects) ?? {};
}

const headBytes = 4096;
const projectsBytes = 4_000_000;
const logBytes = 32_000_000;

/** The beginning of a regular file; null if there is none, or it is unreadable. */
function read(path: string, mostBytes: number): string | null {
  try {
    return readBeginning(path, mostBytes)?.toString("utf8") ?? null;
  } catch {
    return null;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}
