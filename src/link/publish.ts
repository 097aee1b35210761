// Publishes what a host has: its agents' rows, on change, and the events of its log, each once.
//
// [PB1] Nothing is written while nothing changed.
// [PB2] An event has the same id at every try, so the server stores it once.

import { limits } from "../limits.js";
import type { Host } from "../names/gates.js";
import type { Bucket, Bus } from "../nats/bus.js";
import type { Place } from "../stores/file/append-file.js";
import type { Stores } from "../stores/stores.js";
import { publicEvent } from "./public-event.js";
import { type AgentFields, type SignRow, signKey, textOf } from "./rows.js";
import { subjects, word } from "./subjects.js";

/** What to write so that the bucket has these rows. Pure. */
export function rowChanges(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): { put: [string, string][]; remove: string[] } {
  return {
    put: [...now].filter(([key, text]) => before.get(key) !== text),
    remove: [...before.keys()].filter((key) => !now.has(key)),
  };
}

export interface RowPublisher {
  /** Resolves to the number of writes. */
  publish(rows: ReadonlyMap<string, AgentFields>): Promise<number>;
  /** What outlasts the lease. */
  sign(row: SignRow): Promise<void>;
  /** Others may have changed the bucket: it is read again before the next write. */
  forget(): void;
}

export function openRowPublisher(agents: Bucket, host: Host): RowPublisher {
  const keyOf = (key: string) => `${word(host)}.${word(key)}`;
  let written: Map<string, string> | null = null;

  async function present(): Promise<Map<string, string>> {
    const entries = await agents.all(`${word(host)}.*`);
    const found = new Map<string, string>();
    for (const { key, value } of entries) {
      const name = key.slice(key.indexOf(".") + 1);
      if (name !== signKey) found.set(name, Buffer.from(value).toString("utf8"));
    }
    return found;
  }

  return {
    async publish(rows) {
      const before = written ?? (await present());
      const now = new Map(
        [...rows].map(([key, row]) => [word(key), Buffer.from(textOf(row)).toString("utf8")]),
      );
      const { put, remove } = rowChanges(before, now);
      // Unknown until all of it is written.
      written = null;
      for (const [key, text] of put) await agents.put(`${word(host)}.${key}`, Buffer.from(text));
      for (const key of remove) await agents.remove(`${word(host)}.${key}`);
      written = now;
      return put.length + remove.length;
    },
    sign: async (row) => void (await agents.put(keyOf(signKey), textOf(row))),
    forget() {
      written = null;
    },
  };
}

/** Publishes the events after the last published one. */
export async function publishEvents(
  bus: Pick<Bus, "append">,
  host: Host,
  { events, published }: Pick<Stores, "events" | "published">,
): Promise<number> {
  const from = published.read();
  // What happened before this host joined stays here.
  if (from === null) {
    published.write(events.end());
    return 0;
  }
  const { rows, next } = events.readFrom(from);
  for (let at = 0; at < rows.length; at += limits.publishAtOnce)
    await Promise.all(
      rows.slice(at, at + limits.publishAtOnce).map(({ at: time, event }, index) =>
        bus.append(subjects.event(host, event.name), textOf({ at: time, ...publicEvent(event) }), {
          id: eventId(host, from, at + index),
        }),
      ),
    );
  if (next.file !== from.file || next.offset !== from.offset) published.write(next);
  return rows.length;
}

/** The place is written down only after its events: until then every try begins at the same place. */
export function eventId(host: Host, { file, offset }: Place, index: number): string {
  return `${word(host)}-${file}-${offset}-${index}`;
}
