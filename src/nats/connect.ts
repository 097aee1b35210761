// Opens a connection to a NATS server. The client library loads here and nowhere else.

import { createHash } from "node:crypto";
import { limits } from "../limits.js";
import { openBucket } from "./bucket.js";
import type { Bus, BusAddress } from "./bus.js";
import { orNatsError } from "./failure.js";
import { makeAll } from "./make.js";
import { openObjects } from "./objects.js";
import type { Library, Nats } from "./parts.js";
import { openQuestions } from "./questions.js";
import { openStreams, streamFacts } from "./streams.js";

/** Throws if no server answers in time. A connection that was open once comes back by itself, for ever. */
export async function connectBus(address: BusAddress): Promise<Bus> {
  const library: Library = await import("./client.js");
  const connection = await connected(library, address);
  const jetstream = library.jetstream(connection, { timeout: limits.natsAnswerMs });
  const manager = await orNatsError(() =>
    library.jetstreamManager(connection, { timeout: limits.natsAnswerMs, checkAPI: false }),
  );
  const nats: Nats = { library, connection, jetstream, manager, inboxPrefix: address.inboxPrefix };
  const listeners = new Set<(isConnected: boolean) => void>();
  let isConnected = true;
  const tell = (now: boolean) => {
    if (now === isConnected) return;
    isConnected = now;
    for (const listener of listeners) listener(now);
  };
  void followStatus(nats, tell);
  void connection.closed().then(() => tell(false));
  return {
    serverVersion: connection.info?.version ?? "unknown",
    isConnected: () => isConnected,
    onConnected: (listener) => void listeners.add(listener),
    roundTrip: () => orNatsError(() => connection.rtt()),
    make: (wanted) => makeAll(nats, wanted),
    streamFacts: (name) => streamFacts(nats, name),
    bucket: (name) => openBucket(nats, name),
    ...openStreams(nats),
    ...openQuestions(nats),
    objects: (name) => openObjects(nats, name),
    async close() {
      // A drain waits for a server that may be gone.
      const drained = isConnected ? connection.drain() : connection.close();
      const late = new Promise<void>((resolve) => setTimeout(resolve, limits.natsCloseMs).unref());
      await Promise.race([drained.catch(() => {}), late]);
      await connection.close().catch(() => {});
    },
  };
}

async function connected(
  { connect, credsAuthenticator, usernamePasswordAuthenticator }: Library,
  address: BusAddress,
) {
  const { servers, user, credentials, name, inboxPrefix } = address;
  const authenticator =
    credentials !== undefined
      ? credsAuthenticator(credentials)
      : user === undefined
        ? undefined
        : usernamePasswordAuthenticator(user.name, user.password);
  const connection = await orNatsError(() =>
    connect({
      servers: [...servers],
      ...{ name, inboxPrefix, timeout: limits.natsConnectMs },
      ...(authenticator === undefined ? {} : { authenticator }),
      ...tlsFor(address),
      // The server may be away for days.
      maxReconnectAttempts: -1,
      // A node of a cluster may learn of a new password later than the others.
      ignoreAuthErrorAbort: true,
      reconnectTimeWait: limits.natsReconnectMs,
      pingInterval: limits.natsPingMs,
      maxPingOut: 2,
    }),
  );
  return connection;
}

/** A server that a person made has a certificate that nobody signed. Its fingerprint came with the invitation. */
function tlsFor({ servers, authorities, fingerprint }: BusAddress) {
  if (!servers.some((server) => server.startsWith("tls:")) && fingerprint === undefined) return {};
  const options = {
    ...(authorities === undefined ? {} : { ca: authorities }),
    ...(fingerprint === undefined
      ? {}
      : { checkServerIdentity: (_: string, { raw }: { raw: Buffer }) => differs(raw, fingerprint) }),
  };
  return { tls: options };
}

function differs(certificate: Buffer, fingerprint: string): Error | undefined {
  const found = createHash("sha256").update(certificate).digest("hex");
  return found === fingerprint.toLowerCase()
    ? undefined
    : new Error(`the server has another certificate: its fingerprint is ${found}`);
}

async function followStatus({ connection }: Nats, tell: (isConnected: boolean) => void): Promise<void> {
  for await (const { type } of connection.status()) {
    if (type === "disconnect" || type === "staleConnection") tell(false);
    if (type === "reconnect") tell(true);
  }
}
