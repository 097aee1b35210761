// The process reader of this machine.

import { linuxProcesses } from "./linux.js";
import type { ProcessReader } from "./process.js";
import { psProcesses } from "./ps.js";

export const {
  readTrees,
  findProcess,
  readProcessVariable,
  readProcessVariables,
  readInput,
  innerProcess,
}: ProcessReader = process.platform === "linux" ? linuxProcesses() : psProcesses();
