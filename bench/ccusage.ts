// ccusage, a program that also reads every transcript: it sums up their tokens. It is not installed with hivemind; the
// bench installs a pinned version into `.cache/`.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { node } from "./home.js";
import type { Timed } from "./used.js";

/** The newest version whose native program can be had for Linux. */
const version = "20.0.24";

/** The command that lists all conversations without asking a server, or why there is none. */
export function ccusage(env: NodeJS.ProcessEnv): Timed | string {
  const folder = fileURLToPath(new URL(`../.cache/ccusage-${version}`, import.meta.url));
  const script = join(folder, "node_modules", "ccusage", "src", "cli.js");
  if (!existsSync(script)) {
    mkdirSync(folder, { recursive: true });
    const words = ["install", "--prefix", folder, `ccusage@${version}`, "--no-audit", "--no-fund"];
    const { status, stderr } = spawnSync("npm", words, { cwd: folder, encoding: "utf8" });
    if (status !== 0) return `ccusage ${version} could not be installed: ${stderr.trim().split("\n")[0]}`;
  }
  const command = { program: node, args: [script, "session", "--offline"], env };
  const { status, stderr } = spawnSync(node, [script, "--version"], { env, encoding: "utf8" });
  return status === 0 ? command : `ccusage ${version} does not run here: ${stderr.trim().split("\n")[0]}`;
}
