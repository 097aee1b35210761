// What an event says to the fleet. Every host reads the stream of events, and nobody can take back what is in it, so
// this does not ask what the host allows. Pure.
//
// [PE1] Of an event, names, ids, causes and times leave the host: no command, no words that somebody wrote, and of a
//       folder only its name.

import { basename } from "node:path";
import type { EventName, EventOf, HiveEvent } from "../events/event.js";

/** The same event without what stays here. It can still be read as that event. */
export function publicEvent(event: HiveEvent): HiveEvent {
  const leave = leaves[event.name] as (each: HiveEvent) => HiveEvent;
  return leave(event);
}

const whole = <Event extends HiveEvent>(event: Event): Event => event;

/** A new event is decided here too. */
const leaves: { readonly [Name in EventName]: (event: EventOf<Name>) => EventOf<Name> } = {
  "agent.spawned": whole,
  "agent.killed": whole,
  "agent.forgotten": whole,
  "agent.renamed": whole,
  "agent.forked": whole,
  "panes.shifted": whole,
  "panes.swapped": whole,
  "pane.moved": whole,
  "team.created": (event) => ({ ...event, description: "" }),
  "team.destroyed": whole,
  "team.restored": whole,
  "session.changed": whole,
  "session.dropped": whole,
  "session.forked": whole,
  "session.rebound": (event) => ({
    ...event,
    from: event.from === null ? null : basename(event.from),
    to: basename(event.to),
  }),
  "team.renamed": whole,
  "request.decided": (event) => ({ ...event, what: "" }),
  // Options and arguments as somebody typed them.
  "web.acted": (event) => ({ ...event, what: null }),
  "far.acted": (event) => ({ ...event, what: null }),
};
