// Keeps a sender to the pace of an agent's inbox: its client drops what comes faster, mostly without a sign.

import { setTimeout as rest } from "node:timers/promises";
import type { Pace } from "../agents/agent.js";
import { agentOfKind } from "../agents/all.js";
import type { FleetPane } from "../fleet/panes.js";
import { messageParts } from "../stores/queue/queue-rows.js";
import { parseMark } from "./proof.js";
import type { Speaker } from "./speaker.js";
import type { MessageWorld } from "./world.js";

/** Waits until the inbox of this pane's agent takes one more message of this speaker. */
export async function keepPace(
  { stores }: Pick<MessageWorld, "stores">,
  { kind, agent }: Pick<FleetPane, "kind" | "agent">,
  { name }: Speaker,
): Promise<void> {
  const pace = agentOfKind(kind)?.inbox?.pace;
  if (pace === undefined || agent === null) return;
  const [now, spanMs] = [Date.now(), pace.burst * pace.everyMs];
  const postedMs = stores.receipts.read().rows.flatMap(({ id, step, at, detail }) => {
    if (step !== "posting" || messageParts(id).agent !== agent.id) return [];
    const atMs = Date.parse(at);
    return now - atMs < spanMs && parseMark(detail)?.from === name ? [atMs] : [];
  });
  const waitMs = paceMs(postedMs, now, pace);
  if (waitMs > 0) await rest(waitMs);
}

/** How long to wait before the next message. The inbox has room for a burst, and gets room for one more at a time. */
export function paceMs(postedMs: readonly number[], nowMs: number, { burst, everyMs }: Pace): number {
  const times = [...postedMs].sort((a, b) => a - b);
  let [room, at] = [burst, times[0] ?? nowMs];
  for (const posted of times) {
    room = Math.min(burst, room + (posted - at) / everyMs) - 1;
    at = posted;
  }
  const roomNow = Math.min(burst, room + Math.max(0, nowMs - at) / everyMs);
  return roomNow >= 1 ? 0 : Math.ceil((1 - roomNow) * everyMs);
}
