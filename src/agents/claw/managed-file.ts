// One file of a managed store: its session, or why it is not a session of this workspace.
//
// - A link, a folder, a pipe, a file of megabytes without a record, or a file of another version is not a session.
// - The last change is the newest of the meta's time, the last record's and the file's.
// - An empty file is a session without messages.

import { lstatSync } from "node:fs";
import { basename } from "node:path";
import { errorCode, HiveError } from "../../base/errors.js";
import { FileRefused, readBytes } from "../../base/files/atomic-file.js";
import { harmless } from "../../base/text/escape-terminal.js";
import { limits } from "../../limits.js";
import { type ManagedId, readManagedId } from "../../names/managed-id.js";
import type { Workspace } from "../../names/workspace.js";
import { WorkspaceMismatch } from "../../names/workspace-mismatch.js";
import { bindingOf } from "./binding.js";
import { type Contents, type Meta, readContents, readMeta } from "./contents.js";
import { couldNotLook, stemOf } from "./places.js";
import { readTime } from "./records.js";

export interface ManagedSummary {
  id: ManagedId;
  path: string;
  /** The workspace that the file names; null if only its place binds it. */
  workspaceRoot: string | null;
  /** The file is outside any partition, from before there were partitions. */
  isLegacy: boolean;
  createdAtMs: number | null;
  updatedAtMs: number;
  /** The file's own time. */
  modifiedAtMs: number;
  messages: number;
  sizeBytes: number;
  model: string | null;
  parent: ManagedId | null;
  branch: string | null;
  /** Shortened, on one line. */
  firstPrompt: string | null;
  problems: string[];
}

/** moved: its workspace is gone; copied: its workspace is still there. `rebind` can bring both here. */
export type RefusalReason =
  | "moved"
  | "copied"
  | "unbound"
  | "hidden"
  | "name"
  | "version"
  /** Not a session: a folder, a link, or a file without a record. */
  | "broken"
  /** The file could not be read, so nothing is known about it. */
  | "unreadable";

export interface RefusedFile {
  path: string;
  /** Null if the name is not an id. */
  id: ManagedId | null;
  reason: RefusalReason;
  why: string;
  /** The workspace that the file names. */
  workspaceRoot: string | null;
}

export interface ReadFile {
  summary: ManagedSummary;
  contents: Contents;
  meta: Meta;
}

/** Null if nothing is at that path. `refusalOf` decides whether the session belongs here. */
export function readManagedFile(path: string, isLegacy: boolean): ReadFile | RefusedFile | null {
  const id = readManagedId(stemOf(basename(path)));
  const refused = (reason: RefusalReason, why: string): RefusedFile => ({
    path,
    id,
    reason,
    why,
    workspaceRoot: null,
  });
  if (id === null) return refused("name", "its name is not a session id");
  let bytes: Buffer | null;
  let modifiedAtMs: number;
  try {
    bytes = readBytes(path, limits.managedBytes);
    if (bytes === null) return null;
    modifiedAtMs = Math.trunc(lstatSync(path).mtimeMs);
  } catch (error) {
    if (errorCode(error) === "ENOENT") return null;
    if (error instanceof FileRefused) return refused("broken", error.message);
    if (errorCode(error) === undefined) throw error;
    return refused("unreadable", error instanceof Error ? error.message : String(error));
  }
  const contents = readContents(bytes);
  if (contents.form === "none") return refused("broken", "it has no record of a session");
  const meta = readMeta(contents.meta);
  if (meta.version !== null && meta.version !== 1) {
    return refused("version", `it has version ${meta.version}; only version 1 is supported`);
  }
  const file = { id, path, isLegacy, sizeBytes: bytes.length, modifiedAtMs };
  return { summary: summaryOf(file, contents, meta), contents, meta };
}

/** Why this session does not belong to this workspace; null if it does. `path` is canonical. */
export function refusalOf({ summary }: ReadFile, workspace: Workspace): RefusedFile | null {
  const { id, path, workspaceRoot } = summary;
  const binding = bindingOf(workspaceRoot, path, workspace);
  if (binding.answer === "accepted") return null;
  const file = { path, id, workspaceRoot };
  if (binding.answer === "unbound") {
    return { ...file, reason: "unbound", why: "it names no workspace and is outside this one" };
  }
  const other = harmless(binding.actual.path);
  return binding.isGone
    ? { ...file, reason: "moved", why: `it belongs to ${other}, which no longer exists` }
    : { ...file, reason: "copied", why: `it belongs to ${other}, which still exists` };
}

/** Whether it is an intact session of another folder, or of none that it names. */
export function isOfAnother({ reason }: RefusedFile): boolean {
  return reason === "moved" || reason === "copied" || reason === "unbound";
}

/** The refusal as an error, for a caller that asked for this session. */
export function refusalError(refused: RefusedFile, workspace: Workspace): HiveError {
  const { id, path, reason, why, workspaceRoot } = refused;
  if (reason === "unreadable") return couldNotLook(path, why);
  const canRebind = isOfAnother(refused);
  const rebind = `hivemind sessions rebind ${id}${reason === "copied" ? " --copy" : ""}`;
  const binding = bindingOf(workspaceRoot, path, workspace);
  if (canRebind && binding.answer === "other") {
    const question = reason === "moved" ? "was this folder moved" : "is this folder a copy";
    return new WorkspaceMismatch(`session ${id}`, {
      expected: workspace,
      actual: binding.actual,
      hint: `${question}? then: ${rebind}`,
    });
  }
  return new HiveError(`refused ${harmless(path)}: ${why}`, canRebind ? { hint: rebind } : {});
}

type FileFacts = Pick<ManagedSummary, "id" | "path" | "isLegacy" | "sizeBytes" | "modifiedAtMs">;

function summaryOf(file: FileFacts, contents: Contents, meta: Meta): ManagedSummary {
  const { id, modifiedAtMs } = file;
  const times = contents.records.map(({ timestamp_ms }) => readTime(timestamp_ms) ?? 0);
  const problems = [...contents.problems];
  if (contents.meta === null) problems.push("it has no session_meta");
  else if (meta.sessionId !== id) problems.push("its session_meta names another session");
  return {
    ...file,
    workspaceRoot: meta.workspaceRoot,
    createdAtMs: meta.createdAtMs ?? timeIn(id),
    updatedAtMs: times.reduce((a, b) => Math.max(a, b), Math.max(meta.updatedAtMs ?? 0, modifiedAtMs)),
    messages: contents.messages.length,
    model: meta.model,
    parent: meta.parent,
    branch: meta.branch,
    firstPrompt: firstPrompt(contents),
    problems,
  };
}

function firstPrompt({ messages, records }: Contents): string | null {
  const blocks = messages.filter(({ role }) => role === "user").flatMap((message) => message.blocks);
  const texts = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  const typed = records.flatMap(({ type, text }) => (type === "prompt_history" ? [text] : []));
  const first = [...texts, ...typed].find(
    (text): text is string => typeof text === "string" && text.trim() !== "",
  );
  return first?.replace(/\s+/g, " ").trim().slice(0, limits.managedPromptLength) ?? null;
}

function timeIn(id: ManagedId): number | null {
  const digits = /^session-(\d{1,15})-/.exec(id)?.[1];
  return digits === undefined ? null : Number(digits);
}
