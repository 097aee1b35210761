// More patience than a person has: the real programs are slow beside other work, and no test here waits in vain. The
// agents mode of vitest loads this file before each file of tests; commands of tests get the same bounds.

import { limits } from "../../src/limits.js";

const patience = {
  deliverEchoMs: 30_000,
  deliverProofMs: 60_000,
  dialogSteadyMs: 20_000,
  dialogGoneMs: 40_000,
  // The client takes an early Enter for a line break, by its own clock, which a busy machine delays.
  geminiPasteRestMs: 600,
} as const;

Object.assign(limits, patience);

/** For a command that runs as `hurriedProgram`. */
export const patientEnv = { HIVEMIND_TEST_LIMITS: JSON.stringify(patience) };
