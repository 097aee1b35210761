// A bucket of keys, kept by JetStream.
//
// [BK1] A pass over a bucket waits for as many keys as the server counted at its beginning. One that expires meanwhile
//       never comes, so a pass that falls silent begins anew. Where hosts keep writing, no pass falls silent: it ends
//       when a key comes again. Keys come in the order of their writes, so all that was there at its beginning has come.

import type { KV, KvEntry } from "@nats-io/kv";
import { limits } from "../limits.js";
import { type Bucket, type Entry, NatsError } from "./bus.js";
import { orNatsError } from "./failure.js";
import type { Nats } from "./parts.js";

export async function openBucket({ library, jetstream }: Nats, name: string): Promise<Bucket> {
  // Read from the leader: a copy may be behind, and whoever asks for a lease must see the last one.
  const options = { timeout: limits.natsAnswerMs, allow_direct: false };
  const kv = await orNatsError(() => new library.Kvm(jetstream).open(name, options));
  return {
    get: (key) => orNatsError(async () => entryOf(await kv.get(key))),
    all: (filter = ">") => orNatsError(() => allIn(kv, filter)),
    put: (key, value) => orNatsError(() => kv.put(key, value)),
    create: (key, value) => unlessWritten(() => kv.create(key, value)),
    update: (key, value, revision) => unlessWritten(() => kv.update(key, value, revision)),
    remove: async (key, revision) =>
      (await unlessWritten(async () => {
        await kv.delete(key, revision === undefined ? {} : { previousSeq: revision });
        return 1;
      })) !== null,
    watch: (filter, take) =>
      orNatsError(async () => {
        const changes = await kv.watch({ key: filter });
        void (async () => {
          for await (const each of changes) take({ key: each.key, entry: entryOf(each) });
        })().catch(() => {});
        return { stop: async () => changes.stop() };
      }),
  };
}

/** The last value of each key, from one pass over the bucket. */
async function allIn(kv: KV, filter: string): Promise<Entry[]> {
  for (let tries = 0; tries < limits.natsPasses; tries++) {
    const entries = await passOver(kv, filter);
    if (entries !== null) return entries;
  }
  throw new NatsError("the server fell silent while a bucket was read");
}

/** Null if it fell silent. */
async function passOver(kv: KV, filter: string): Promise<Entry[] | null> {
  const entries = new Map<string, Entry | null>();
  const found = await kv.history({ key: filter });
  let isSilent = false;
  const timer = setTimeout(() => {
    isSilent = true;
    found.stop();
  }, limits.natsSilenceMs);
  try {
    for await (const each of found) {
      timer.refresh();
      const isAgain = entries.has(each.key);
      entries.set(each.key, entryOf(each));
      if (isAgain) break;
    }
  } finally {
    clearTimeout(timer);
    found.stop();
  }
  return isSilent ? null : [...entries.values()].filter((entry) => entry !== null);
}

function entryOf(found: KvEntry | null): Entry | null {
  if (found === null || found.operation !== "PUT") return null;
  const { key, value, revision, created } = found;
  return { key, value, revision, writtenAtMs: created.getTime() };
}

/** Null if the server says that somebody else has written the key. */
async function unlessWritten(write: () => Promise<number>): Promise<number | null> {
  return orNatsError(async () => {
    try {
      return await write();
    } catch (error) {
      if (isOtherRevision(error)) return null;
      throw error;
    }
  });
}

function isOtherRevision(error: unknown): boolean {
  // 10071: wrong last sequence. 10164: the same, where the server names the constraint.
  const code = (error as { code?: unknown; apiError?: () => { err_code?: unknown } }).code;
  const text = error instanceof Error ? error.message : "";
  return code === 10071 || code === 10164 || /wrong last sequence/.test(text);
}
