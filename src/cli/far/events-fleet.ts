// `events --fleet`: the events that the hosts of the fleet published, also of those that are not reached.

import { HiveError } from "../../base/errors.js";
import { jsonObject } from "../../base/text/json-object.js";
import { parseUtc } from "../../base/text/utc.js";
import { formatArguments, type HiveEvent, isEventName, plainArguments } from "../../events/event.js";
import { limits } from "../../limits.js";
import { writerOf } from "../../link/mail/mail-form.js";
import { anyOf, streams, subjects } from "../../link/subjects.js";
import type { Host } from "../../names/gates.js";
import type { Stored } from "../../nats/bus.js";
import type { Cli } from "../command.js";
import { shown } from "../output.js";
import { sinceText } from "./ages.js";
import { hostsNow, withFar } from "./open-far.js";

interface FarEvent {
  host: Host;
  at: string;
  event: HiveEvent;
}

/** The last `most` of all hosts, oldest first. */
export async function eventsFleet(cli: Cli, most: number, isJson: boolean): Promise<void> {
  await withFar(cli, async (far) => {
    const kept: FarEvent[] = [];
    for await (const stored of far.bus.read(streams.events, subjects.event(anyOf, anyOf))) {
      const found = farEvent(stored);
      if (found !== null) kept.push(found);
      if (kept.length > 2 * most) kept.splice(0, kept.length - most);
    }
    const events = kept.slice(Math.max(0, kept.length - most));
    const hosts = await hostsNow(far);
    if (isJson) {
      const rows = hosts.map(({ host, isReached, ageMs }) => ({
        ...{ host, reached: isReached, why: isReached ? null : `not reached ${sinceText(ageMs)}`, ageMs },
      }));
      const args = ({ name: _, ...rest }: HiveEvent) => rest;
      cli.out.json({
        hosts: rows,
        events: events.map(({ host, at, event }) => ({ host, at, event: event.name, args: args(event) })),
      });
      return;
    }
    const { dim, bold } = cli.out.colours;
    for (const { host, at, event } of events)
      cli.out.print(`${dim(at)} ${host} ${bold(event.name)} ${shown(plainArguments(event))}`);
    for (const { host, isReached, ageMs } of hosts)
      if (!isReached)
        cli.out.note(`${host} is not reached ${sinceText(ageMs)}: what happened there since is not here`);
  });
}

/** Null for what no host of this version publishes. The subject says which host did. */
export function farEvent({ subject, bytes }: Pick<Stored, "subject" | "bytes">): FarEvent | null {
  const host = writerOf(subject.split(".").slice(0, 3).join("."));
  const row = bytes.length > limits.farRowBytes ? null : jsonObject(Buffer.from(bytes).toString("utf8"));
  if (host === null || row === null) return null;
  const { v: _, at, ...event } = row;
  if (typeof at !== "string" || parseUtc(at) === null) return null;
  if (typeof event.name !== "string" || !isEventName(event.name)) return null;
  try {
    formatArguments(event as unknown as HiveEvent);
    return { host, at, event: event as unknown as HiveEvent };
  } catch (error) {
    if (error instanceof HiveError) return null;
    throw error;
  }
}
