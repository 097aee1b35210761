// Bundles received from other hosts: one folder per bundle in `hivemind.pulled/`.
//
// - A bundle exists fully or not at all. It is received beside its place and moved there once every file of its
//   manifest has the right size and checksum. The previous bundle stays until then.
// - Receiving again fetches only missing files. Files of the current bundle, and complete files of an interrupted
//   run, count.
// - A file that arrives damaged is refused and not kept.

import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { HiveError } from "../base/errors.js";
import {
  makeFolder,
  readBytes,
  refuseLinkedFolder,
  replaceFile,
  syncFolder,
} from "../base/files/atomic-file.js";
import { LockedError, withLock } from "../base/files/lock.js";
import { limits } from "../limits.js";
import type { Host, TeamName } from "../names/gates.js";
import { guard, storeError } from "./file/error.js";
import { copyNew, filesBelow, isThere } from "./file/whole-files.js";
import { type BundleFile, type Manifest, readManifest } from "./text/bundle.js";

/** The name of a bundle: of a whole host, or of one of its teams. */
export interface BundleName {
  host: Host;
  team?: TeamName | null;
}

export type Put = (file: BundleFile, bytes: AsyncIterable<Buffer>) => Promise<void>;

/** Fetches and puts every wanted file. */
export type Fetch = (wanted: readonly BundleFile[], put: Put) => Promise<void>;

export function openReceived(folder: string) {
  const places = (name: BundleName) => {
    const plain = plainName(name);
    const at = (what: string) => join(folder, `.${plain}.${what}`);
    return { box: join(folder, plain), arriving: at("arriving"), before: at("before"), lock: at("lock") };
  };
  const refuseLinks = (paths: readonly string[]) => {
    for (const path of [folder, ...paths]) refuseLinkedFolder(path);
  };
  return {
    folder,
    folderOf: (name: BundleName) => places(name).box,

    /** The files that would be fetched. Writes nothing. */
    async missing(name: BundleName, page: Manifest): Promise<BundleFile[]> {
      const { box, arriving } = places(name);
      guard(box, () => refuseLinks([box, arriving]));
      const missing: BundleFile[] = [];
      for (const file of page.files)
        if (!(await isIn(arriving, file)) && !(await isIn(box, file))) missing.push(file);
      return missing;
    },

    /** Returns the folder of the bundle. */
    async receive(name: BundleName, page: Manifest, fetch: Fetch): Promise<string> {
      const { box, arriving, before, lock } = places(name);
      const work = async () => {
        // A run was killed between the two renames below.
        if (!isThere(box) && isThere(before)) renameSync(before, box);
        makeFolder(arriving);
        sweep(arriving, page);
        const wanted: BundleFile[] = [];
        for (const file of page.files) {
          const isHere = (await isIn(arriving, file)) || (await takeOver(file, box, arriving));
          if (!isHere) wanted.push(file);
        }
        const left = new Set(wanted);
        await fetch(wanted, async (file, bytes) => {
          await write(join(arriving, file.path), file, bytes);
          left.delete(file);
        });
        if (left.size > 0)
          throw new HiveError(`${left.size} files of the bundle did not arrive`, { hint: again });
        replaceFile(join(arriving, pageName), `${JSON.stringify(page, null, 2)}\n`);
        rmSync(before, { recursive: true, force: true });
        if (isThere(box)) renameSync(box, before);
        renameSync(arriving, box);
        syncFolder(folder);
        rmSync(before, { recursive: true, force: true });
        return box;
      };
      try {
        refuseLinks([box, arriving]);
        return await withLock(lock, work, { waitMs: limits.boxLockMs });
      } catch (error) {
        if (!(error instanceof LockedError)) throw storeError(box, error);
        throw new HiveError(`${box} is being received by another command`, {
          hint: "try again when it has finished",
        });
      }
    },
  };
}

/** Null for a folder that is not a bundle, such as a copied config folder. */
export function pageIn(folder: string): Manifest | null {
  const path = join(folder, pageName);
  const text = guard(path, () => readBytes(path, limits.wireLineBytes))?.toString("utf8");
  if (text === undefined) return null;
  try {
    return readManifest(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new HiveError(`${path} cannot be read: ${error.message}`);
  }
}

/** Of the first `sizeBytes` bytes: later additions do not count. */
export async function checksum(path: string, sizeBytes: number): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of firstBytes(path, sizeBytes)) hash.update(bytes);
  return hash.digest("hex");
}

export async function* firstBytes(path: string, sizeBytes: number): AsyncGenerator<Buffer> {
  // `end` is inclusive.
  if (sizeBytes > 0) yield* createReadStream(path, { end: sizeBytes - 1 }) as AsyncIterable<Buffer>;
}

const pageName = "box.json";
const again = "received files stay: run the same command again to continue";

function plainName({ host, team = null }: BundleName): string {
  // A host named `..` is valid but must not be a folder name.
  if (host.startsWith(".")) throw new HiveError(`refused "${host}": it must not start with a dot`);
  return team === null ? host : `${host}.${team}`;
}

/** Whether the folder has the file as the manifest describes it. */
async function isIn(folder: string, { path: name, sizeBytes, sha256 }: BundleFile): Promise<boolean> {
  const path = join(folder, name);
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size !== sizeBytes) return false;
  return (await checksum(path, sizeBytes)) === sha256;
}

/** Removes files of an earlier run and incomplete ones. */
function sweep(folder: string, { files }: Manifest): void {
  const own = new Map(files.map(({ path, sizeBytes }) => [path, sizeBytes]));
  for (const path of filesBelow(folder)) {
    if (own.get(path) !== statSync(join(folder, path)).size) rmSync(join(folder, path));
  }
}

/** False if the current bundle does not have it. */
async function takeOver(file: BundleFile, from: string, to: string): Promise<boolean> {
  if (!(await isIn(from, file))) return false;
  const [path, target] = [join(from, file.path), join(to, file.path)];
  makeFolder(dirname(target));
  rmSync(target, { force: true });
  try {
    linkSync(path, target);
  } catch {
    // The file system has no hard links.
    copyNew(path, target, { keepsTimes: true });
  }
  return true;
}

async function write(
  path: string,
  { sizeBytes, sha256, path: name }: BundleFile,
  bytes: AsyncIterable<Buffer>,
) {
  makeFolder(dirname(path));
  const hash = createHash("sha256");
  const part = `${path}.part`;
  const fd = openSync(part, "w", 0o600);
  let size = 0;
  try {
    for await (const chunk of bytes) {
      for (let done = 0; done < chunk.length; ) done += writeSync(fd, chunk, done);
      hash.update(chunk);
      size += chunk.length;
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  if (size === sizeBytes && hash.digest("hex") === sha256) return renameSync(part, path);
  rmSync(part);
  throw new HiveError(`${name} arrived damaged: its checksum differs`, { hint: again });
}
