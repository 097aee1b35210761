// Which fleet this host is in, under which name, and what hosts of that fleet may do here.

import { hostname } from "node:os";
import { HiveError, UsageError } from "../base/errors.js";
import { ownHost } from "../hosts/departure.js";
import { type Host, hostName } from "../names/gates.js";
import type { BusAddress } from "../nats/bus.js";
import { type Allowance, isReader, isServerUrl, type JoinRow } from "../stores/link/fleet-join.js";
import type { Stores } from "../stores/stores.js";
import { inboxOf } from "./subjects.js";

export type { Allowance } from "../stores/link/fleet-join.js";

export interface Join {
  host: Host;
  address: BusAddress;
  /** It only looks at the fleet: no lease, no claims, no mail, and nothing is published. */
  isReader: boolean;
  /** What every host of the fleet may do here. */
  allows: ReadonlySet<Allowance>;
  /** What single hosts may do here besides. */
  allowsFrom: ReadonlyMap<Host, ReadonlySet<Allowance>>;
}

/** Null if this host is in no fleet. `HIVEMIND_FLEET` and `HIVEMIND_HOST` beat the stored join. */
export function joinOf(
  env: Readonly<Record<string, string | undefined>>,
  { fleetJoin }: Pick<Stores, "fleetJoin">,
): Join | null {
  const { rows } = fleetJoin.read();
  const given = env.HIVEMIND_FLEET;
  if (given) {
    const host = env.HIVEMIND_HOST ? hostName(env.HIVEMIND_HOST) : ownHost(hostname());
    const address = { ...addressIn(given), ...namesOf(host) };
    return { host, address, isReader: false, ...allowedBy(rows) };
  }
  const stored = storedIn(rows);
  if (stored === null) return null;
  const { host, servers, user, fingerprint } = stored;
  const password = fleetJoin.secret("password");
  const credentials = fleetJoin.secret("credentials");
  const authorities = fleetJoin.secret("authorities");
  return {
    host,
    address: {
      servers,
      ...(user === undefined || password === null
        ? {}
        : { user: { name: user, password: password.toString("utf8").trim() } }),
      ...(credentials === null ? {} : { credentials }),
      ...(authorities === null ? {} : { authorities: authorities.toString("utf8") }),
      ...(fingerprint === undefined ? {} : { fingerprint }),
      ...namesOf(host),
    },
    isReader: isReader(rows),
    ...allowedBy(rows),
  };
}

/** For commands that need a fleet. */
export function needJoin(...args: Parameters<typeof joinOf>): Join {
  const found = joinOf(...args);
  if (found !== null) return found;
  throw new HiveError("this host is in no fleet", { hint: "hivemind fleet join FILE" });
}

/** Whether that host may do this here. */
export function mayFrom(
  { allows, allowsFrom }: Pick<Join, "allows" | "allowsFrom">,
  allowance: Allowance,
  host: Host,
): boolean {
  return allows.has(allowance) || (allowsFrom.get(host)?.has(allowance) ?? false);
}

export function namesOf(host: Host): { name: string; inboxPrefix: string } {
  return { name: `hivemind ${host}`, inboxPrefix: inboxOf(host) };
}

/** `nats://a:4222,nats://b:4222`, with `user:password@` before the first address if the server wants one. */
export function addressIn(text: string): Pick<BusAddress, "servers" | "user"> {
  const found = text.split(",").map((each) => /^(\w+:\/\/)(?:([^@/]*)@)?(.*)$/.exec(each.trim()));
  const servers = found.map((match) => (match === null ? "" : `${match[1]}${match[3]}`));
  if (!servers.every(isServerUrl))
    throw new UsageError("HIVEMIND_FLEET is not the address of a NATS server", {
      hint: "HIVEMIND_FLEET=nats://127.0.0.1:4222",
    });
  const login = found.find((match) => match?.[2])?.[2];
  if (login === undefined) return { servers };
  const [name = "", ...password] = login.split(":");
  return { servers, user: { name: decoded(name), password: decoded(password.join(":")) } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function storedIn(rows: readonly JoinRow[]) {
  const value = (what: JoinRow["what"]) => rows.find((row) => row.what === what)?.value;
  const host = value("host");
  const servers = rows.filter(({ what }) => what === "server").map((row) => row.value);
  if (host === undefined || servers.length === 0) return null;
  return { host: hostName(host), servers, user: value("user"), fingerprint: value("fingerprint") };
}

function allowedBy(rows: readonly JoinRow[]): Pick<Join, "allows" | "allowsFrom"> {
  const allows = new Set<Allowance>();
  const allowsFrom = new Map<Host, Set<Allowance>>();
  for (const row of rows) {
    if (row.what !== "allow") continue;
    if (row.from === "*") allows.add(row.value);
    else allowsFrom.set(row.from, (allowsFrom.get(row.from) ?? new Set()).add(row.value));
  }
  return { allows, allowsFrom };
}
