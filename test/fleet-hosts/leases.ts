// Leases with a third of their times, for tests that wait until one is over. The real times are tested too: in
// lease.test.ts, in partition.test.ts, and in the tests on the newest server.

import { afterAll, beforeAll } from "vitest";
import { limits } from "../../src/limits.js";
import { mainProgram } from "../command.js";
import { hurriedProgram } from "../commands/build.js";

const short = {
  leaseRenewMs: 1_650,
  leaseAgainMs: 350,
  leaseFreshMs: 3_300,
  leaseTakenMs: 1_650,
  leaseGoneMs: 5_000,
} as const;

/** For all tests of the file or of the `describe` that calls it. Call it before the servers start. */
export function shortLeases(): void {
  const own = { ...limits };
  beforeAll(() => void Object.assign(limits, short));
  afterAll(() => void Object.assign(limits, own));
}

/** The variables of a host that is made now, and of all its programs. */
export function leaseEnv(): Record<string, string> {
  const isShort = limits.leaseFreshMs === (short.leaseFreshMs as number);
  return isShort ? { HIVEMIND_TEST_LIMITS: JSON.stringify(short) } : {};
}

/** The command as a host with these variables runs it. */
export function commandFor({ HIVEMIND_TEST_LIMITS: changed }: NodeJS.ProcessEnv): string {
  return changed === undefined ? mainProgram : hurriedProgram;
}
