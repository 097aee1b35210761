// The command: loads the command line interface, and turns errors into exit codes.

import { runCli } from "./cli/run.js";

void runCli(process).then((exitCode) => {
  process.exitCode = exitCode;
  // Node would collect the heap first, which takes a tenth of the time of a short command. A pipe that still holds
  // output keeps node alive until its reader has taken it.
  if (process.stdout.writableLength === 0) process.exit();
});
