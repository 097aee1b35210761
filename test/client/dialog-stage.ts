// A client that asks something, and hivemind's commands about it.

import { join } from "node:path";
import { hivemind } from "../command.js";
import type { ClientOptions } from "./client.js";
import type { StartUp } from "./dialog-plays.js";
import type { ClientVersion } from "./install.js";
import { type ClientWorld, testWorld } from "./world.js";

type Setting = Omit<StartUp, "options"> & { options: ClientOptions };

/** For the running test alone. */
export async function staged(version: ClientVersion, setting: Setting) {
  return stagedIn(await testWorld(), version, setting);
}

/** The stores lie outside the home, the canary for what clients write. */
export async function stagedIn(world: ClientWorld, version: ClientVersion, { prepare, options }: Setting) {
  const { home } = world;
  prepare?.(world, home.work);
  const client = await world.start(version, options);
  await client.settled();
  const env = { HIVEMIND_CONFIG_DIR: join(home.root, "stores") };
  const run = (verb: string, ...args: string[]) => hivemind(home, [verb, client.paneId, ...args], { env });
  const isDead = () => home.tmux("display-message", "-p", "-t", client.paneId, "#{pane_dead}").trim() === "1";
  return { ...world, client, run, isDead };
}
