// Waits until an agent is idle, asks something, or has answered its last message.

import { HiveError } from "../base/errors.js";
import type { FleetPane } from "../fleet/panes.js";
import type { PaneId } from "../names/gates.js";
import { type Awaited, awaitAnswer, awaiting, lastTaken, type Patience } from "./answered.js";
import { see } from "./see.js";
import { doing, listens } from "./stance.js";
import type { MessageWorld } from "./world.js";

export const awaitables = ["idle", "waiting", "answered"] as const;
export type Awaitable = (typeof awaitables)[number];

export function isAwaitable(text: string): text is Awaitable {
  return (awaitables as readonly string[]).includes(text);
}

export function awaitAgent(
  world: MessageWorld,
  pane: FleetPane,
  until: Awaitable,
  patience: Patience,
): Promise<Awaited> {
  return until === "answered" ? answered(world, pane, patience) : reached(world, pane.id, until, patience);
}

/** For JSON: reached, or what happened instead. */
export function awaitedFacts(awaited: Awaited) {
  const outcome = awaited.outcome === "answered" ? "reached" : awaited.outcome;
  return { outcome, why: awaited.outcome === "ended" ? awaited.why : null };
}

async function answered(
  world: MessageWorld,
  { agent, address }: FleetPane,
  patience: Patience,
): Promise<Awaited> {
  const message = agent && lastTaken(world.stores.receipts.read().rows, agent.id);
  if (message !== null) return awaitAnswer(world, message, patience);
  throw new HiveError(`no message to ${address} is on record`, {
    hint: `hivemind wait ${address} --until idle`,
  });
}

async function reached(
  world: MessageWorld,
  pane: PaneId,
  until: Awaitable,
  patience: Patience,
): Promise<Awaited> {
  return awaiting(patience, async () => {
    const seen = await see(world, pane);
    if ("kind" in seen) return { outcome: "ended", why: seen.why };
    const reading = doing(seen);
    const isSo = until === "idle" ? listens(reading) : reading.activity === "waiting";
    return isSo ? { outcome: "answered" } : null;
  });
}
