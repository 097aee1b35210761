// The open parts of one connection.

import type { JetStreamClient, JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";

export type Library = typeof import("./client.js");

export interface Nats {
  library: Library;
  connection: NatsConnection;
  jetstream: JetStreamClient;
  manager: JetStreamManager;
  inboxPrefix: string;
}
