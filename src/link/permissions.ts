// What the server lets the user of a host do. Pure.
//
// [FP1] A host publishes only under its own name: rows, events, mail, fates, questions and copies. Claims and boxes are
// the exceptions: all members write there.
// [FP2] A host reads only its own mail, its own fates, and answers to itself.
// [FP3] No host makes, changes, empties or removes a stream.
//
// The server does not check where a consumer delivers to. So a host can let the server publish stored messages to any
// subject, but only with the subject under which they were stored. Whoever receives a message judges it by that subject.

import type { Standing } from "../stores/link/fleet-join.js";
import { anyOf, buckets, consumers, inboxOf, objects, streams, subjects, word } from "./subjects.js";

export interface Permissions {
  publish: readonly string[];
  subscribe: readonly string[];
}

export function permissionsOf(host: string, standing: Standing): Permissions {
  const reads = [buckets.hosts, buckets.agents, buckets.claims].map((name) => `KV_${name}`);
  const inbox = `${inboxOf(host)}.>`;
  if (standing === "reader")
    return {
      publish: [...apiBasics, ...reading([...reads, streams.events]), subjects.ask(anyOf, host)],
      subscribe: [inbox],
    };
  const all = [...reads, `KV_${buckets.teams}`, streams.events, streams.copies, `OBJ_${objects.boxes}`];
  return {
    publish: [
      ...apiBasics,
      ...reading(all),
      ...working(streams.mail, consumers.mail(host), subjects.mail(host, anyOf)),
      ...working(streams.fates, consumers.fates(host), subjects.fate(host, anyOf)),
      ...ownPlaces(host),
      ...(standing === "quiet" ? [] : [subjects.act(anyOf, host)]),
    ],
    subscribe: [inbox, subjects.ask(host, anyOf), subjects.act(host, anyOf)],
  };
}

/** A user in the words of the server's configuration. */
export function permissionText({ publish, subscribe }: Permissions): string {
  const list = (all: readonly string[]) => all.map((each) => JSON.stringify(each)).join(", ");
  // An answer goes to the inbox that the question names, in as many pieces as it needs.
  const responses = `allow_responses: { max: 100000, expires: "10m" }`;
  return `{ publish: { allow: [${list(publish)}] }, subscribe: { allow: [${list(subscribe)}] }, ${responses} }`;
}

const apiBasics = ["$JS.API.INFO", "$JS.API.STREAM.NAMES"];

/** Everything in a stream, with consumers that nobody keeps. */
function reading(names: readonly string[]): string[] {
  return names.flatMap((name) => [
    `$JS.API.STREAM.INFO.${name}`,
    `$JS.API.STREAM.MSG.GET.${name}`,
    `$JS.API.CONSUMER.CREATE.${name}.>`,
    `$JS.API.CONSUMER.INFO.${name}.*`,
    `$JS.API.CONSUMER.MSG.NEXT.${name}.*`,
    `$JS.API.CONSUMER.DELETE.${name}.*`,
    `$JS.ACK.${name}.>`,
    `$JS.FC.${name}.>`,
  ]);
}

/** One consumer with one filter: the server compares both with the subject of the request. */
function working(stream: string, consumer: string, filter: string): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${consumer}.${filter}`,
    `$JS.API.CONSUMER.INFO.${stream}.${consumer}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${consumer}`,
    `$JS.ACK.${stream}.${consumer}.>`,
  ];
}

function ownPlaces(host: string): string[] {
  const own = word(host);
  return [
    `$KV.${buckets.hosts}.${own}`,
    `$KV.${buckets.agents}.${own}.>`,
    `$KV.${buckets.teams}.${own}.>`,
    `$KV.${buckets.claims}.*`,
    subjects.event(host, anyOf),
    subjects.mail(anyOf, host),
    subjects.fate(anyOf, host),
    subjects.ask(anyOf, host),
    subjects.copy(host, anyOf),
    `$O.${objects.boxes}.C.*`,
    `$O.${objects.boxes}.M.*`,
  ];
}
