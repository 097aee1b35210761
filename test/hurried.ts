// Less patience for a test that waits for something that never comes, in this process.

import { onTestFinished } from "vitest";
import { limits } from "../src/limits.js";
import type { TestLimits } from "./commands/client.js";

/** Until the running test ends. */
export function hurry(changed: TestLimits): void {
  const own = { ...limits };
  Object.assign(limits, changed);
  onTestFinished(() => void Object.assign(limits, own));
}
