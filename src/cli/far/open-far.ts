// The fleet's server, for one command that names another host.

import { exitCodes, HiveError } from "../../base/errors.js";
import type { Hive } from "../../hive/hive.js";
import type { Join } from "../../link/join.js";
import { hasHost, type NameAtHost, nameAtHost } from "../../link/name-at-host.js";
import type { Host } from "../../names/gates.js";
import type { Bus } from "../../nats/bus.js";
import type { Cli, Input } from "../command.js";
import { sinceText } from "./ages.js";

export { hasHost };

export interface Far {
  bus: Bus;
  join: Join;
  hive: Hive;
}

/** Connects for the time of this work. */
export async function withFar<T>(cli: Cli, work: (far: Far) => Promise<T>): Promise<T> {
  const { withFleet } = await import("../fleet/read.js");
  const hive = await cli.hive();
  return withFleet(cli, (bus, join) => work({ bus, join, hive }));
}

/** What a typed name means: of this host, or of another one. */
export async function nameIn(cli: Cli, typed: string): Promise<NameAtHost> {
  if (!hasHost(typed)) return { name: typed, host: null };
  const { joinOf } = await import("../../link/join.js");
  return nameAtHost(typed, joinOf(cli.env, (await cli.hive()).stores)?.host ?? null);
}

/** The same input, with another value of one argument. */
export function renamed(input: Input, argument: string, value: string): Input {
  return {
    ...input,
    arg: (name) => (name === argument ? value : input.arg(name)),
    need: (name) => (name === argument ? value : input.need(name)),
  };
}

/** Runs the command here, or as `there` says if the argument names something of another host. */
export async function hereOrThere<T>(
  cli: Cli,
  input: Input,
  argument: string,
  { here, there }: { here(input: Input): Promise<T>; there(far: FarName, input: Input): Promise<T> },
): Promise<T> {
  const typed = input.arg(argument);
  // A path names no host.
  if (typed === undefined || !hasHost(typed) || typed.includes("/")) return here(input);
  const { name, host } = await nameIn(cli, typed);
  return host === null ? here(renamed(input, argument, name)) : there({ name, host }, input);
}

export interface FarName {
  name: string;
  host: Host;
}

export interface HostNow {
  host: Host;
  isReached: boolean;
  /** Since its last word. */
  ageMs: number;
}

/** Every host of the fleet that is known, also those that are not reached. */
export async function hostsNow({ bus, hive }: Far): Promise<HostNow[]> {
  const { readFleet } = await import("../../link/read-fleet.js");
  const { leaseNow } = await import("../../stores/link/lease-file.js");
  const { hosts } = await readFleet(bus, leaseNow(hive.stores).serverNowMs);
  return hosts.map(({ host, isReached, ageMs }) => ({ host, isReached, ageMs }));
}

/** The host, if it is one of the fleet. */
export async function hostNamed(far: Far, host: Host): Promise<HostNow> {
  const { hostIn } = await import("../../link/read-fleet.js");
  return hostIn(await hostsNow(far), host, far.join.host);
}

/** Throws unless that host answers now. */
export async function needReached(far: Far, host: Host): Promise<void> {
  const { isReached, ageMs } = await hostNamed(far, host);
  if (!isReached)
    throw new HiveError(`${host} is not reached ${sinceText(ageMs)}: nothing was done`, {
      hint: "hivemind fleet hosts",
      exitCode: exitCodes.couldNotLook,
    });
}
