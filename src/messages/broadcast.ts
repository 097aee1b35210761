// The same words for several agents: each gets them as if it were the only one.
//
// [BC1] Each agent has an answer of its own; what goes wrong with one keeps the words from nobody else.

import { HiveError } from "../base/errors.js";
import type { FleetPane } from "../fleet/panes.js";
import { limits } from "../limits.js";
import { refused, type Sent, send } from "./send.js";
import type { MessageWorld } from "./world.js";

export interface Told {
  pane: FleetPane;
  sent: Sent;
}

/** In the order of the panes. */
export async function broadcast(
  world: MessageWorld,
  panes: readonly FleetPane[],
  text: string,
): Promise<Told[]> {
  const told: Told[] = [];
  for (let from = 0; from < panes.length; from += limits.broadcastAtOnce) {
    const some = panes.slice(from, from + limits.broadcastAtOnce);
    told.push(
      ...(await Promise.all(some.map(async (pane) => ({ pane, sent: await tell(world, pane, text) })))),
    );
  }
  return told;
}

async function tell(world: MessageWorld, pane: FleetPane, text: string): Promise<Sent> {
  try {
    return await send(world, pane.id, text);
  } catch (error) {
    if (!(error instanceof HiveError)) throw error;
    return refused(error.message);
  }
}
