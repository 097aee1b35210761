// The events that were logged since the last look.

import { formatArguments, type HiveEvent } from "../events/event.js";
import type { Place } from "../stores/file/append-file.js";
import type { Stores } from "../stores/stores.js";

export interface NewEvents {
  /** Those that were not read yet. */
  read(): HiveEvent[];
  /** Without our own: an event counts as ours as often as we logged the same since the last call. */
  byOthers(events: readonly HiveEvent[]): HiveEvent[];
}

export function openNewEvents(log: Stores["events"]): NewEvents {
  let place: Place = log.end();
  const own: string[] = [];
  log.onLogged((events) => void own.push(...events.map(textOf)));
  return {
    read() {
      const { rows, next } = log.readFrom(place);
      place = next;
      return rows.map(({ event }) => event);
    },
    byOthers(events) {
      const ours = own.splice(0);
      return events.filter((event) => {
        const at = ours.indexOf(textOf(event));
        if (at !== -1) ours.splice(at, 1);
        return at === -1;
      });
    },
  };
}

/** As the log spells it: the form in which two events are compared. */
function textOf(event: HiveEvent): string {
  return `${event.name} ${formatArguments(event)}`;
}
