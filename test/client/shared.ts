// One client for the tests of a group: its start costs more than most of them.

import { afterAll, onTestFailed } from "vitest";
import type { RealClient } from "./client.js";
import { movedOn } from "./sees.js";
import { type ClientWorld, makeWorld } from "./world.js";

export interface Shared {
  api: ClientWorld["api"];
  client: RealClient;
}

/** Made for the first test that asks for it. One that fails takes it away: the next one gets another. */
export function sharedStage<T extends Shared>(
  make: (world: ClientWorld) => Promise<T>,
  again: (stage: T) => Promise<unknown> = cleared,
): () => Promise<T> {
  let world: ClientWorld | null = null;
  let stage: T | null = null;
  const end = async () => {
    const ended = world;
    world = stage = null;
    await ended?.end();
  };
  afterAll(end);
  return async () => {
    onTestFailed(end);
    if (stage !== null) {
      await again(stage);
      return stage;
    }
    world = await makeWorld();
    stage = await make(world);
    return stage;
  };
}

/** An empty conversation on an empty screen, as after a start. */
export async function cleared({ api, client }: Shared): Promise<void> {
  api.forget();
  await client.settled();
  const { sessionId } = await client.waitForStatus("idle");
  await client.submit("/clear");
  await movedOn(client, sessionId!);
  await client.settled();
}
