// Who may ask what, by the headers of a request alone. Pure.
//
// [WA1] Only a request to one of the server's own names is answered: a foreign name that leads here (DNS rebinding) is not.
// [WA2] A page of another origin reaches nothing: a foreign Origin, or a Sec-Fetch-Site of another site, is refused. A
//       person may still follow a link to the page itself, which holds no secret.
// [WA3] A POST is JSON, which no form of a foreign page can send.
// [WA4] A read-only server acts for nobody, and typing needs its own permission.

import type { Need } from "./endpoint.js";

/** What the headers say; undefined without the header. */
export interface Asked {
  method: string;
  path: string;
  host: string | undefined;
  origin: string | undefined;
  fetchSite: string | undefined;
  fetchMode: string | undefined;
  fetchDest: string | undefined;
  contentType: string | undefined;
}

export interface OwnNames {
  /** As a Host header spells them, in small letters: `127.0.0.1:7433`. */
  hosts: ReadonlySet<string>;
  /** `http://127.0.0.1:7433` */
  origins: ReadonlySet<string>;
}

export interface Allowed {
  actions: boolean;
  typing: boolean;
}

export interface Refusal {
  status: 401 | 403 | 404 | 405 | 413 | 415 | 421 | 429 | 503;
  message: string;
  hint: string | null;
}

export function refusal(asked: Asked, own: OwnNames): Refusal | null {
  const host = asked.host?.toLowerCase();
  if (host === undefined || !own.hosts.has(host))
    return refuse(421, "this server does not answer to that name", `start it with --host ${nameIn(host)}`);
  if (asked.origin !== undefined && !own.origins.has(asked.origin.toLowerCase()))
    return refuse(403, "another page may not use this server");
  if (isFromElsewhere(asked) && !isVisit(asked)) return refuse(403, "another page may not use this server");
  if (asked.method === "POST" && !/^application\/json\s*(?:;|$)/i.test(asked.contentType ?? ""))
    return refuse(415, "the body must be JSON", "content-type: application/json");
  return null;
}

export function needRefusal(need: Need, { actions, typing }: Allowed): Refusal | null {
  if (need !== "look" && !actions)
    return refuse(403, "this server only looks", "start it again with --allow-actions");
  if (need === "type" && !typing)
    return refuse(403, "this server does not type", "start it again with --allow-actions --allow-typing");
  return null;
}

/** The token of `Authorization: Bearer TOKEN`; null without one. */
export function bearerOf(authorization: string | undefined): string | null {
  return /^Bearer ([\w.~+/=-]{1,512})$/i.exec(authorization ?? "")?.[1] ?? null;
}

/** The names by which this server may be called. `names` are those that a person gave it, with a port or without. */
export function ownNames(
  { host, port, isTls, isBehindProxy }: Listening,
  names: readonly string[],
): OwnNames {
  const usual = isTls ? 443 : 80;
  const withPort = (name: string) => [`${name}:${port}`, ...(port === usual ? [name] : [])];
  const loopback = ["127.0.0.1", "localhost", "[::1]"].flatMap(withPort);
  const given = names
    .map((name) => name.toLowerCase())
    .flatMap((name) => [name, ...(hasPort(name) ? [] : withPort(name))]);
  const hosts = [...loopback, ...withPort(inUrl(host).toLowerCase()), ...given];
  // A proxy may speak TLS for this server.
  const schemes = isTls ? ["https"] : isBehindProxy ? ["http", "https"] : ["http"];
  return {
    hosts: new Set(hosts),
    origins: new Set(hosts.flatMap((each) => schemes.map((scheme) => `${scheme}://${each}`))),
  };
}

export interface Listening {
  /** An address: `127.0.0.1`, `::1`. */
  host: string;
  port: number;
  isTls: boolean;
  isBehindProxy: boolean;
}

/** `[::1]`: as an address stands in a URL. */
export function inUrl(host: string): string {
  return host.includes(":") ? `[${host}]` : host;
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function hasPort(name: string): boolean {
  return /:\d+$/.test(name);
}

/** Another port of this host is another origin, although browsers call it the same site. */
function isFromElsewhere({ fetchSite }: Asked): boolean {
  return fetchSite === "cross-site" || fetchSite === "same-site";
}

/** A person follows a link: the whole window shows the page. */
function isVisit({ method, path, fetchMode, fetchDest }: Asked): boolean {
  return method === "GET" && path === "/" && fetchMode === "navigate" && fetchDest === "document";
}

function nameIn(host: string | undefined): string {
  return /^[\w.-]{1,100}(?::\d{1,5})?$/.test(host ?? "") ? host! : "NAME";
}

export function refuse(status: Refusal["status"], message: string, hint: string | null = null): Refusal {
  return { status, message, hint };
}
