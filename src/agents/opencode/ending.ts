// How its process ends. A client whose terminal is gone does not always end by itself: it can go on for ever, without
// a terminal, busy. SIGTERM ends it then too.

import type { ProcessInfo } from "../../base/system/process.js";
import type { EndStep } from "../agent.js";
import { recognises } from "./recognises.js";

export function endSteps(tree: readonly ProcessInfo[]): EndStep[] {
  const signals = ["SIGTERM", "SIGKILL"] as const;
  return tree.filter(recognises).flatMap(({ pid }) => signals.map((signal) => ({ pid, signal })));
}
