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
    remove: (object) =>
      orNatsError(async () => {
        const info = await store.info(object);
        if (info === null || info.deleted) return;
        // The library purges the stream, which empties whatever it names. A roll-up removes one subject only, so it
        // needs no right beyond that of writing the object.
        const headers = library.headers();
        headers.set("Nats-Rollup", "sub");
        const gone = { ...info, deleted: true, size: 0, chunks: 0, digest: "" };
        await jetstream.publish(metaSubject(name, object), JSON.stringify(gone), { headers });
        await jetstream.publish(`$O.${name}.C.${info.nuid}`, new Uint8Array(), { headers });
      }),
  };
}

/** As the library spells it. */
function metaSubject(store: string, object: string): string {
  const word = Buffer.from(object).toString("base64").replaceAll("+", "-").replaceAll("/", "_");
  return `$O.${store}.M.${word}`;
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
