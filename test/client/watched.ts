// One real client, and what hivemind says that it is doing.

import { join } from "node:path";
import { expect } from "vitest";
import type { AgentView } from "../../src/fleet/view.js";
import { type Hive, openHive } from "../../src/hive/hive.js";
import { until } from "../home.js";
import type { StandInApi } from "./api.js";
import type { ClientOptions, RealClient } from "./client.js";
import type { ClientVersion } from "./install.js";
import { type ClientWorld, testWorld } from "./world.js";

export interface Watched extends ClientWorld {
  client: RealClient;
  hive: Hive;
  /** As if the client kept no registry: then only its screen tells. */
  blind: Hive;
  api: StandInApi;
  told(hive?: Hive): Promise<Told>;
  /** Waits until hivemind says this; a text is how the activity begins, or what it is about. */
  becomes(step: string, expected: RegExp, hive?: Hive): Promise<void>;
  /** Types a prompt or a command into the quiet client. */
  ask(text: string): Promise<void>;
}

/** `error: API Error: 500 …`, `waiting: Rewind`, `idle`. */
export type Told = string;

/** For the running test alone. */
export async function watchClient(version: ClientVersion, options: ClientOptions = {}): Promise<Watched> {
  return watchIn(await testWorld(), version, options);
}

export async function watchIn(
  world: ClientWorld,
  version: ClientVersion,
  options: ClientOptions = {},
): Promise<Watched> {
  const { home, api } = world;
  // Outside the home, which is the canary for what clients write.
  const env = { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores") };
  const [hive, blind] = [openHive({ env }), openHive({ env: { ...env, HIVEMIND_IGNORE_REGISTRY: "1" } })];
  const client = await world.start(version, { args: ["--permission-mode", "default"], ...options });
  const told = async (asked: Hive = hive) => words((await asked.viewTeams())[0]?.agents[0]);
  return {
    ...world,
    client,
    hive,
    blind,
    api,
    told,
    becomes: async (step, expected, asked) => {
      let seen = "";
      const isSo = async () => {
        seen = await told(asked);
        return expected.test(seen);
      };
      await until(step, isSo).catch(() => expect(`${step}: ${seen}`).toMatch(expected));
    },
    ask: async (text) => {
      await client.settled();
      await client.submit(text);
    },
  };
}

function words(agent: AgentView | undefined): Told {
  if (agent === undefined) return "no agent";
  const about = agent.waitingFor ?? agent.about;
  return about === null ? String(agent.activity) : `${agent.activity}: ${about}`;
}
