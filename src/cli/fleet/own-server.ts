// The NATS server that this machine runs for its fleet: its settings as a value, and its configuration.

import { X509Certificate } from "node:crypto";
import { HiveError } from "../../base/errors.js";
import { randomHex } from "../../base/random.js";
import { limits } from "../../limits.js";
import { serverConfig } from "../../link/server-config.js";
import type { BusAddress } from "../../nats/bus.js";
import { makeCertificate } from "../../nats/run-server.js";
import { type Standing, standings } from "../../stores/link/fleet-join.js";
import type { SettingRow } from "../../stores/link/fleet-server.js";
import type { Stores } from "../../stores/stores.js";
import { bracketed, placeIn } from "./server-place.js";

export interface ServerSettings {
  listen: string;
  port: number;
  /** `ADDRESS:PORT` by which hosts reach the nodes. */
  publics: readonly string[];
  hasTls: boolean;
  /** The name of this node, and where it hears the other nodes; null for a single node. */
  cluster: { node: string; listen: string; port: number; routes: readonly string[] } | null;
}

/** Null if no server was ever started here. */
export function settingsIn({ fleetServer }: Pick<Stores, "fleetServer">): ServerSettings | null {
  const { rows } = fleetServer.settings.read();
  const one = (what: SettingRow["what"]) => rows.find((row) => row.what === what)?.value;
  const all = (what: SettingRow["what"]) => rows.filter((row) => row.what === what).map(({ value }) => value);
  const [listen, port] = [one("listen"), Number(one("port"))];
  if (listen === undefined || !Number.isInteger(port)) return null;
  const node = one("node");
  const cluster = one("cluster");
  return {
    ...{ listen, port, publics: all("public"), hasTls: one("tls") !== "no" },
    cluster:
      node === undefined || cluster === undefined
        ? null
        : { node, ...placeIn(cluster), routes: all("route") },
  };
}

export async function keepSettings(
  { fleetServer }: Pick<Stores, "fleetServer">,
  settings: ServerSettings,
): Promise<void> {
  const { listen, port, publics, hasTls, cluster } = settings;
  await fleetServer.settings.update(() => [
    { what: "listen", value: listen },
    { what: "port", value: String(port) },
    ...publics.map((value) => ({ what: "public", value }) as const),
    { what: "tls", value: hasTls ? "yes" : "no" },
    ...(cluster === null
      ? []
      : ([
          { what: "node", value: cluster.node },
          { what: "cluster", value: `${bracketed(cluster.listen)}:${cluster.port}` },
          ...cluster.routes.map((value) => ({ what: "route", value }) as const),
        ] as const)),
  ]);
}

/** Writes the configuration with the users of now. Makes the certificate and the passwords that are missing. */
export async function writeConfig({ fleetServer }: Stores, settings: ServerSettings): Promise<void> {
  const { listen, port, hasTls, publics, cluster } = settings;
  if (hasTls && fleetServer.read("certificate.pem") === null) {
    const names = new Set([
      "127.0.0.1",
      ...(listen === "0.0.0.0" || listen === "::" ? [] : [listen]),
      ...[...publics, ...(cluster?.routes ?? [])].map((each) => placeIn(each).listen),
      ...(cluster === null ? [] : [cluster.listen]),
    ]);
    const made = await makeCertificate([...names]);
    fleetServer.write("key.pem", made.key);
    fleetServer.write("certificate.pem", made.certificate);
  }
  for (const secret of ["keeper", "nodes"] as const)
    if (fleetServer.read(secret) === null) fleetServer.write(secret, randomHex(32));
  const users = fleetServer.users.read().rows.filter(isUser);
  const { paths } = fleetServer;
  fleetServer.write(
    "nats.conf",
    serverConfig({
      ...{ listen, port, users, storeFolder: paths.streams, storeBytes: limits.fleetStoreBytes },
      tls: hasTls ? { certificate: paths.certificate, key: paths.key } : null,
      keeper: { name: keeperName, password: fleetServer.read("keeper")! },
      cluster:
        cluster === null
          ? null
          : {
              ...{ node: cluster.node, listen: cluster.listen, port: cluster.port },
              ...{ others: cluster.routes, password: fleetServer.read("nodes")! },
            },
    }),
  );
}

/** How this machine itself reaches its server, with all rights. */
export function keeperAddress({ fleetServer }: Stores, { listen, port, hasTls }: ServerSettings): BusAddress {
  const near = listen === "0.0.0.0" ? "127.0.0.1" : listen === "::" ? "::1" : listen;
  return {
    servers: [`${hasTls ? "tls" : "nats"}://${bracketed(near)}:${port}`],
    user: { name: keeperName, password: fleetServer.read("keeper") ?? "" },
    ...(hasTls ? certificateOf({ fleetServer }) : {}),
    ...{ name: "hivemind fleet serve", inboxPrefix: "_INBOX.=keeper" },
  };
}

/** What a host must know to trust the server. */
export function certificateOf({ fleetServer }: Pick<Stores, "fleetServer">) {
  const authorities = fleetServer.read("certificate.pem");
  if (authorities === null)
    throw new HiveError("this server has no certificate", { hint: "hivemind fleet serve" });
  return { authorities, fingerprint: fingerprintOf(authorities) };
}

export function fingerprintOf(certificate: string): string {
  return new X509Certificate(certificate).fingerprint256.replaceAll(":", "").toLowerCase();
}

/** The name of no host: hosts are spelled without `=`, or with two digits behind it. */
const keeperName = "=keeper";

function isUser<Row extends { standing: string }>(row: Row): row is Row & { standing: Standing } {
  return (standings as readonly string[]).includes(row.standing);
}
