// What a managed session's file says. A reader never fails: it gives what there is, and the problems.
//
// [CWC1] The last session_meta wins; records of unknown types and unknown keys are kept as they are.
// [CWC2] A last line without its end is a record if it is a whole object, else it is torn: said, and read past.
// [CWC3] A file that is one object with `messages` is the older form, whatever its name ends in.
// [CWC4] A line in the middle that is no record is said and read past.
// [CWC5] A root that is no text binds its session to no workspace at all, which is not "unbound"; a time that no date
//        can name is none.

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
  /** `none`: there are bytes, and nothing in them is a record. */
  form: "lines" | "object" | "empty" | "none";
  /** As it was read, with keys that nobody here knows; null where the file has none. */
  meta: JsonObject | null;
  /** All but session_meta, in the file's order. */
  records: ManagedRecord[];
  /** Beside `records`: the bytes of their lines without the line ends; for the older form there are none. */
  lines: Buffer[];
  messages: ManagedMessage[];
  problems: string[];
}

/** What session_meta says, null where it does not. */
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
    else if (end === -1) contents.problems.push(`line ${number} is torn: its writer did not finish it`);
    else if (line.toString("latin1").trim() !== "") contents.problems.push(`line ${number} is no record`);
  }
  const isRead = contents.meta !== null || contents.records.length > 0;
  return { ...contents, form: isRead ? "lines" : "none", problems: few(contents.problems) };
}

/** Null for what is not one whole object that names its type. */
export function parseRecord(line: Buffer): ManagedRecord | null {
  const value = parse(line);
  return isObject(value) && typeof value.type === "string" ? (value as ManagedRecord) : null;
}

export function readMeta(meta: JsonObject | null): Meta {
  const { version, session_id, created_at_ms, updated_at_ms, workspace_root, model, fork } = meta ?? {};
  const forked = isObject(fork) ? fork : {};
  return {
    // A version that is no number is none that we know.
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
  if (message === null) contents.problems.push(`the message of line ${number} cannot be read`);
  else contents.messages.push(message);
}

/** Lines begin with a record that names its type; the older form does not. */
function olderForm(bytes: Buffer): JsonObject | null {
  const end = bytes.indexOf(0x0a);
  if (parseRecord(bytes.subarray(0, end === -1 ? bytes.length : end)) !== null) return null;
  if (!bytes.includes('"messages"')) return null;
  const value = parse(bytes);
  return isObject(value) && Array.isArray(value.messages) ? value : null;
}

/** As the records it would be written as; what is not a record stays with the meta. */
function olderContents({ messages, compaction, prompt_history, ...meta }: JsonObject): Contents {
  const contents: Contents = { form: "object", meta, records: [], lines: [], messages: [], problems: [] };
  const add = (type: string, value: JsonObject, number: number) =>
    addRecord(contents, { ...value, type }, null, number);
  if (isObject(compaction)) add("compaction", compaction, 0);
  for (const entry of listed(prompt_history)) if (isObject(entry)) add("prompt_history", entry, 0);
  for (const [at, message] of listed(messages).entries()) add("message", { message }, at + 1);
  return { ...contents, problems: few(contents.problems) };
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

/** A broken file has a problem a line. */
function few(problems: string[]): string[] {
  const more = problems.length - limits.managedProblems;
  return more <= 0 ? problems : [...problems.slice(0, limits.managedProblems), `and ${more} more`];
}
