// The command with less patience: what a test would wait for in vain takes a fraction of the time.

import { runCli } from "../../src/cli/run.js";
import { limits } from "../../src/limits.js";

Object.assign(limits, JSON.parse(process.env.HIVEMIND_TEST_LIMITS ?? "{}"));
process.exitCode = await runCli(process);
