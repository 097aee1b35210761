// The whole fleet as its hosts published it. A host that is not reached stays in the list, with its last rows.

import { HiveError } from "../base/errors.js";
import { type Host, hostName } from "../names/gates.js";
import type { Bus, Entry } from "../nats/bus.js";
import {
  type FarAgent,
  type HostRow,
  readAgentRow,
  readHostRow,
  readSignRow,
  type SignRow,
  signKey,
} from "./rows.js";
import { buckets, unword } from "./subjects.js";

export interface HostState {
  host: Host;
  /** Its lease is there: its worker wrote within the last seconds. */
  isReached: boolean;
  /** Its worker ended in order. */
  isStopped: boolean;
  /** Its last sign, by the server's clock. Signs of a host without a lease are up to ten minutes apart. */
  seenAtMs: number;
  ageMs: number;
  machine: string;
  version: string;
  agents: number;
  /** Rows that this version cannot read. */
  unreadable: number;
}

export interface FleetRead {
  hosts: HostState[];
  agents: FarAgent[];
  /** The server's clock at the time of the read. */
  nowMs: number;
}

/** The host of this name, if it is one of the fleet. Pure. */
export function hostIn<State extends { host: Host }>(hosts: readonly State[], name: Host, own: Host): State {
  const found = hosts.find(({ host }) => host === name);
  if (found !== undefined) return found;
  const others = hosts.map(({ host }) => host).filter((host) => host !== own);
  throw new HiveError(`no host of this fleet is called "${name}"`, {
    hint: others.length > 0 ? `hosts: ${others.join(", ")}` : "hivemind fleet hosts",
  });
}

/** `serverNowMs` is null if no worker of this host knows the server's clock. */
export async function readFleet(bus: Pick<Bus, "bucket">, serverNowMs: number | null): Promise<FleetRead> {
  const [hosts, agents] = await Promise.all([bus.bucket(buckets.hosts), bus.bucket(buckets.agents)]);
  const [leases, rows] = await Promise.all([hosts.all(), agents.all()]);
  return fleetOf(leases, rows, serverNowMs);
}

/** Pure. */
export function fleetOf(
  leases: readonly Entry[],
  rows: readonly Entry[],
  serverNowMs: number | null,
): FleetRead {
  const newest = Math.max(0, ...leases.map(atOf), ...rows.map(atOf));
  const nowMs = Math.max(serverNowMs ?? 0, newest);
  const found = new Map<Host, Gathered>();
  const of = (host: Host) => {
    const known = found.get(host) ?? { lease: null, sign: null, agents: [], seenAtMs: 0, unreadable: 0 };
    found.set(host, known);
    return known;
  };
  for (const entry of leases) {
    const host = hostOf(entry.key);
    if (host === null) continue;
    const known = of(host);
    known.lease = readHostRow(entry.value);
    known.seenAtMs = Math.max(known.seenAtMs, entry.writtenAtMs);
    if (known.lease === null) known.unreadable++;
  }
  for (const entry of rows) gather(entry, of);
  const states = [...found].map(([host, known]) => stateOf(host, known, nowMs));
  return {
    hosts: states.sort((a, b) => (a.host < b.host ? -1 : 1)),
    agents: [...found.values()].flatMap((known) => known.agents),
    nowMs,
  };
}

interface Gathered {
  lease: HostRow | null;
  sign: SignRow | null;
  agents: FarAgent[];
  seenAtMs: number;
  unreadable: number;
}

function gather({ key, value, writtenAtMs }: Entry, of: (host: Host) => Gathered): void {
  const [first = "", name = ""] = key.split(".");
  const host = hostOf(first);
  if (host === null) return;
  const known = of(host);
  known.seenAtMs = Math.max(known.seenAtMs, writtenAtMs);
  if (name === signKey) {
    known.sign = readSignRow(value);
    return;
  }
  const agent = readAgentRow(host, value, writtenAtMs);
  if (agent === null) known.unreadable++;
  else known.agents.push(agent);
}

function stateOf(
  host: Host,
  { lease, sign, agents, seenAtMs, unreadable }: Gathered,
  nowMs: number,
): HostState {
  const isReached = lease !== null;
  return {
    ...{ host, isReached, isStopped: !isReached && sign?.isStopped === true, seenAtMs },
    ageMs: Math.max(0, nowMs - seenAtMs),
    machine: lease?.machine ?? sign?.machine ?? "",
    version: lease?.version ?? sign?.version ?? "",
    ...{ agents: agents.length, unreadable },
  };
}

function hostOf(text: string): Host | null {
  const name = unword(text);
  try {
    return name === null ? null : hostName(name);
  } catch {
    return null;
  }
}

const atOf = ({ writtenAtMs }: Entry) => writtenAtMs;
