// The client's database as lines: tables `session`, `message` and `part`, of which the last column is JSON.
//
// - A line is written when its message is finished, in the order of these moments, so earlier lines do not change: a
//   prompt when it has its text, an answer when the client marks it completed. An answer that is not the newest one and
//   never finished was given up when the next one began.
// - The client counts the changes of a session in `event_sequence`. Sessions of its earlier versions have no count, and
//   the older ones of its databases have no such table.
// - The summary of a prompt's changes comes later, and is left out.

import { isSessionOf, type SessionId } from "../../../names/gates.js";
import type { DatabaseFormat, DatabaseSession } from "../../../transcripts/database/mirror.js";
import type { Database } from "../../../transcripts/database/sqlite.js";
import { type Json, objectOrNull, parseRecord } from "../../record.js";
import { isTimeTitle } from "../title.js";

export const opencodeDatabase: DatabaseFormat = {
  name: "opencode 1",
  file: "opencode.db",
  sessions,
  linesOf,
};

function sessions(database: Database): DatabaseSession[] {
  const isCounted = database.get("SELECT 1 FROM sqlite_master WHERE name = 'event_sequence'") !== null;
  const [count, counts] = isCounted
    ? ["e.seq", "LEFT JOIN event_sequence e ON e.aggregate_id = s.id"]
    : ["0", ""];
  const query = `SELECT s.id, s.title, s.time_updated AS updated, ${count} AS changes FROM session s ${counts}`;
  return database.all(query).flatMap((row): DatabaseSession[] => {
    const { id, title, updated, changes } = row as Record<string, unknown>;
    if (typeof id !== "string" || !isSessionOf("opencode", id)) return [];
    const own = typeof title === "string" && !isTimeTitle(title) ? title : null;
    const version = `${updated} ${changes ?? ""}`;
    return [{ id, version, title: own, updatedAtMs: Number(updated) }];
  });
}

function linesOf(database: Database, id: SessionId): string[] {
  const own = database.get("SELECT * FROM session WHERE id = ?", [id]) as Record<string, unknown> | null;
  const metadata = objectOrNull(parseRecord(String(own?.metadata ?? ""))?.hivemind);
  const head = {
    id,
    directory: own?.directory,
    parent: own?.parent_id,
    version: own?.version,
    created: own?.time_created,
    forkedFrom: metadata?.forkedFrom,
  };
  return [JSON.stringify({ session: head }), ...messageLines(messagesOf(database, id))];
}

interface Row {
  id: string;
  message: Json;
  /** As JSON. They are nearly all bytes of a conversation, so nobody reads them here. */
  parts: string[];
}

function messagesOf(database: Database, id: SessionId): Row[] {
  const parts = new Map<string, string[]>();
  // Sorted here: the library would hold all data of the session to sort it.
  const query = "SELECT id, message_id, data FROM part WHERE session_id = ?";
  for (const row of database.all(query, [id])) {
    const { id: part, message_id: message, data } = row as Record<string, string>;
    const own = parts.get(message!) ?? [];
    parts.set(message!, own);
    own.push(partText(part!, data!));
  }
  const messages = "SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id";
  return database.all(messages, [id]).map((row) => {
    const { id: message, data } = row as Record<string, string>;
    // Every part begins with its id, and ids of one form sort by time.
    const own = (parts.get(message!) ?? []).sort();
    return { id: message!, message: parseRecord(data!) ?? {}, parts: own };
  });
}

/** The client writes objects on one line. */
function partText(id: string, data: string): string {
  return /^\{"[^\n]*\}$/.test(data)
    ? `{"id":${JSON.stringify(id)},${data.slice(1)}`
    : JSON.stringify({ id, ...parseRecord(data) });
}

/** Pure. `rows` are in the order in which the messages were made. */
export function messageLines(rows: readonly Row[]): string[] {
  const answers = rows.filter(({ message }) => message.role === "assistant");
  const timed = rows.flatMap((row): { atMs: number; line: string }[] => {
    const { created = 0, completed } = timesOf(row);
    const line = lineOf(row);
    if (row.message.role !== "assistant") return row.parts.length === 0 ? [] : [{ atMs: created, line }];
    const begun = JSON.stringify({ begun: row.id, parentID: row.message.parentID, at: created });
    const next = answers[answers.indexOf(row) + 1];
    const atMs = completed ?? (next === undefined ? undefined : timesOf(next).created);
    const first = { atMs: created, line: begun };
    return atMs === undefined ? [first] : [first, { atMs, line }];
  });
  return timed.sort((a, b) => a.atMs - b.atMs).map(({ line }) => line);
}

function timesOf({ message }: Row): { created?: number; completed?: number } {
  return objectOrNull(message.time) ?? {};
}

function lineOf({ id, message: { summary, ...message }, parts }: Row): string {
  const kept = { id, ...message, ...(message.role === "assistant" ? { summary } : {}) };
  return `${JSON.stringify(kept).slice(0, -1)},"parts":[${parts.join(",")}]}`;
}
