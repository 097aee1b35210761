// What `fleet doctor` finds: each check with what is so, and what to do if it is not well.

import { limits } from "../limits.js";
import type { Bus } from "../nats/bus.js";
import type { Join } from "./join.js";
import { buckets, objects, streams, word } from "./subjects.js";

export interface FleetCheck {
  what: string;
  /** `info`: worth knowing, and nothing to repair. */
  verdict: "well" | "info" | "bad";
  says: string;
  fix?: string;
}

export async function checkFleet(
  bus: Bus,
  join: Pick<Join, "host" | "address" | "isReader">,
): Promise<FleetCheck[]> {
  const checks = [versionCheck(bus.serverVersion), tlsCheck(join.address)];
  const ms = await bus.roundTrip();
  checks.push({ what: "connection", verdict: "well", says: `a round trip takes ${ms} ms` });
  checks.push(...(await streamChecks(bus, join.address.servers.length)));
  if (checks.some(({ what, verdict }) => what === "streams" && verdict === "bad")) return checks;
  if (join.isReader) {
    const says = "this host only reads: it holds no lease, and its agents work as without a fleet";
    return [...checks, { what: "permissions", verdict: "well", says }];
  }
  checks.push(...(await writeChecks(bus, join.host)));
  checks.push(await leaseCheck(bus, join.host));
  return checks;
}

export function versionCheck(version: string): FleetCheck {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const what = "server";
  if (major < 2 || (major === 2 && minor < 9))
    return { what, verdict: "bad", says: `nats-server ${version} is too old`, fix: "install 2.9 or newer" };
  const isOld = major === 2 && minor < 11;
  return {
    what,
    verdict: isOld ? "info" : "well",
    says: isOld
      ? `nats-server ${version}; before 2.11 it tells nobody that a lease expired, so hosts compute its age themselves`
      : `nats-server ${version}`,
  };
}

function tlsCheck({ servers, user, credentials }: Join["address"]): FleetCheck {
  const what = "protection";
  const isLocal = servers.every((each) => /^\w+:\/\/(?:127\.|localhost|\[::1\])/.test(each));
  if (servers.every((each) => each.startsWith("tls:"))) return { what, verdict: "well", says: "TLS" };
  if (isLocal) return { what, verdict: "info", says: "no TLS; the server is on this machine" };
  const who = user === undefined && credentials === undefined ? " and without a login" : "";
  return {
    ...{ what, verdict: "bad", says: `everybody on the way can read along: no TLS${who}` },
    fix: "use tls:// addresses, as `hivemind fleet serve` does",
  };
}

async function streamChecks(bus: Bus, servers: number): Promise<FleetCheck[]> {
  const names = [
    ...Object.values(streams),
    ...Object.values(buckets).map((name) => `KV_${name}`),
    ...Object.values(objects).map((name) => `OBJ_${name}`),
  ];
  const missing: string[] = [];
  const unseen: string[] = [];
  const copies = new Set<number>();
  for (const name of names) {
    try {
      const facts = await bus.streamFacts(name);
      if (facts === null) missing.push(name);
      else copies.add(facts.replicas);
    } catch {
      unseen.push(name);
    }
  }
  const what = "streams";
  if (missing.length > 0)
    return [
      {
        ...{ what, verdict: "bad", says: `the server lacks ${missing.join(", ")}` },
        fix: "hivemind fleet serve makes them; on a server of your own hivemind fleet join does",
      },
    ];
  const least = Math.min(...copies);
  const hidden = unseen.length === 0 ? "" : `; this host may not see ${unseen.join(", ")}`;
  return [
    { what, verdict: "well", says: `all are there${hidden}` },
    {
      what: "copies",
      verdict: least < 3 && servers > 1 ? "bad" : least < 3 ? "info" : "well",
      says:
        least < 3
          ? "one copy of everything: the fleet stops while its server is away"
          : "three copies of everything",
      ...(least < 3 && servers > 1
        ? { fix: "make the streams again while three nodes run (docs/fleet.md)" }
        : {}),
    },
  ];
}

/** Writes a row under the own name and tries one under a foreign name. */
async function writeChecks(bus: Bus, host: string): Promise<FleetCheck[]> {
  const teams = await bus.bucket(buckets.teams);
  const key = `${word(host)}.=doctor`;
  const before = Date.now();
  try {
    await teams.put(key, Buffer.from("x"));
  } catch {
    return [{ what: "permissions", verdict: "info", says: "this host only reads" }];
  }
  const middleMs = (before + Date.now()) / 2;
  const written = (await teams.get(key).catch(() => null))?.writtenAtMs ?? middleMs;
  await teams.remove(key);
  const differenceMs = Math.round(Math.abs(written - middleMs));
  const isFar = differenceMs > limits.clockDifferenceMs;
  const clock: FleetCheck = {
    ...{ what: "clock", verdict: isFar ? "bad" : "well" },
    says: `the clocks of this host and the server differ by ${differenceMs} ms`,
    ...(isFar ? { fix: "let both set their clocks (timedatectl set-ntp true)" } : {}),
  };
  // No host has this word as its name.
  const foreign = "=doctor.x";
  const mayAll = await teams.put(foreign, Buffer.from("x")).then(
    () => true,
    () => false,
  );
  if (mayAll) await teams.remove(foreign);
  const permissions: FleetCheck = mayAll
    ? {
        ...{ what: "permissions", verdict: "info" },
        says: "the server lets this host write for others: every host must be trusted",
        fix: "hivemind fleet serve gives each host its own user",
      }
    : { what: "permissions", verdict: "well", says: "this host writes under its own name only" };
  return [clock, permissions];
}

async function leaseCheck(bus: Bus, host: string): Promise<FleetCheck> {
  const lease = await (await bus.bucket(buckets.hosts)).get(word(host));
  return lease === null
    ? {
        ...{ what: "lease", verdict: "bad", says: "this host has no lease: no worker keeps the link" },
        fix: "hivemind watch --background",
      }
    : { what: "lease", verdict: "well", says: "a worker of this host keeps the link" };
}
