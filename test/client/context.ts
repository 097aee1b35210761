// How full hivemind says that the conversation of a real client is.

import { expect } from "vitest";
import { contextIn, windowsOf } from "../../src/fleet/activity/context.js";
import { openHive } from "../../src/hive/hive.js";
import { type TestHome, until } from "../home.js";
import type { Usage } from "./api.js";
import type { RealClient } from "./client.js";

/** The windows of models, in tokens. */
export const [ordinary, large] = [200_000, 1_000_000];
export const sonnet = "claude-sonnet-4-6";
export const used = (tokens: number): Partial<Usage> => ({ input_tokens: tokens });

/** One agent of that model, for `--agents`. */
export function agents(model: string): string {
  return JSON.stringify({ rev: { description: "d", prompt: "p", model } });
}

export async function lookAt(home: TestHome, { paneId }: Pick<RealClient, "paneId">) {
  const fleet = await openHive({ env: home.env }).observe();
  const pane = fleet.panes.find(({ id }) => id === paneId)!;
  const { uuid, context, isCompacted } = contextIn(pane, fleet, windowsOf({}));
  return {
    uuid,
    used: context?.used ?? null,
    window: context?.window ?? null,
    percent: context?.percent ?? null,
    isCompacted,
  };
}

type Seen = Awaited<ReturnType<typeof lookAt>>;

/** The client writes its files some moments after its screen: the expectation is waited for, then held. */
export async function sees(home: TestHome, client: Pick<RealClient, "paneId">, expected: Partial<Seen>) {
  const isIt = (seen: Seen) =>
    Object.entries(expected).every(([key, value]) => seen[key as keyof Seen] === value);
  let last: Seen | null = null;
  await until("the reader sees it", async () => {
    last = await lookAt(home, client);
    return isIt(last);
  }).catch(() => expect(last).toMatchObject(expected));
}

export async function says(client: RealClient, text: string, answer: string): Promise<void> {
  await client.submit(text);
  await client.waitForScreen(new RegExp(answer));
  await client.waitForStatus("idle");
  await client.settled();
}
