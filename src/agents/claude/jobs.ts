// Conversations that the client runs in the background: `<folder>/jobs/<job>/state.json`, one for each. The process of
// a job has a registry file of its own; this file stays when the process ends.

import { join } from "node:path";
import { readBytes } from "../../base/atomic-file.js";
import { errorCode } from "../../base/errors.js";
import { namesIn } from "../../base/names-in.js";
import { limits } from "../../limits.js";
import { readSessionId } from "../../names/gates.js";
import type { Job } from "../agent.js";
import { objectOrNull, parseRecord } from "./record.js";

export function readJobs(folder: string): Job[] {
  const jobs = join(folder, "jobs");
  return jobNames(jobs).flatMap((id) => {
    const state = readState(join(jobs, id, "state.json"));
    // After `/clear` inside the job it is the session to resume that is right; the other one is where it began.
    const session = readSessionId(state?.resumeSessionId) ?? readSessionId(state?.sessionId);
    if (state === null || session === null) return [];
    const parent = readSessionId(state.forkParentSessionId);
    return [{ id, session, parent, name: typeof state.name === "string" ? state.name : null }];
  });
}

function jobNames(jobs: string): string[] {
  try {
    return namesIn(jobs).filter((name) => /^[0-9a-f]{8}$/.test(name));
  } catch (error) {
    if (errorCode(error) === "ENOTDIR") return [];
    throw error;
  }
}

/** Null for a file that is missing, half-written, or no plain small file. */
function readState(path: string): Record<string, unknown> | null {
  try {
    return objectOrNull(parseRecord(readBytes(path, limits.registryBytes)?.toString("utf8") ?? ""));
  } catch {
    return null;
  }
}
