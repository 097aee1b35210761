import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openBucket } from "./bucket.js";
import type { Nats } from "./parts.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A pass over the bucket that brings these keys, and then ends or says nothing more. */
function pass(keys: readonly string[], isWhole: boolean) {
  let stop = () => {};
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  async function* entries() {
    for (const key of keys)
      yield { key, value: new Uint8Array(), revision: 1, created: new Date(0), operation: "PUT" };
    if (!isWhole) await stopped;
  }
  return Object.assign(entries(), { stop });
}

/** A bucket whose passes are these, the last one again and again. */
async function bucketOf(...passes: [keys: string[], isWhole: boolean][]) {
  let at = 0;
  const history = async () => pass(...passes[Math.min(at++, passes.length - 1)]!);
  const library = {
    Kvm: class {
      open = async () => ({ history });
    },
  };
  return openBucket({ library, jetstream: {} } as unknown as Nats, "hive-hosts");
}

async function readAll(...passes: [keys: string[], isWhole: boolean][]): Promise<string[] | string> {
  const bucket = await bucketOf(...passes);
  const read = bucket.all().then(
    (entries) => entries.map(({ key }) => key),
    (error: Error) => error.message,
  );
  await vi.advanceTimersByTimeAsync(600_000);
  return Promise.race([read, Promise.resolve("it hangs")]);
}

test("[BK1] a key that expires while the bucket is read does not hold up the reader", async () => {
  expect(await readAll([["alpha", "beta"], true])).toEqual(["alpha", "beta"]);
  expect(await readAll([["alpha"], false], [["alpha"], true])).toEqual(["alpha"]);
});

test("[BK1] a key that expires does not hold up the reader while other keys are written again and again", async () => {
  const renewals = Array.from({ length: 1_000 }, (_, at) => (at % 2 === 0 ? "alpha" : "beta"));
  expect(await readAll([renewals, false])).toEqual(["alpha", "beta"]);
});

test("[BK1] a server that always falls silent is an error, and no list of a part", async () => {
  expect(await readAll([["alpha"], false])).toMatch(/fell silent/);
});
