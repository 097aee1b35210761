// The reports of the clients' hooks, one small file per report: a line of JSON by the handler, then the client's own
// JSON. Only the sh handler writes them. They are read here, and deleted once they are used up.
//
// - Hidden files are still being written and are skipped. A file without the handler's line is a problem.
// - Sweeping deletes reports of this folder and files left half-written or unreadable for a day, nothing else.
// - The client's part counts as a whole or not at all: if it is too long, or not a JSON object, it is null.
// - A report with a future time is a problem and is swept: it would later count as the newest.
// - A file that cannot be swept is a problem too, but not a failure.

import { lstatSync } from "node:fs";
import { basename, join } from "node:path";
import { readBytes, refuseLinkedFolder, removeFile, replaceFile } from "../../base/files/atomic-file.js";
import { limits } from "../../limits.js";
import { guard, type Problem, type Report } from "../file/error.js";
import { namesInStore } from "../file/store-file.js";
import { type HookReport, isAhead, orWhy, readHookFile } from "./hook-file.js";

export type { HookReport };

/** An agent's sh program. */
export interface Handler {
  name: string;
  text: string;
}

export function openHookReports(folder: string, report?: Report) {
  const all = () => namesInStore(folder).sort();

  function read() {
    const reports: HookReport[] = [];
    const problems: Problem[] = [];
    for (const name of all().filter((each) => nameForm.test(each))) {
      const found = readHookFile(folder, name, limits.hookReportBytes);
      if (typeof found === "string") problems.push({ path: join(folder, name), line: 1, why: found });
      else if (found !== null) reports.push(found.report);
    }
    return { reports, problems };
  }

  function stateOf({ name, text }: Handler): "current" | "outdated" | "missing" {
    const path = join(folder, name);
    guard(folder, () => refuseLinkedFolder(folder));
    const bytes = guard(path, () => readBytes(path, limits.hookReportBytes));
    if (bytes === null) return "missing";
    return bytes.toString("utf8") === text ? "current" : "outdated";
  }

  return {
    folder,
    read() {
      const found = read();
      for (const problem of found.problems) report?.(problem);
      return found;
    },
    sweep(names: Iterable<string>): void {
      const unreadable = read().problems.map(({ path }) => basename(path));
      const useless = [...all().filter((name) => temporaryForm.test(name)), ...unreadable];
      const left = useless.filter((name) => isOutOfDate(join(folder, name), Date.now()));
      const wanted = [...names].filter((name) => nameForm.test(name));
      for (const path of [...wanted, ...left].map((name) => join(folder, name))) {
        const why = orWhy(() => guard(path, () => removeFile(path)));
        if (typeof why === "string") report?.({ path, line: 1, why: `cannot delete it: ${why}` });
      }
    },
    /** Of the one that is furthest from what it should be. */
    handlerState(handlers: readonly Handler[]): "current" | "outdated" | "missing" {
      const states = handlers.map(stateOf);
      return (
        states.find((state) => state === "missing") ??
        states.find((state) => state !== "current") ??
        "current"
      );
    },
    /** Returns false if all handlers are already up to date. */
    placeHandlers(handlers: readonly Handler[]): boolean {
      const old = handlers.filter((handler) => stateOf(handler) !== "current");
      for (const { name, text } of old) guard(folder, () => replaceFile(join(folder, name), text));
      return old.length > 0;
    },
  };
}

const nameForm = /^[A-Za-z0-9_%][A-Za-z0-9_.%-]*\.json$/;
const temporaryForm = /^\.\d+(?:\.\d+)?-\d+\.tmp$/;

/** Never a folder: we create none here. */
function isOutOfDate(path: string, nowMs: number): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || stat.isDirectory()) return false;
  return isAhead(stat.mtimeMs, nowMs) || nowMs - stat.mtimeMs > limits.hookReportAgeMs;
}
