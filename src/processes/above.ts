// The processes above one, nearest first. They tell whose a process is; variables do not.

import { limits } from "../limits.js";
import type { ProcessInfo, ProcessReader } from "./process.js";

/** Itself first. Above the first process of all there is none. */
export function* fromItUp(
  pid: number,
  { findProcess }: Pick<ProcessReader, "findProcess">,
): Generator<ProcessInfo> {
  let current = findProcess(pid);
  for (let depth = 0; current !== null && depth < limits.ancestors; depth++) {
    yield current;
    current = current.ppid > 1 ? findProcess(current.ppid) : null;
  }
}
