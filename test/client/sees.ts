// What hivemind's reader says of the pane of a real client.

import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import { activityOf } from "../../src/fleet/activity/activity.js";
import { contextIn, windowsOf } from "../../src/fleet/activity/context.js";
import { openHive } from "../../src/hive/hive.js";
import type { SessionId } from "../../src/names/gates.js";
import { type TestHome, until } from "../home.js";
import type { RealClient } from "./client.js";

export const newId = () => randomUUID() as string as SessionId;

/** All that the reader tells of the pane a client was started in. */
export async function lookAt(home: TestHome, { paneId }: Pick<RealClient, "paneId">, env = {}) {
  const fleet = await openHive({ env: { ...home.env, ...env } }).observe();
  const pane = fleet.panes.find(({ id }) => id === paneId)!;
  const { uuid, state, title, evidence } = fleet.sessions.get(paneId)!;
  return {
    uuid,
    state,
    title,
    source: evidence.find(({ chosen }) => chosen)?.source ?? null,
    kind: pane.kind,
    activity: activityOf(pane).activity,
    waitingFor: pane.live?.waitingFor ?? null,
    used: contextIn(pane, fleet, windowsOf({})).context?.used ?? null,
  };
}

export type Seen = Awaited<ReturnType<typeof lookAt>>;

/** The client writes its files some moments after its screen: the expectation is waited for, then held. */
export async function sees(
  home: TestHome,
  client: Pick<RealClient, "paneId">,
  expected: Partial<Seen>,
  env = {},
): Promise<void> {
  const isIt = (seen: Seen) =>
    Object.entries(expected).every(([key, value]) => seen[key as keyof Seen] === value);
  let last: Seen | null = null;
  await until("the reader sees it", async () => {
    last = await lookAt(home, client, env);
    // tmux now and then misses the end of a child until another one ends.
    if (!isIt(last)) home.tmux("run-shell", "-b", "true");
    return isIt(last);
  }).catch(() => expect(last).toMatchObject(expected));
}

export async function answered(client: RealClient, text: string): Promise<void> {
  await client.submit(text);
  await client.waitForScreen(new RegExp(`answer to ${text}`));
  const { sessionId } = await client.waitForStatus("idle");
  // A client that is ended before it has written its answer down cannot be resumed.
  await until("the answer in the transcript", () =>
    JSON.stringify(client.transcript(sessionId!)).includes(`answer to ${text}`),
  );
}

export async function movedOn(client: RealClient, from: SessionId): Promise<SessionId> {
  return until("another session", () => {
    const now = client.registryFile()?.sessionId;
    return now !== undefined && now !== from ? now : null;
  });
}
