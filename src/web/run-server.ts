// The web server as a running thing: `serve` and the demo open it. It prints nothing.

import { createServer as createPlain, type Server } from "node:http";
import { createServer as createTls } from "node:https";
import type { AddressInfo } from "node:net";
import { errorCode, HiveError } from "../base/errors.js";
import type { Hive } from "../hive/hive.js";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import { lastSteps } from "../stores/receipts.js";
import { type Allowed, inUrl, isLoopback, ownNames } from "./access.js";
import type { Endpoint } from "./endpoint.js";
import { LiveFleet } from "./live-fleet.js";
import { metricsText } from "./metrics.js";
import { openApiEndpoint } from "./openapi.js";
import { ownEndpoints } from "./own-endpoints.js";
import { PaneScreens } from "./pane-screens.js";
import { type App, addRoutes } from "./routes.js";
import { openPageFiles, pageFolder } from "./static-files.js";
import { openTokens } from "./tokens.js";
import { openTurnstile } from "./turnstile.js";

export interface WebServerOptions {
  hive: Hive;
  release: string;
  /** Besides those of the server itself. */
  endpoints: readonly Endpoint[];
  /** An address and a port; port 0 is any free one. */
  listen: { host: string; port: number };
  /** Further names by which it is called. */
  names?: readonly string[];
  tls?: { cert: Buffer; key: Buffer } | null;
  isBehindProxy?: boolean;
  allowed: Allowed;
  /** A token that never ends. */
  lastingToken?: string | null;
  metricsToken?: string | null;
  /** Somebody typed into a pane; `source` is who. */
  onTyped?(pane: PaneId, source: string): void;
  /** For errors that are bugs. */
  onBug(error: unknown): void;
}

export interface WebServer {
  /** `http://127.0.0.1:7433/` */
  url: string;
  /** The address with a secret that opens the page once. */
  newLink(): string;
  close(): Promise<void>;
}

export async function openWebServer(options: WebServerOptions): Promise<WebServer> {
  const { hive, listen, names = [], tls = null, isBehindProxy = false, allowed, onBug } = options;
  const { app, made } = await boundedServer(tls);
  const port = await listening(made, listen);
  const fleet = new LiveFleet(hive, onBug);
  const screens = new PaneScreens(hive, (pane) => fleet.isBusy(pane));
  const running = new Map<AbortController, Promise<unknown>>();
  const { serve } = hive.stores;
  const streams = openTurnstile(limits.webStreams, limits.webStreamsPerToken);
  const onTyped = (pane: PaneId, source: string) => {
    screens.touch(pane);
    options.onTyped?.(pane, source);
  };
  const own = ownEndpoints({ hive, release: options.release, allowed, onTyped });
  const described = [...own, ...options.endpoints];
  addRoutes(app, {
    endpoints: [...described, openApiEndpoint(described, options.release)],
    names: ownNames({ host: listen.host, port, isTls: tls !== null, isBehindProxy }, names),
    allowed,
    isBehindProxy,
    tokens: openTokens({ lasting: options.lastingToken ?? null, isInUse: streams.isInside }),
    takeLink: serve.takeLink,
    page: openPageFiles(pageFolder()),
    requests: openTurnstile(limits.webRequests, limits.webRequestsPerToken),
    streams,
    watchFleet: (sink) => fleet.watch(sink),
    watchPane: (pane, sink) => screens.watch(pane, sink),
    metrics: options.metricsToken == null ? null : { token: options.metricsToken, text: measuring(hive) },
    onActed: () => fleet.lookAtOnce(),
    onBug,
    async whileOpen(work) {
      const interruption = new AbortController();
      const done = work(interruption);
      running.set(interruption, done);
      return done.finally(() => running.delete(interruption));
    },
  });
  const url = urlOf(options, port);
  try {
    serve.announce(url);
  } catch (error) {
    made.close();
    throw error;
  }
  return {
    url,
    newLink: () => `${url}#secret=${serve.newLink()}`,
    async close() {
      for (const interruption of running.keys()) interruption.abort();
      serve.withdraw();
      const closed = new Promise((resolve) => made.close(resolve));
      screens.close();
      await fleet.close();
      made.closeIdleConnections();
      await Promise.race([Promise.allSettled(running.values()), afterMs(limits.webEndMs)]);
      made.closeAllConnections();
      await closed;
    },
  };
}

async function boundedServer(tls: WebServerOptions["tls"]): Promise<{ app: App; made: Server }> {
  const { createAdaptorServer, Hono } = await import("./http.js");
  const app: App = new Hono();
  const bounds = {
    maxHeaderSize: limits.webHeaderBytes,
    headersTimeout: limits.webHeaderMs,
    requestTimeout: limits.webRequestMs,
    keepAliveTimeout: limits.webKeepAliveMs,
    connectionsCheckingInterval: limits.webCheckMs,
  };
  const made = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    ...(tls == null
      ? { createServer: createPlain, serverOptions: bounds }
      : { createServer: createTls, serverOptions: { ...bounds, ...tls } }),
  }) as Server;
  made.maxConnections = limits.webConnections;
  return { app, made };
}

function listening(server: Server, { host, port }: WebServerOptions["listen"]): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => reject(notOpened(error, host, port)));
    server.listen({ host, port }, () => resolve((server.address() as AddressInfo).port));
  });
}

function notOpened(error: Error, host: string, port: number): Error {
  const code = errorCode(error);
  const at = `${inUrl(host)}:${port}`;
  switch (code) {
    case "EADDRINUSE":
      return new HiveError(`another program uses ${at}`, {
        hint: "choose another port, or any free one: hivemind serve --port 0",
      });
    case "EACCES":
      return new HiveError(`this user may not open ${at}`, {
        hint: "ports below 1024 belong to root: hivemind serve --port 7433",
      });
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return new HiveError(`this host has no address ${host}`, { hint: "hivemind serve --listen 127.0.0.1" });
    default:
      return error;
  }
}

/** The address that a person opens. A server for every address of the host is opened by its name, or on the host itself. */
function urlOf({ listen, names = [], tls, isBehindProxy }: WebServerOptions, port: number): string {
  const scheme = tls ? "https" : isBehindProxy && names.length > 0 ? "https" : "http";
  const isEvery = listen.host === "0.0.0.0" || listen.host === "::";
  const [name] = names;
  if (name !== undefined && (isBehindProxy || !isLoopback(listen.host)))
    return `${scheme}://${isBehindProxy || /:\d+$/.test(name) ? name : `${name}:${port}`}/`;
  return `${scheme}://${isEvery ? "127.0.0.1" : inUrl(listen.host)}:${port}/`;
}

/** Several who ask share one look. */
function measuring(hive: Hive): () => Promise<string> {
  let [askedMs, asked]: [number, Promise<string> | null] = [Number.NEGATIVE_INFINITY, null];
  const measure = async () => {
    const fleet = await hive.viewFleet();
    const steps = [...lastSteps(hive.stores.receipts.read().rows).values()].map(({ step }) => step);
    return metricsText({ fleet, steps, nowMs: Date.now() });
  };
  return () => {
    if (asked === null || performance.now() - askedMs > limits.metricsAgeMs) {
      askedMs = performance.now();
      asked = measure();
      asked.catch(() => (asked = null));
    }
    return asked;
  };
}

function afterMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
