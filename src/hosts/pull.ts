// Fetches what is stored on another host into a bundle here. The other host is only read.

import { HiveError } from "../base/errors.js";
import type { TeamName } from "../names/gates.js";
import type { BundleName } from "../stores/received.js";
import type { Stores } from "../stores/stores.js";
import { type BundleFile, type Manifest, readManifest, sizeOf } from "../stores/text/bundle.js";
import type { Far } from "./wire/far.js";

export type OnBytes = (doneBytes: number, totalBytes: number) => void;

/** Writes nothing yet, on either side. `problems` is what the other host cannot send, for people. */
export async function planPull(far: Far, { received }: Stores, team: TeamName | null) {
  const answer = await far.ask({ ask: "pack", teams: team === null ? null : [team], host: far.host });
  const page = { ...readManifest(answer.page), host: far.host };
  const name = { host: far.host, team };
  const problems = Array.isArray(answer.problems) ? answer.problems.map(String) : [];
  return { name, page, missing: await received.missing(name, page), problems };
}

/** Returns the folder of the bundle. */
export async function pullBundle(
  far: Far,
  { received }: Stores,
  { name, page }: { name: BundleName; page: Manifest },
  onBytes: OnBytes,
): Promise<string> {
  return received.receive(name, page, async (wanted, put) => {
    const left = new Map(wanted.map((file) => [file.path, file]));
    const tally = counted(wanted, onBytes);
    await far.ask({ ask: "send", paths: [...left.keys()] }, async ({ is, path, sizeBytes }, wire) => {
      if (is !== "file") return;
      const file = left.get(String(path));
      if (file === undefined || file.sizeBytes !== sizeBytes)
        throw new HiveError(`${far.host} sent a file that was not requested`);
      left.delete(file.path);
      await put(file, tally(wire.readBytes(file.sizeBytes)));
    });
  });
}

/** Passes bytes on, and reports how many have passed. */
export function counted(
  files: readonly BundleFile[],
  onBytes: OnBytes,
): (bytes: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  const totalBytes = sizeOf(files);
  let doneBytes = 0;
  return async function* (bytes) {
    for await (const piece of bytes) {
      doneBytes += piece.length;
      onBytes(doneBytes, totalBytes);
      yield piece;
    }
  };
}
