// Passes events to the handlers that update the stores.
//
// [BU1] An event is logged before its first handler runs.
// [BU2] The handlers of an event run in order, each awaited before the next.
// [BU3] A failed handler, or a failed log, is reported, and the other handlers still run. But if later handlers and
//       events depend on the failed one (isBuiltOn), everything after it is skipped, as if the process had died.
// [BU4] Consecutive events of one name without handlers are logged in one call.

import type { EventName, EventOf, HiveEvent } from "./event.js";

export interface Handler<Name extends EventName> {
  /** The store that it updates, for the report: "S1". */
  store: string;
  run(event: EventOf<Name>): void | Promise<void>;
  /** Everything after it, of this event and the next ones, may run only if it succeeded. */
  isBuiltOn?: boolean;
}

export type HandlerTable = { readonly [Name in EventName]?: readonly Handler<Name>[] };

export interface Failure {
  store: string;
  event: HiveEvent;
  error: unknown;
}

export interface BusParts {
  log(events: readonly HiveEvent[]): void | Promise<void>;
  handlers: HandlerTable;
}

/** Resolves with the failures; empty if all went well. */
export async function emitAll(
  { log, handlers }: BusParts,
  events: readonly HiveEvent[],
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  const isDone = async (store: string, event: HiveEvent, act: () => void | Promise<void>) => {
    try {
      await act();
      return true;
    } catch (error) {
      failures.push({ store, event, error });
      return false;
    }
  };
  for (const group of together(events, handlers)) {
    const [event] = group;
    await isDone("events", event, () => log(group));
    for (const { store, run, isBuiltOn } of handlersOf(handlers, event))
      if (!(await isDone(store, event, () => run(event))) && isBuiltOn) return failures;
  }
  return failures;
}

type Group = [HiveEvent, ...HiveEvent[]];

function together(events: readonly HiveEvent[], handlers: HandlerTable): Group[] {
  const groups: Group[] = [];
  for (const event of events) {
    const last = groups.at(-1);
    const isHandled = handlersOf(handlers, event).length > 0;
    if (last?.[0].name === event.name && !isHandled) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

/** The table pairs each name with handlers of that event, which the compiler cannot see through a union. */
function handlersOf(handlers: HandlerTable, { name }: HiveEvent): readonly Handler<EventName>[] {
  return (handlers[name] ?? []) as unknown as readonly Handler<EventName>[];
}
