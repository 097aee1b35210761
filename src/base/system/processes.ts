// The process reader of this machine.

import { linuxProcesses } from "./linux-processes.js";
import type { ProcessReader } from "./process.js";
import { psProcesses } from "./ps-processes.js";

export const {
  readTrees,
  findProcess,
  readProcessVariable,
  readProcessVariables,
  readInput,
  innerProcess,
  findAll,
  forOneLook,
}: ProcessReader = process.platform === "linux" ? linuxProcesses() : psProcesses();

/** Where processes are read, as a person would look there. */
export const processSource = process.platform === "linux" ? "/proc" : "ps";
