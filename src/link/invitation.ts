// What a host needs to join a fleet, as a file that goes from machine to machine. Pure.

import { HiveError } from "../base/errors.js";
import { type Host, hostName } from "../names/gates.js";
import { isServerUrl, isStanding, type Standing } from "../stores/link/fleet-join.js";

export interface Invitation {
  host: Host;
  servers: readonly string[];
  password: string;
  standing: Standing;
  /** PEM; without it the server has no TLS. */
  certificate?: string;
}

export function invitationText(invitation: Invitation): string {
  return `${JSON.stringify({ hivemindFleet: 1, ...invitation }, null, 2)}\n`;
}

/** Foreign text: every field is checked. */
export function readInvitation(text: string): Invitation {
  const found = fields(text);
  const { hivemindFleet, host, servers, password, certificate, standing = "member" } = found;
  if (hivemindFleet !== 1) throw refused("it is not an invitation of `hivemind fleet invite`");
  if (typeof host !== "string") throw refused("it names no host");
  if (!Array.isArray(servers) || servers.length === 0 || !servers.every(isServer))
    throw refused("it names no server");
  if (typeof password !== "string" || !/^[\w.-]{8,200}$/.test(password)) throw refused("it has no password");
  if (!isStanding(standing)) throw refused("this version does not know its standing");
  if (certificate !== undefined && !(typeof certificate === "string" && pemForm.test(certificate)))
    throw refused("its certificate is not PEM");
  const tls = certificate === undefined ? {} : { certificate };
  return { host: hostName(host), servers, password, standing, ...tls };
}

const pemForm = /^-----BEGIN CERTIFICATE-----\n[A-Za-z0-9+/=\n]+-----END CERTIFICATE-----\n?$/;

function isServer(value: unknown): value is string {
  return typeof value === "string" && isServerUrl(value);
}

function fields(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  } catch {
    // Said below.
  }
  throw refused("it is not an invitation of `hivemind fleet invite`");
}

function refused(why: string): HiveError {
  return new HiveError(`this file does not open a fleet: ${why}`, {
    hint: "hivemind fleet invite HOST makes one",
  });
}
