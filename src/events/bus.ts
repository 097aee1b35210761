// Tells the stores what happened.
//
// [BU1] An event is logged before the first handler sees it.
// [BU2] The handlers of an event run in their order, each awaited before the next.
// [BU3] A handler that fails is reported, and the others still run; so they do when the log fails.

import type { EventName, EventOf, HiveEvent } from "./event.js";

export interface Handler<Name extends EventName> {
  /** What it brings up to date, for the report: "S1". */
  store: string;
  run(event: EventOf<Name>): void | Promise<void>;
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
}

export interface BusParts {
  log(event: HiveEvent): void | Promise<void>;
  handlers: HandlerTable;
  report?(failure: Failure): void;
}

export function openBus({ log, handlers, report }: BusParts): Bus {
  async function emit(event: HiveEvent): Promise<readonly Failure[]> {
    const failures: Failure[] = [];
    const attempt = async (store: string, act: () => void | Promise<void>) => {
      try {
        await act();
      } catch (error) {
        const failure = { store, event, error };
        failures.push(failure);
        report?.(failure);
      }
    };
    await attempt("events", () => log(event));
    for (const { store, run } of handlersOf(handlers, event.name)) await attempt(store, () => run(event));
    return failures;
  }
  return { emit };
}

/** The table pairs each name with handlers of that very event, which the compiler cannot see through a union. */
function handlersOf(handlers: HandlerTable, name: EventName): readonly { store: string; run: AnyRun }[] {
  return (handlers[name] ?? []) as readonly { store: string; run: AnyRun }[];
}

type AnyRun = (event: HiveEvent) => void | Promise<void>;
