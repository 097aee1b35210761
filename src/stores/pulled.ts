// What came from other hosts: `hivemind.pulled/<host>/`, a box each.
//
// [PLD1] A box is there whole or not at all: it is received beside its place, and takes it when every file of its page
//        has its size and checksum. What was there before stays until then.
// [PLD2] Received again, only what is not there is asked for: files of the box that stands, and those that a run which
//        was broken off had received whole, count.
// [PLD3] A file that arrives damaged is refused and kept under no name.

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
import { makeFolder, readBytes, refuseLinkedFolder, replaceFile, syncFolder } from "../base/atomic-file.js";
import { HiveError } from "../base/errors.js";
import { LockedError, withLock } from "../base/lock.js";
import { limits } from "../limits.js";
import { type Host, rules, type TeamName } from "../names/gates.js";
import { type BoxFile, type BoxPage, readPage } from "./box-page.js";
import { guard, storeError } from "./error.js";
import { copyNew, filesBelow, isThere } from "./whole-files.js";

/** Where a box lies: of a whole host, or of one team of it. */
export interface BoxName {
  host: Host;
  team?: TeamName | null;
}

export type Put = (file: BoxFile, bytes: AsyncIterable<Buffer>) => Promise<void>;

export interface Pulled {
  readonly folder: string;
  folderOf(name: BoxName): string;
  /** What would have to be fetched. Nothing is written. */
  missing(name: BoxName, page: BoxPage): Promise<BoxFile[]>;
  /** `fetch` puts every file that is wanted. The folder of the box. */
  receive(
    name: BoxName,
    page: BoxPage,
    fetch: (wanted: readonly BoxFile[], put: Put) => Promise<void>,
  ): Promise<string>;
}

export function openPulled(folder: string): Pulled {
  const places = (name: BoxName) => {
    const plain = plainName(name);
    const at = (path: string) => join(folder, path);
    return {
      box: at(plain),
      arriving: at(`.${plain}.arriving`),
      before: at(`.${plain}.before`),
      lock: at(`.${plain}.lock`),
    };
  };
  const refuseLinks = (paths: readonly string[]) => {
    for (const path of [folder, ...paths]) refuseLinkedFolder(path);
  };
  return {
    folder,
    folderOf: (name) => places(name).box,

    async missing(name, page) {
      const { box, arriving } = places(name);
      guard(box, () => refuseLinks([box, arriving]));
      return without(page.files, [arriving, box]);
    },

    async receive(name, page, fetch) {
      const { box, arriving, before, lock } = places(name);
      const work = async () => {
        // A run that was killed between the two renames below.
        if (!isThere(box) && isThere(before)) renameSync(before, box);
        makeFolder(arriving);
        sweep(arriving, page);
        for (const file of await without(page.files, [arriving])) await takeOver(file, box, arriving);
        const wanted = await without(page.files, [arriving]);
        await fetch(wanted, (file, bytes) => write(join(arriving, file.path), file, bytes));
        const left = (await without(page.files, [arriving])).length;
        if (left > 0) throw new HiveError(`${left} files of the box did not arrive`, { hint: again });
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
          hint: "try again when it is done",
        });
      }
    },
  };
}

/** Null for a folder that is no box, such as a config folder that somebody copied. */
export function pageIn(folder: string): BoxPage | null {
  const path = join(folder, pageName);
  const text = guard(path, () => readBytes(path, limits.wireLineBytes))?.toString("utf8");
  if (text === undefined) return null;
  try {
    return readPage(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new HiveError(`${path} cannot be read: ${error.message}`);
  }
}

/** Of the first bytes of a file: what is added meanwhile is not meant. */
export async function checksum(path: string, sizeBytes: number): Promise<string> {
  const hash = createHash("sha256");
  for await (const bytes of firstBytes(path, sizeBytes)) hash.update(bytes);
  return hash.digest("hex");
}

export async function* firstBytes(path: string, sizeBytes: number): AsyncGenerator<Buffer> {
  // The end counts.
  if (sizeBytes > 0) yield* createReadStream(path, { end: sizeBytes - 1 }) as AsyncIterable<Buffer>;
}

const pageName = "box.json";
const again = "what has arrived stays: the same command goes on from there";

function plainName({ host, team = null }: BoxName): string {
  // A name like `..` passes the gate of hosts and is no name for a folder.
  if (host.startsWith(".")) throw new HiveError(`refused "${host}": ${rules.host}, nor with a dot`);
  return team === null ? host : `${host}.${team}`;
}

/** Those that none of the folders has as the page says. */
async function without(files: readonly BoxFile[], folders: readonly string[]): Promise<BoxFile[]> {
  const missing: BoxFile[] = [];
  for (const file of files) {
    let isHere = false;
    for (const folder of folders) isHere ||= await isWhole(join(folder, file.path), file);
    if (!isHere) missing.push(file);
  }
  return missing;
}

async function isWhole(path: string, { sizeBytes, sha256 }: BoxFile): Promise<boolean> {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size !== sizeBytes) return false;
  return (await checksum(path, sizeBytes)) === sha256;
}

/** What is no file of this page is of an earlier run, or half of one. */
function sweep(folder: string, { files }: BoxPage): void {
  const own = new Map(files.map(({ path, sizeBytes }) => [path, sizeBytes]));
  for (const path of filesBelow(folder)) {
    if (own.get(path) !== statSync(join(folder, path)).size) rmSync(join(folder, path));
  }
}

async function takeOver(file: BoxFile, from: string, to: string): Promise<void> {
  const [path, target] = [join(from, file.path), join(to, file.path)];
  if (!(await isWhole(path, file))) return;
  makeFolder(dirname(target));
  rmSync(target, { force: true });
  try {
    linkSync(path, target);
  } catch {
    // A file system without hard links.
    copyNew(path, target, { keepsTimes: true });
  }
}

async function write(path: string, { sizeBytes, sha256, path: name }: BoxFile, bytes: AsyncIterable<Buffer>) {
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
  throw new HiveError(`${name} arrived damaged: its checksum is another`, { hint: again });
}
