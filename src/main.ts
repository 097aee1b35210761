// The command: picks a face, imports only that one, and turns errors into exit codes.

import { runCli } from "./cli/run.js";

void runCli(process).then((exitCode) => {
  process.exitCode = exitCode;
});
