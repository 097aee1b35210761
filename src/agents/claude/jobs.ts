// The client's background conversations: one file `<folder>/jobs/<job>/state.json` each. The process of a job has
// its own registry file; the state file stays when the process ends.

import { join } from "node:path";
import { errorCode } from "../../base/errors.js";
import { namesIn } from "../../base/files/names-in.js";
import { limits } from "../../limits.js";
import { readSessionId } from "../../names/gates.js";
import type { Job } from "../agent.js";
import { readRecordFile, textOrNull } from "../record.js";

export function readJobs(folder: string): Job[] {
  const jobs = join(folder, "jobs");
  return jobNames(jobs).flatMap((id) => {
    const state = readRecordFile(join(jobs, id, "state.json"), limits.registryBytes);
    // After `/clear` inside the job the session to resume is the current one; the other is where the job began.
    const session = readSessionId(state?.resumeSessionId) ?? readSessionId(state?.sessionId);
    if (state === null || session === null) return [];
    const parent = readSessionId(state.forkParentSessionId);
    return [{ id, session, parent, name: textOrNull(state.name) }];
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
