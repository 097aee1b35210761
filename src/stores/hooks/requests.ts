// What clients ask their users, as the waiting hooks hand it over: per request a file (a line of JSON by the handler,
// then the client's own JSON), a pipe on which its hook waits, and the answer. Only the sh handler writes requests; only
// this file writes answers.
//
// [RQ1] A request is read only if it and its folder belong to this user, and neither is a link.
// [RQ2] An answer goes only to a hook that waits, and only for the bytes that were shown: the hook compares the digest
//       with what it wrote itself.
// [RQ3] Two who answer at once take turns: the second finds the request gone.

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, type Stats, writeSync } from "node:fs";
import { join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { removeFile, replaceFile } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { guard, type Report } from "../file/error.js";
import { namesInStore, whileLocked } from "../file/store-file.js";
import { type HookReport, readHookFile } from "./hook-file.js";

export interface RequestFile extends Omit<HookReport, "name"> {
  /** Of the file, without its ending: random. */
  name: string;
  /** The process of the hook. */
  hook: number;
  /** Of all bytes of the file. */
  digest: string;
}

/** A pipe that is held open. Closing it without an answer lets its hook end. */
export interface HeldPipe {
  close(): void;
}

export function openRequests(folder: string, report?: Report) {
  const pathOf = (name: string, ending: string) => join(folder, `${name}.${ending}`);

  function read(): RequestFile[] {
    const names = namesInStore(folder).flatMap((each) => nameForm.exec(each)?.[1] ?? []);
    const why = names.length === 0 ? null : whyForeign(folder);
    if (why !== null) {
      report?.({ path: folder, line: 1, why });
      return [];
    }
    return names.flatMap((name) => readOne(name) ?? []).sort((a, b) => a.atMs - b.atMs);
  }

  function readOne(name: string): RequestFile | null {
    const path = pathOf(name, "json");
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return null;
    const found = isOwn(stat) ? readHookFile(folder, `${name}.json`, limits.requestBytes * 2) : foreign;
    if (found === null) return null;
    const hook = typeof found === "string" ? null : found.about.hook;
    if (typeof found === "string" || !Number.isSafeInteger(hook)) {
      report?.({ path, line: 1, why: typeof found === "string" ? found : "it names no hook" });
      return null;
    }
    const digest = createHash("sha256").update(found.bytes).digest("hex");
    return { ...found.report, name, hook: hook as number, digest };
  }

  return {
    folder,
    read,
    /** False if its hook no longer waits, or if the request is not the same any more. */
    answer(request: RequestFile, text: string): Promise<boolean> {
      const path = pathOf(request.name, "answer");
      return whileLocked(path, () => {
        if (readOne(request.name)?.digest !== request.digest) return false;
        guard(path, () => replaceFile(path, text));
        const isHanded = writeLine(pathOf(request.name, "pipe"), request.digest);
        // The hook removes it too, a moment later.
        if (isHanded) guard(path, () => removeFile(pathOf(request.name, "json")));
        return isHanded;
      });
    },
    /** Keeps its hook waiting; null if it does not wait. */
    hold(name: string): HeldPipe | null {
      const pipe = openPipe(pathOf(name, "pipe"));
      return pipe === null ? null : { close: () => closeSync(pipe) };
    },
    /** Ends its hook without an answer, and removes what a killed hook left. */
    release(name: string): void {
      if (!nameForm.test(`${name}.json`) || writeLine(pathOf(name, "pipe"), "")) return;
      for (const ending of ["json", "new", "pipe", "answer"])
        guard(folder, () => removeFile(pathOf(name, ending)));
    },
    /** Tells the hooks that a worker holds the requests of sub-agents; null: no longer. */
    setWorker(pid: number | null): void {
      const path = join(folder, "worker");
      if (pid === null) guard(path, () => removeFile(path));
      else guard(path, () => replaceFile(path, `${pid}\n`));
    },
  };
}

const nameForm = /^([0-9a-f]{32})\.json$/;

const foreign = "it belongs to another user";

function isOwn({ uid }: Stats): boolean {
  return uid === process.getuid?.();
}

/** Why the requests in this folder may be somebody else's; null if they are not. */
function whyForeign(folder: string): string | null {
  const stat = lstatSync(folder);
  if (!isOwn(stat)) return foreign;
  return (stat.mode & 0o077) === 0 ? null : "others can look into it, so no request in it counts: chmod 700";
}

/** False if nobody reads. The line is short enough that a pipe takes it whole. */
function writeLine(path: string, line: string): boolean {
  const pipe = openPipe(path);
  if (pipe === null) return false;
  try {
    writeSync(pipe, `${line}\n`);
    return true;
  } finally {
    closeSync(pipe);
  }
}

/** Null if nobody waits at its other end. */
function openPipe(path: string): number | null {
  let fd: number;
  try {
    fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch (error) {
    if (["ENXIO", "ENOENT", "ELOOP"].includes(errorCode(error) ?? "")) return null;
    throw error;
  }
  const stat = fstatSync(fd);
  if (stat.isFIFO() && isOwn(stat)) return fd;
  closeSync(fd);
  return null;
}
