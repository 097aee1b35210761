#!/usr/bin/env node
// The bin: picks a face, imports only that one, and turns errors into exit codes.

import { runCli } from "./cli/run.js";

process.exitCode = await runCli(process);
