// What the clients' hooks reported: one small JSON file a report. Written by the sh handler alone; here they
// are read, and swept once they are used up.
//
// [HR1] Only whole reports are read: hidden files are being written, and what is no JSON object is a problem.
// [HR2] Sweeping removes reports of this folder, and nothing else.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readBytes, removeFile } from "../base/atomic-file.js";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";
import { guard, type Problem, type Report, StoreError } from "./error.js";

export interface HookReport {
  /** The file's name; reports are read in its order. */
  name: string;
  body: Readonly<Record<string, unknown>>;
}

export interface HookReports {
  readonly folder: string;
  read(): { reports: readonly HookReport[]; problems: readonly Problem[] };
  sweep(names: Iterable<string>): void;
}

export function openHookReports(folder: string, report?: Report): HookReports {
  return {
    folder,
    read() {
      const reports: HookReport[] = [];
      const problems: Problem[] = [];
      for (const name of guard(folder, () => reportNames(folder))) {
        const body = readBody(join(folder, name));
        if (typeof body === "string") problems.push({ path: join(folder, name), line: 1, why: body });
        else if (body !== null) reports.push({ name, body });
      }
      for (const problem of problems) report?.(problem);
      return { reports, problems };
    },
    sweep(names) {
      for (const name of names) if (nameForm.test(name)) guard(folder, () => removeFile(join(folder, name)));
    },
  };
}

const nameForm = /^[A-Za-z0-9_%][A-Za-z0-9_.%-]*\.json$/;

function reportNames(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => nameForm.test(name))
      .sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Null when somebody swept it meanwhile; a string says what is wrong. */
function readBody(path: string): Record<string, unknown> | string | null {
  try {
    const bytes = guard(path, () => readBytes(path, limits.hookReportBytes));
    if (bytes === null) return null;
    const body: unknown = JSON.parse(bytes.toString("utf8"));
    const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
    return isObject ? (body as Record<string, unknown>) : "not a JSON object";
  } catch (error) {
    if (error instanceof SyntaxError) return "not JSON";
    if (error instanceof StoreError) return error.message;
    throw error;
  }
}
