// The names of everything that a fleet keeps on its server: buckets, streams, objects and subjects. Pure.
//
// [FW1] A name is one word of a subject or key, and comes back from it: no name reaches beyond its place.

import { limits } from "../limits.js";
import type { BucketForm, ObjectsForm, StreamForm } from "../nats/bus.js";

export const buckets = {
  hosts: "hive-hosts",
  agents: "hive-agents",
  claims: "hive-claims",
  teams: "hive-teams",
} as const;

export const streams = {
  events: "hive-events",
  mail: "hive-mail",
  fates: "hive-fates",
  copies: "hive-copies",
} as const;

export const objects = { boxes: "hive-boxes" } as const;

/** In the place of a name: all of them. A name that is `*` itself is spelled out. */
export const anyOf: unique symbol = Symbol("*");
export type Name = string | typeof anyOf;

/** `to` and `from` are hosts. The server lets a host publish only where `from` or `host` is its own name. */
export const subjects = {
  event: (host: Name, name: Name) => `hive.event.${word(host)}.${word(name)}`,
  mail: (to: Name, from: Name) => `hive.mail.${word(to)}.${word(from)}`,
  /** `to` is the host whose mail it was. */
  fate: (to: Name, from: Name) => `hive.fate.${word(to)}.${word(from)}`,
  ask: (to: Name, from: Name) => `hive.ask.${word(to)}.${word(from)}`,
  act: (to: Name, from: Name) => `hive.act.${word(to)}.${word(from)}`,
  copy: (host: Name, session: Name) => `hive.copy.${word(host)}.${word(session)}`,
} as const;

/** The consumers of a host. The server lets nobody else use them. */
export const consumers = {
  mail: (host: string) => `mail-${word(host)}`,
  fates: (host: string) => `fates-${word(host)}`,
} as const;

/** Answers to a host come below this subject, and only that host may read there. */
export function inboxOf(host: string): string {
  return `_INBOX.${word(host)}`;
}

/** A host, agent, team or session as one word. */
export function word(name: Name): string {
  if (name === anyOf) return "*";
  const bytes = [...Buffer.from(name, "utf8")];
  const spelled = bytes.map((byte) => {
    const letter = String.fromCharCode(byte);
    return plain.test(letter) ? letter : `=${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  });
  return spelled.join("") || "=";
}

/** Null for a word that `word` does not make. */
export function unword(text: string): string | null {
  if (text === "=") return "";
  if (!/^(?:[A-Za-z0-9_-]|=[0-9A-F]{2})+$/.test(text)) return null;
  const hex = text.replaceAll(/=(..)|(.)/g, (_, code, letter) => code ?? letter.charCodeAt(0).toString(16));
  const name = Buffer.from(hex, "hex").toString("utf8");
  return word(name) === text ? name : null;
}

/** The one character beside letters, digits, `-` and `_` that a key may have and we need is `=`. */
const plain = /^[A-Za-z0-9_-]$/;

/** What a fleet needs on its server. A full log forgets its oldest; a full queue of mail refuses new mail. */
export function fleetForms(replicas: number): {
  buckets: BucketForm[];
  streams: StreamForm[];
  objects: ObjectsForm[];
} {
  const log = { keeps: "log", replicas } as const;
  const maxAgeMs = limits.mailAgeMs;
  return {
    buckets: [
      { name: buckets.hosts, ttlMs: limits.leaseGoneMs, replicas },
      { name: buckets.agents, replicas },
      { name: buckets.claims, replicas },
      { name: buckets.teams, replicas },
    ],
    streams: [
      {
        ...{ name: streams.events, subjects: ["hive.event.>"], ...log },
        ...{ maxBytes: limits.fleetEventBytes, maxAgeMs: limits.fleetEventAgeMs },
      },
      {
        ...{ name: streams.mail, subjects: ["hive.mail.>"], keeps: "work", replicas },
        ...{ maxBytes: limits.mailBytes, maxAgeMs },
      },
      { name: streams.fates, subjects: ["hive.fate.>"], ...log, maxBytes: limits.fateBytes, maxAgeMs },
      {
        ...{ name: streams.copies, subjects: ["hive.copy.>"], ...log },
        ...{ maxBytes: limits.copyBytes, maxAgeMs: limits.copyAgeMs },
      },
    ],
    objects: [{ name: objects.boxes, ttlMs: limits.boxAgeMs, maxBytes: limits.boxesBytes, replicas }],
  };
}
