// Makes what a fleet needs on its server: in three copies on a cluster, in one on a single node.

import { type Bus, NatsError } from "../nats/bus.js";
import { fleetForms } from "./subjects.js";

/** Leaves what is there as it is. */
export async function makeFleet(bus: Pick<Bus, "make">): Promise<void> {
  try {
    await bus.make(fleetForms(3));
  } catch (error) {
    if (!(error instanceof NatsError && /non-clustered/.test(error.message))) throw error;
    await bus.make(fleetForms(1));
  }
}
