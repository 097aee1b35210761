// Programs that a test installs as `claude`.

import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { demoAgent } from "../command.js";
import type { TestHome } from "../home.js";

/** First in PATH; returns the environment for a command that should find it. */
export function installAs(home: TestHome, script: string): Record<string, string> {
  const folder = join(home.root, "bin");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "claude"), script);
  chmodSync(join(folder, "claude"), 0o755);
  return { PATH: `${folder}:${home.env.PATH}` };
}

/** The demo agent, which first writes its environment to a file. */
export function demoClient(environmentFile: string): string {
  const run = `exec '${process.execPath}' '${demoAgent}' "$@"`;
  return `#!/bin/sh\n[ "$1" = --version ] || env > '${environmentFile}'\n${run}\n`;
}

/** It lives, shows nothing, and records its pid and its input. A stubborn one outlives its terminal. */
export function silentClient(pidFile: string, typedFile: string, isStubborn = false): string {
  return `#!${process.execPath}
const { appendFileSync, writeFileSync } = require("node:fs");
if (process.argv[2] === "--version") { console.log("0.0.1 (Silent)"); process.exit(); }
if (${isStubborn}) process.on("SIGHUP", () => {});
process.stdin.on("data", (bytes) => appendFileSync(${JSON.stringify(typedFile)}, bytes));
process.stdin.on("error", () => {});
writeFileSync(${JSON.stringify(typedFile)}, "");
writeFileSync(${JSON.stringify(pidFile)}, String(process.pid));
setInterval(() => {}, 1000);
`;
}
