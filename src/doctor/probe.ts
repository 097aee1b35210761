// The check that tries: which of the client's mechanisms hold, by running it once.

import { sweepLeftHomes } from "../demo/home.js";
import { type Check, problem } from "./check.js";
import { clientProgram } from "./programs.js";
import { type TrialOptions, tryClient } from "./trial.js";

export function probeCheck(options: Omit<TrialOptions, "env">): Check {
  return {
    id: "probe",
    title: "the client does what hivemind expects",
    async look({ env, temporaryFolder }) {
      await sweepLeftHomes("probe", temporaryFolder);
      const program = clientProgram(env);
      if (program === null) return [problem("there is no claude in PATH to try", "hivemind doctor")];
      return tryClient(program, { temporaryFolder, ...options, env });
    },
  };
}
