// The fleet for commands: one connection, one read.

import type { Join } from "../../link/join.js";
import type { FleetRead } from "../../link/read-fleet.js";
import type { Bus } from "../../nats/bus.js";
import type { LeaseNow } from "../../stores/link/lease-file.js";
import type { Cli } from "../command.js";

export interface ReadFleet extends FleetRead {
  join: Join;
  lease: LeaseNow;
  serverVersion: string;
}

/** Null if this host is in no fleet: then nothing of NATS is loaded. */
export async function readOwnFleet(cli: Cli): Promise<ReadFleet | null> {
  const { env, stores } = await cli.hive();
  const { joinOf } = await import("../../link/join.js");
  return joinOf(env, stores) === null ? null : readWholeFleet(cli);
}

export function readWholeFleet(cli: Cli): Promise<ReadFleet> {
  return withFleet(cli, async (bus, join, lease) => {
    const { readFleet } = await import("../../link/read-fleet.js");
    const read = await readFleet(bus, lease.serverNowMs);
    return { ...read, join, lease, serverVersion: bus.serverVersion };
  });
}

/** Connects for one command, unless the program keeps a connection. On a host without a fleet it says how to join one. */
export async function withFleet<T>(
  cli: Cli,
  work: (bus: Bus, join: Join, lease: LeaseNow) => Promise<T>,
): Promise<T> {
  const { env, stores } = await cli.hive();
  const { needJoin } = await import("../../link/join.js");
  const { leaseNow } = await import("../../stores/link/lease-file.js");
  const join = needJoin(env, stores);
  if (cli.fleetBus !== undefined)
    return cli.fleetBus.use(join.address, (bus) => work(bus, join, leaseNow(stores)));
  const { connectBus } = await import("../../nats/connect.js");
  const bus = await connectBus(join.address);
  try {
    return await work(bus, join, leaseNow(stores));
  } finally {
    await bus.close();
  }
}
