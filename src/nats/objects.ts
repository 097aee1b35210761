// Large objects, in pieces that JetStream keeps.

import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { Objects } from "./bus.js";
import { natsError, orNatsError } from "./failure.js";
import type { Nats } from "./parts.js";

export async function openObjects({ library, jetstream }: Nats, name: string): Promise<Objects> {
  const store = await orNatsError(() => new library.Objm(jetstream).open(name));
  return {
    put: (object, bytes) =>
      orNatsError(async () => {
        const stream = Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>;
        await store.put({ name: object }, stream as unknown as globalThis.ReadableStream<Uint8Array>);
      }),
    get: (object) =>
      orNatsError(async () => {
        const found = await store.get(object);
        return found === null ? null : piecesOf(found);
      }),
    list: () =>
      orNatsError(async () =>
        (await store.list()).map(({ name, size, mtime }) => ({
          name,
          sizeBytes: size,
          writtenAtMs: Date.parse(mtime),
        })),
      ),
    remove: (object) => orNatsError(async () => void (await store.delete(object))),
  };
}

/** The library reports a wrong digest only at the end, beside the stream. */
async function* piecesOf({
  data,
  error,
}: {
  data: globalThis.ReadableStream<Uint8Array>;
  error: Promise<Error | null | undefined>;
}): AsyncGenerator<Uint8Array> {
  try {
    yield* data as unknown as ReadableStream<Uint8Array>;
  } catch (cause) {
    throw natsError(cause);
  }
  const failed = await error;
  if (failed != null) throw natsError(failed);
}
