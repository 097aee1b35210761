// Which request goes where. Every request passes the same gates in the same order: its headers, its token, how much
// happens already, and what the server allows.

import type { IncomingMessage, ServerResponse } from "node:http";
import { isIP } from "node:net";
import { limits } from "../limits.js";
import type { PaneId } from "../names/gates.js";
import {
  type Allowed,
  bearerOf,
  needRefusal,
  type OwnNames,
  type Refusal,
  refusal,
  refuse,
} from "./access.js";
import { apiHeaders, errorAnswer, jsonAnswer, refusalAnswer, safeHeaders } from "./answers.js";
import { apiRoot, type LoginAnswer, type LoginRequest } from "./contract.js";
import type { Endpoint } from "./endpoint.js";
import type { Context, Hono } from "./http.js";
import { metricsType } from "./metrics.js";
import { paneIn } from "./own-endpoints.js";
import { type Body, isRefusal, readBody } from "./read-body.js";
import type { FileAnswer, PageFiles } from "./static-files.js";
import type { Sink } from "./stream-hub.js";
import type { Bearer, Tokens } from "./tokens.js";
import { isSameSecret } from "./tokens.js";
import type { Turnstile } from "./turnstile.js";

export type App = Hono<{ Bindings: Wire }>;

interface Wire {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

type Asking = Context<{ Bindings: Wire }>;

export interface RouteWorld {
  endpoints: readonly Endpoint[];
  names: OwnNames;
  allowed: Allowed;
  isBehindProxy: boolean;
  tokens: Tokens;
  takeLink(secret: string): boolean;
  page: PageFiles;
  requests: Turnstile;
  streams: Turnstile;
  watchFleet(sink: Sink): () => void;
  watchPane(pane: PaneId, sink: Sink): () => void;
  /** The metrics, and who may read them; null if nobody may. */
  metrics: { token: string; text(): Promise<string> } | null;
  /** A person changed something. */
  onActed(): void;
  onBug(error: unknown): void;
  /** Runs the work of a request, which the server interrupts when it ends. */
  whileOpen<T>(work: (interruption: AbortController) => Promise<T>): Promise<T>;
}

export function addRoutes(app: App, world: RouteWorld): void {
  const { names, page, onBug } = world;
  app.onError((error) => errorAnswer(error, onBug));
  app.use(async (c, next) => {
    const refused = refusal(askedBy(c), names) ?? methodRefusal(c);
    return refused === null ? next() : refusalAnswer(refused);
  });
  app.post(`${apiRoot}/login`, (c) => login(c, world));
  app.get(`${apiRoot}/stream`, (c) => stream(c, world, (sink) => world.watchFleet(sink)));
  app.get(`${apiRoot}/panes/:pane/stream`, (c) => {
    const pane = paneIn(c.req.param("pane"));
    return stream(c, world, (sink) => world.watchPane(pane, sink));
  });
  for (const endpoint of world.endpoints)
    app.on(endpoint.method, apiRoot + endpoint.path.replace(/\{(\w+)\}/g, ":$1"), (c) =>
      call(c, endpoint, world),
    );
  app.get("/metrics", (c) => metrics(c, world));
  app.notFound(async (c) => {
    const { path } = c.req;
    const methods = methodsOf(path, world.endpoints);
    if (methods.length > 0)
      return refusalAnswer(refuse(405, `${c.req.method} is not for ${path}`), { allow: methods.join(", ") });
    const accepts = c.req.header("accept-encoding") ?? "";
    const found = c.req.method === "POST" ? null : page.answer(path, accepts, c.req.header("if-none-match"));
    if (found !== null) return sendFile(c, await found);
    if (path === "/")
      return new Response(notBuilt, {
        status: 404,
        headers: { ...safeHeaders, "content-type": "text/plain" },
      });
    return refusalAnswer(refuse(404, "there is nothing at this address"));
  });
}

const notBuilt = "The page is not built. Type: npm run build\n";

/** Past the web's own Response, which would copy the bytes for each reader. */
function sendFile({ env: { outgoing }, req }: Asking, { status, headers, bytes }: FileAnswer): Response {
  outgoing.on("error", () => {});
  dropIfUnread(outgoing);
  outgoing.writeHead(status, headers);
  outgoing.end(req.method === "HEAD" ? null : bytes);
  return alreadySent();
}

/** What the adapter takes for: leave the response alone. */
function alreadySent(): Response {
  return new Response(null, { headers: { "x-hono-already-sent": "true" } });
}

async function login(c: Asking, world: RouteWorld): Promise<Response> {
  return bounded(world.requests, `login from ${addressOf(c, world)}`, c, async () => {
    const body = await readBody(c.env.incoming);
    if (isRefusal(body)) return refusalAnswer(body);
    const { secret } = body as Partial<Record<keyof LoginRequest, unknown>>;
    if (typeof secret !== "string" || !world.takeLink(secret)) return refusalAnswer(usedUp);
    const answer: LoginAnswer = { version: 1, token: world.tokens.issue() };
    return jsonAnswer(200, answer);
  });
}

async function call(c: Asking, endpoint: Endpoint, world: RouteWorld): Promise<Response> {
  const who = bearerIn(c, world);
  if (who === null) return refusalAnswer(noToken);
  const refused = needRefusal(endpoint.needs, world.allowed);
  if (refused !== null) return refusalAnswer(refused);
  return bounded(world.requests, who, c, async () => {
    const body = endpoint.method === "POST" ? await readBody(c.env.incoming) : {};
    if (isRefusal(body)) return refusalAnswer(body);
    const source = `web ${addressOf(c, world)}`;
    const parameters = new Map([...Object.entries(c.req.query()), ...Object.entries(c.req.param())]);
    try {
      return await world.whileOpen(async (interruption) => {
        // A reader that went away needs no answer. What a person asked for is done to its end.
        if (endpoint.needs === "look") c.env.outgoing.once("close", () => interruption.abort());
        const interrupted = interruption.signal;
        const { status, value } = await endpoint.run({ parameters, body: body as Body, source, interrupted });
        return jsonAnswer(status, value);
      });
    } catch (error) {
      return errorAnswer(error, world.onBug);
    } finally {
      if (endpoint.needs === "act") world.onActed();
    }
  });
}

async function stream(c: Asking, world: RouteWorld, watch: (sink: Sink) => () => void): Promise<Response> {
  const who = bearerIn(c, world);
  if (who === null) return refusalAnswer(noToken);
  const leave = world.streams.enter(who);
  if (leave === null) return refusalAnswer(tooManyStreams);
  const { outgoing } = c.env;
  // A reader may be gone before it is written to.
  outgoing.on("error", () => {});
  outgoing.writeHead(200, {
    ...apiHeaders,
    "content-type": "text/event-stream; charset=utf-8",
    // nginx would collect the events.
    "x-accel-buffering": "no",
  });
  outgoing.flushHeaders();
  const remove = watch(outgoing);
  outgoing.once("close", () => {
    remove();
    leave();
  });
  if (outgoing.destroyed) outgoing.emit("close");
  return alreadySent();
}

async function metrics(c: Asking, { metrics: measured }: RouteWorld): Promise<Response> {
  if (measured === null)
    return refusalAnswer(refuse(404, "no metrics", "start it with --metrics-token FILE"));
  const token = bearerOf(c.req.header("authorization"));
  if (token === null || !isSameSecret(token, measured.token))
    return refusalAnswer(refuse(401, "wrong token"));
  return new Response(await measured.text(), { headers: { ...apiHeaders, "content-type": metricsType } });
}

/** An answer counts until its reader has it: unread answers cost memory too. */
async function bounded(
  gate: Turnstile,
  who: string,
  { env: { outgoing } }: Asking,
  work: () => Promise<Response>,
): Promise<Response> {
  const leave = gate.enter(who);
  if (leave === null) return refusalAnswer(tooMuch);
  outgoing.once("close", leave);
  if (outgoing.destroyed) leave();
  return work().finally(() => dropIfUnread(outgoing));
}

function dropIfUnread(outgoing: ServerResponse): void {
  outgoing.setTimeout(limits.webUnreadMs, () => outgoing.destroy());
}

function bearerIn(c: Asking, { tokens }: RouteWorld): Bearer | null {
  const token = bearerOf(c.req.header("authorization"));
  return token === null ? null : tokens.bearerOf(token);
}

function askedBy(c: Asking) {
  const { headers } = c.env.incoming;
  const one = (name: string) => {
    const value = headers[name];
    return Array.isArray(value) ? value.join(",") : value;
  };
  return {
    method: c.req.method,
    path: c.req.path,
    host: headers.host,
    origin: headers.origin,
    fetchSite: one("sec-fetch-site"),
    fetchMode: one("sec-fetch-mode"),
    fetchDest: one("sec-fetch-dest"),
    contentType: headers["content-type"],
  };
}

function methodRefusal(c: Asking): Refusal | null {
  const isFine =
    ["GET", "POST"].includes(c.req.method) || (c.req.method === "HEAD" && !c.req.path.startsWith(apiRoot));
  return isFine ? null : refuse(405, `${c.req.method} is not answered here`);
}

/** Empty if there is nothing at this path. */
function methodsOf(path: string, endpoints: readonly Endpoint[]): string[] {
  const isAt = (place: string) => new RegExp(`^${apiRoot}${place.replace(/\{\w+\}/g, "[^/]+")}$`).test(path);
  return [...beside, ...endpoints].flatMap((each) => (isAt(each.path) ? each.method : []));
}

/** What is answered here and is no endpoint. */
const beside: readonly Pick<Endpoint, "method" | "path">[] = [
  { method: "POST", path: "/login" },
  { method: "GET", path: "/stream" },
  { method: "GET", path: "/panes/{pane}/stream" },
];

/** The client's address; behind a proxy the one that the proxy itself added. */
function addressOf(c: Asking, { isBehindProxy }: RouteWorld): string {
  const peer = c.env.incoming.socket.remoteAddress ?? "unknown";
  const told = isBehindProxy ? c.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  return (told !== undefined && isIP(told) > 0 ? told : peer).replace(/^::ffff:/, "");
}

const another = "for another link: hivemind serve link";
const noToken = refuse(401, "this page has no token, or its token has expired", another);
const usedUp = refuse(401, "this link was used already, or has expired", another);
const tooMuch = refuse(429, "too many requests at once", "try again in a second");
const tooManyStreams = refuse(429, "too many open streams", "close some of the open pages");
