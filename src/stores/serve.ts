// What `serve` shares with other processes of its user: which server runs, and the links that open it once.
//
// - A link is a random secret. Only its SHA-256 is kept, as the name of an empty file: nothing on the disk opens a server.
// [SV1] A link opens a server once, whoever races: the one whose unlink succeeds.
// [SV2] A link counts for `linkMs`, and only as a regular file of this user in a private folder of this user.
// [SV3] A server that has ended is not named, even if it was killed.

import { createHash } from "node:crypto";
import { lstatSync, type Stats } from "node:fs";
import { join } from "node:path";
import { HiveError } from "../base/errors.js";
import {
  createFile,
  FileRefused,
  makeFolder,
  readBytes,
  refuseLinkedFolder,
  removeFile,
  replaceFile,
} from "../base/files/atomic-file.js";
import { randomBytes } from "../base/random.js";
import { fateOf, identityText, ownIdentity, parseIdentity } from "../base/system/process-identity.js";
import { limits } from "../limits.js";
import { guard } from "./file/error.js";
import { namesInStore } from "./file/store-file.js";

export interface RunningServer {
  url: string;
  pid: number;
}

export function openServe(folder: string) {
  const linkFolder = join(folder, "links");
  const serverPath = join(folder, "server");

  function ownFolders(): void {
    for (const path of [folder, linkFolder]) {
      refuseLinkedFolder(path);
      makeFolder(path);
      const why = whyForeign(lstatSync(path));
      if (why !== null) throw new FileRefused(why);
    }
  }

  /** Removes links that nobody opened in time. */
  function sweep(): string[] {
    const paths = namesInStore(linkFolder).map((name) => join(linkFolder, name));
    for (const path of paths)
      if (!isValid(path) && lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false)
        removeFile(path);
    return paths.filter(isValid);
  }

  return {
    folder,
    linkFolder,
    /** Makes a link, and returns its secret, which nothing keeps. */
    newLink: (): string =>
      guard(linkFolder, () => {
        ownFolders();
        if (sweep().length >= limits.openLinks)
          throw new HiveError(`${limits.openLinks} links wait to be opened`, {
            hint: "open one of them, or wait ten minutes",
          });
        const secret = randomBytes(32).toString("base64url");
        createFile(join(linkFolder, nameOf(secret)), "");
        return secret;
      }),
    /** True for the one who uses the link first. */
    takeLink: (secret: string): boolean =>
      guard(linkFolder, () => {
        if (!secretForm.test(secret)) return false;
        ownFolders();
        const path = join(linkFolder, nameOf(secret));
        return isValid(path) && removeFile(path);
      }),
    sweep: () => guard(linkFolder, () => void sweep()),
    /** Names this process as the server. */
    announce: (url: string): void =>
      guard(serverPath, () => {
        ownFolders();
        replaceFile(serverPath, `${url}\n${identityText(ownIdentity())}\n`);
      }),
    /** Removes the announcement of this process; that of another one stays. */
    withdraw: (): void =>
      guard(serverPath, () => {
        if (readServer(serverPath)?.identity === identityText(ownIdentity())) removeFile(serverPath);
      }),
    /** The server that runs now; null without one. */
    running: (): RunningServer | null =>
      guard(serverPath, () => {
        refuseLinkedFolder(folder);
        const found = readServer(serverPath);
        const identity = found && parseIdentity(found.identity);
        if (found === null || identity === null || fateOf(identity) !== "alive") return null;
        return { url: found.url, pid: identity.pid };
      }),
  };
}

const secretForm = /^[\w-]{43}$/;

function nameOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

function readServer(path: string): { url: string; identity: string } | null {
  const lines = readBytes(path, limits.serverFileBytes)?.toString("utf8").split("\n") ?? [];
  const [url = "", identity = ""] = lines;
  return /^https?:\/\/[\w.:[\]-]+\/$/.test(url) ? { url, identity } : null;
}

/** A link of the future is none: a clock that was set back must not make links live longer. */
function isValid(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile() || whyForeign(stat) !== null) return false;
  const ageMs = Date.now() - stat.mtimeMs;
  return ageMs > -1_000 && ageMs < limits.linkMs;
}

function whyForeign({ uid, mode }: Stats): string | null {
  if (uid !== process.getuid?.()) return "it belongs to another user";
  return (mode & 0o077) === 0 ? null : "others can look into it: chmod go-rwx";
}
