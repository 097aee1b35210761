// `npm run test:matrix`: the live suite on each version of tmux. Other words choose versions: `npm run test:matrix -- sid`.

import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { tmuxFolder, tmuxVersions } from "./tmux-versions.js";

const chosen = process.argv.slice(2);
const unknown = chosen.find((word) => !tmuxVersions.some((version) => version === word));
if (unknown !== undefined) {
  console.error(`no such tmux: ${unknown}; there are: ${tmuxVersions.join(", ")}`);
  process.exit(2);
}
const vitest = fileURLToPath(import.meta.resolve("vitest/vitest.mjs"));
for (const version of tmuxVersions) {
  if (chosen.length > 0 && !chosen.includes(version)) continue;
  const folder = await tmuxFolder(version);
  const PATH = folder === null ? process.env.PATH : `${folder}:${process.env.PATH}`;
  const env = { ...process.env, PATH };
  const { stdout } = spawnSync("tmux", ["-V"], { env, encoding: "utf8" });
  console.log(`== the live suite on ${stdout.trim()}`);
  const { status } = spawnSync(process.execPath, [vitest, "run", "--project", "live"], {
    env,
    stdio: "inherit",
  });
  if (status !== 0) process.exitCode = 1;
}
