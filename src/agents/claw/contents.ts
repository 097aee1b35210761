// Reads a managed session's file. It never fails: it returns what is readable, and the problems.
//
// - The last session_meta wins. Records and keys of unknown types are kept as they are.
// - A last line without its line end is a record if it is a whole object; otherwise it is torn, reported and
//   skipped. A line in the middle that is not a record is reported and skipped.
// - A file that is one object with `messages` has the older form, whatever its extension.
// - A workspace root that is not text binds the session to no workspace at all, which is not the same as unbound.
// - A time outside the range of dates is null.

import { limits } from "../../limits.js";
import { type ManagedId, readManagedId } from "../../names/managed-id.js";
import {
  isObject,
  type Json,
  type JsonObject,
  type ManagedMessage,
  type ManagedRecord,
  readCount,
  readMessage,
  readText,
  readTime,
} from "./records.js";

export interface Contents {
  /** `none`: there are bytes, but no record. */
  form: "lines" | "object" | "empty" | "none";
  /** As read, including unknown keys; null if the file has none. */
  meta: JsonObject | null;
  /** All records except session_meta, in the file's order. */
  records: ManagedRecord[];
  /** The bytes of each record's line, without the line end; empty for the older form. */
  lines: Buffer[];
  messages: ManagedMessage[];
  problems: string[];
}

/** The values of session_meta; null where it has none. */
export interface Meta {
  version: number | null;
  sessionId: string | null;
  createdAtMs: number | null;
  updatedAtMs: number | null;
  workspaceRoot: string | null;
  model: string | null;
  parent: ManagedId | null;
  branch: string | null;
}

export function readContents(bytes: Buffer): Contents {
  const contents: Contents = {
    form: "lines",
    meta: null,
    records: [],
    lines: [],
    messages: [],
    problems: [],
  };
  if (bytes.length === 0) return { ...contents, form: "empty" };
  const older = olderForm(bytes);
  if (older !== null) return olderContents(older);
  let number = 0;
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(0x0a, from);
    const line = bytes.subarray(from, end === -1 ? bytes.length : end);
    from += line.length + 1;
    number++;
    const record = parseRecord(line);
    if (record !== null) addRecord(contents, record, line, number);
    else if (end === -1) contents.problems.push(`line ${number} is torn: it was not written to its end`);
    else if (line.toString("latin1").trim() !== "") contents.problems.push(`line ${number} is not a record`);
  }
  const isRead = contents.meta !== null || contents.records.length > 0;
  return { ...contents, form: isRead ? "lines" : "none", problems: firstOf(contents.problems) };
}

/** Null unless the line is one whole object with a type. */
export function parseRecord(line: Buffer): ManagedRecord | null {
  const value = parse(line);
  return isObject(value) && typeof value.type === "string" ? (value as ManagedRecord) : null;
}

export function readMeta(meta: JsonObject | null): Meta {
  const { version, session_id, created_at_ms, updated_at_ms, workspace_root, model, fork } = meta ?? {};
  const forked = isObject(fork) ? fork : {};
  return {
    // A version that is not a number is unknown.
    version: version === undefined ? null : (readCount(version) ?? Number.NaN),
    sessionId: readText(session_id),
    createdAtMs: readTime(created_at_ms),
    updatedAtMs: readTime(updated_at_ms),
    workspaceRoot:
      workspace_root === undefined || workspace_root === null
        ? null
        : (readText(workspace_root) ?? "(no path)"),
    model: readText(model),
    parent: readManagedId(forked.parent_session_id),
    branch: readText(forked.branch_name),
  };
}

function addRecord(contents: Contents, record: ManagedRecord, line: Buffer | null, number: number): void {
  if (record.type === "session_meta") {
    contents.meta = record;
    return;
  }
  contents.records.push(record);
  if (line !== null) contents.lines.push(line);
  if (record.type !== "message") return;
  const message = readMessage(record.message);
  if (message === null) contents.problems.push(`the message of line ${number} is unreadable`);
  else contents.messages.push(message);
}

/** The line form begins with a record that has a type; the older form does not. */
function olderForm(bytes: Buffer): JsonObject | null {
  const end = bytes.indexOf(0x0a);
  if (parseRecord(bytes.subarray(0, end === -1 ? bytes.length : end)) !== null) return null;
  if (!bytes.includes('"messages"')) return null;
  const value = parse(bytes);
  return isObject(value) && Array.isArray(value.messages) ? value : null;
}

/** The records as they would be written today; everything else stays in the meta. */
function olderContents({ messages, compaction, prompt_history, ...meta }: JsonObject): Contents {
  const contents: Contents = { form: "object", meta, records: [], lines: [], messages: [], problems: [] };
  const add = (type: string, value: JsonObject, number: number) =>
    addRecord(contents, { ...value, type }, null, number);
  if (isObject(compaction)) add("compaction", compaction, 0);
  for (const entry of listed(prompt_history)) if (isObject(entry)) add("prompt_history", entry, 0);
  for (const [at, message] of listed(messages).entries()) add("message", { message }, at + 1);
  return { ...contents, problems: firstOf(contents.problems) };
}

function listed(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}

function parse(bytes: Buffer): Json | undefined {
  try {
    return JSON.parse(bytes.toString("utf8")) as Json;
  } catch {
    return undefined;
  }
}

/** A broken file can have one problem per line: only the first ones are kept. */
function firstOf(problems: string[]): string[] {
  const more = problems.length - limits.managedProblems;
  return more <= 0 ? problems : [...problems.slice(0, limits.managedProblems), `and ${more} more`];
}
