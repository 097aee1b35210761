// Tells the stores what happened.
//
// [BU1] An event is logged before the first handler sees it.
// [BU2] The handlers of an event run in their order, each awaited before the next.
// [BU3] A handler that fails is reported, and the others still run; so they do when the log fails. But where the stores
//       behind build on it, none of these is brought up to date; and where the events behind it do too, it is as if this
//       process had been killed there.
//       A handler that changes tmux is left out after one that failed: what is said to be unchanged is unchanged.
// [BU4] Events of one name that come together are logged at once, and handled at once by a handler that can.

import type { EventName, EventOf, HiveEvent } from "./event.js";

export interface Handler<Name extends EventName> {
  /** What it brings up to date, for the report: "S1". */
  store: string;
  run(event: EventOf<Name>): void | Promise<void>;
  /** What may only be run when it was done: the rest of its event, or the events behind that as well. */
  ends?: "event" | "all";
  /** It changes tmux, and is left out where a store before it could not be written. */
  needsStores?: boolean;
  /** Several at once: one by one each would read and write the whole store. */
  runAll?(events: readonly EventOf<Name>[]): void | Promise<void>;
}

export type HandlerTable = { readonly [Name in EventName]?: readonly Handler<Name>[] };

export interface Failure {
  store: string;
  event: HiveEvent;
  error: unknown;
}

export interface Bus {
  /** Resolves with what failed: nothing, if all is well. */
  emit(event: HiveEvent): Promise<readonly Failure[]>;
  emitAll(events: readonly HiveEvent[]): Promise<readonly Failure[]>;
}

export interface BusParts {
  log(events: readonly HiveEvent[]): void | Promise<void>;
  handlers: HandlerTable;
  report?(failure: Failure): void;
}

export function openBus({ log, handlers, report }: BusParts): Bus {
  async function emitAll(events: readonly HiveEvent[]): Promise<readonly Failure[]> {
    const failures: Failure[] = [];
    const isDone = async (store: string, event: HiveEvent, act: () => void | Promise<void>) => {
      try {
        await act();
        return true;
      } catch (error) {
        const failure = { store, event, error };
        failures.push(failure);
        report?.(failure);
        return false;
      }
    };
    for (const group of together(events, handlers)) {
      const [first] = group;
      await isDone("events", first, () => log(group));
      let isWritten = true;
      for (const { store, run, runAll, ends, needsStores } of handlersOf(handlers, first.name)) {
        if (needsStores === true && !isWritten) continue;
        const act = () => (group.length > 1 ? runAll!(group) : run(first));
        if (await isDone(store, first, act)) continue;
        isWritten = false;
        if (ends === "all") return failures;
        if (ends === "event") break;
      }
    }
    return failures;
  }
  return { emit: (event) => emitAll([event]), emitAll };
}

type Group = [HiveEvent, ...HiveEvent[]];

/** Neighbours of one name, where every handler of it takes several; every other event stands alone. */
function together(events: readonly HiveEvent[], handlers: HandlerTable): Group[] {
  const groups: Group[] = [];
  for (const event of events) {
    const last = groups.at(-1);
    const canJoin = handlersOf(handlers, event.name).every(({ runAll }) => runAll !== undefined);
    if (last !== undefined && last[0].name === event.name && canJoin) last.push(event);
    else groups.push([event]);
  }
  return groups;
}

/** The table pairs each name with handlers of that very event, which the compiler cannot see through a union. */
function handlersOf(handlers: HandlerTable, name: EventName): readonly AnyHandler[] {
  return (handlers[name] ?? []) as readonly AnyHandler[];
}

interface AnyHandler {
  store: string;
  run(event: HiveEvent): void | Promise<void>;
  ends?: "event" | "all";
  needsStores?: boolean;
  runAll?(events: readonly HiveEvent[]): void | Promise<void>;
}
