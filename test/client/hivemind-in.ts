// The command beside a client that a person started: what it starts finds the same program and the same API.

import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { hivemind } from "../command.js";
import type { RealClient } from "./client.js";
import { type ClientVersion, installClient } from "./install.js";
import type { ClientWorld } from "./world.js";

/** What it started ends with the test. */
export async function hivemindIn({ home, api }: ClientWorld, version: ClientVersion, own: RealClient) {
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  symlinkSync(await installClient(version), join(bin, "claude"));
  const server = {
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_AUTH_TOKEN: "stand-in",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
  };
  for (const [name, value] of Object.entries(server)) home.tmux("set-environment", "-g", name, value);
  // The stores lie outside the home, which is the canary for what clients write.
  const env = { PATH: `${bin}:${home.env.PATH}`, HIVEMIND_CONFIG_DIR: join(home.root, "stores") };
  const run = (...args: string[]) => hivemind(home, args, { env });
  const hive = openHive({ env: { ...home.env, ...env } });
  onTestFinished(async () => {
    const { panes } = await hive.panes();
    for (const { id, process } of panes) if (process && id !== own.paneId) run("agent", "kill", id, "--yes");
  });
  return { run, hive };
}
