// The configuration of a fleet's own NATS server, as text. Pure.

import type { Standing } from "../stores/link/fleet-join.js";
import { permissionsOf, permissionText } from "./permissions.js";
import { word } from "./subjects.js";

export interface ServerUser {
  host: string;
  password: string;
  standing: Standing;
}

export interface ServerWish {
  /** An address of this machine. */
  listen: string;
  port: number;
  /** Where the server keeps its streams. */
  storeFolder: string;
  storeBytes: number;
  /** Files in PEM; null without TLS. */
  tls: { certificate: string; key: string } | null;
  /** May do everything; only this machine has its password. */
  keeper: { name: string; password: string };
  users: readonly ServerUser[];
  /** The nodes of a cluster, this one among them; null for a single node. */
  cluster: ClusterWish | null;
}

export interface ClusterWish {
  node: string;
  listen: string;
  port: number;
  /** `ADDRESS:PORT` of the other nodes. */
  others: readonly string[];
  password: string;
}

export function serverConfig(wish: ServerWish): string {
  const { listen, port, storeFolder, storeBytes, tls, keeper, users, cluster } = wish;
  const quoted = (text: string) => JSON.stringify(text);
  const user = ({ host, password, standing }: ServerUser) =>
    `{ user: ${quoted(word(host))}, password: ${quoted(password)}, ` +
    `permissions: ${permissionText(permissionsOf(host, standing))} }`;
  return [
    "# Written by `hivemind fleet serve`, and again before every start.",
    `server_name: ${quoted(cluster?.node ?? "hive")}`,
    `listen: ${quoted(`${bracketed(listen)}:${port}`)}`,
    "max_payload: 1MB",
    ...(tls === null ? [] : [`tls { ${tlsFiles(tls)} }`]),
    `jetstream { store_dir: ${quoted(storeFolder)}, max_memory_store: 64MB, max_file_store: ${storeBytes} }`,
    ...(cluster === null ? [] : clusterText(cluster, tls)),
    "accounts {",
    "  HIVE: {",
    "    jetstream: enabled",
    "    users: [",
    `      { user: ${quoted(keeper.name)}, password: ${quoted(keeper.password)} }`,
    ...users.map((each) => `      ${user(each)}`),
    "    ]",
    "  }",
    "}",
    "",
  ].join("\n");
}

function clusterText({ listen, port, others, password }: ClusterWish, tls: ServerWish["tls"]): string[] {
  const routes = others.map((other) => JSON.stringify(`nats://node:${password}@${other}`));
  return [
    "cluster {",
    "  name: hive",
    `  listen: ${JSON.stringify(`${bracketed(listen)}:${port}`)}`,
    `  authorization { user: node, password: ${JSON.stringify(password)} }`,
    ...(tls === null
      ? []
      : [`  tls { ${tlsFiles(tls)}, ca_file: ${JSON.stringify(tls.certificate)}, verify: true }`]),
    `  routes: [${routes.join(", ")}]`,
    "}",
  ];
}

/** The nodes of a cluster share one certificate, and trust it alone. */
function tlsFiles({ certificate, key }: NonNullable<ServerWish["tls"]>): string {
  return `cert_file: ${JSON.stringify(certificate)}, key_file: ${JSON.stringify(key)}`;
}

function bracketed(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}
