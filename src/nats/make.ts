// Creates the buckets, streams and object stores that are missing. What is there stays as it is.

import { limits } from "../limits.js";
import type { BucketForm, Bus, StreamForm } from "./bus.js";
import { orNatsError } from "./failure.js";
import type { Nats } from "./parts.js";

export async function makeAll(
  { library, jetstream, manager }: Nats,
  { buckets = [], streams = [], objects = [] }: Parameters<Bus["make"]>[0],
): Promise<void> {
  await orNatsError(async () => {
    const has = new Set<string>();
    for await (const name of manager.streams.names()) has.add(name);
    for (const form of buckets)
      if (!has.has(`KV_${form.name}`)) await manager.streams.add(bucketSettings(library, form));
    for (const form of streams) if (!has.has(form.name)) await manager.streams.add(settingsOf(library, form));
    for (const { name, ttlMs, maxBytes, replicas } of objects)
      if (!has.has(`OBJ_${name}`))
        await new library.Objm(jetstream).create(name, {
          ...{ replicas, max_bytes: maxBytes, ttl: ttlMs * nanosPerMs },
        });
  });
}

const nanosPerMs = 1_000_000;

/** As the library makes a bucket, but nobody who may write one key can empty the bucket by a header. */
function bucketSettings({ DiscardPolicy }: Nats["library"], { name, ttlMs = 0, replicas }: BucketForm) {
  return {
    name: `KV_${name}`,
    subjects: [`$KV.${name}.>`],
    max_msgs_per_subject: 1,
    max_age: ttlMs * nanosPerMs,
    discard: DiscardPolicy.New,
    allow_rollup_hdrs: false,
    deny_delete: true,
    allow_direct: true,
    duplicate_window: Math.min(limits.natsDuplicateMs, ttlMs || limits.natsDuplicateMs) * nanosPerMs,
    num_replicas: replicas,
  };
}

function settingsOf({ DiscardPolicy, RetentionPolicy }: Nats["library"], form: StreamForm) {
  const { name, subjects, keeps, maxBytes, maxAgeMs, maxPerSubject, replicas } = form;
  return {
    name,
    subjects: [...subjects],
    retention: keeps === "work" ? RetentionPolicy.Workqueue : RetentionPolicy.Limits,
    // A full queue refuses what is new; a full log forgets what is old.
    discard: keeps === "work" ? DiscardPolicy.New : DiscardPolicy.Old,
    max_bytes: maxBytes,
    max_age: maxAgeMs * nanosPerMs,
    ...(maxPerSubject === undefined ? {} : { max_msgs_per_subject: maxPerSubject }),
    duplicate_window: Math.min(limits.natsDuplicateMs, maxAgeMs) * nanosPerMs,
    num_replicas: replicas,
  };
}
