import { describe, expect, test } from "vitest";
import type { PaneAddress, TeamName } from "../names/gates.js";
import { type BusParts, emitAll, type HandlerTable } from "./bus.js";
import type { HiveEvent } from "./event.js";

const event: HiveEvent = { name: "team.destroyed", team: "a" as TeamName };
const soon = () => new Promise<void>((resolve) => setImmediate(resolve));

function watch(failing: string[] = []) {
  const seen: string[] = [];
  const act = async (what: string) => {
    seen.push(`${what} begins`);
    await soon();
    if (failing.includes(what)) throw new Error(`${what} broke`);
    seen.push(`${what} ends`);
  };
  const handlers: HandlerTable = {
    "team.destroyed": [
      { store: "S3", run: ({ team }) => act(`S3 ${team}`) },
      { store: "S8", run: () => act("S8") },
    ],
    "team.renamed": [{ store: "S1", run: () => act("S1") }],
  };
  const bus: BusParts = { log: () => act("log"), handlers };
  return { bus, seen };
}

describe("the bus", () => {
  test("[BU1] logs an event before its handlers run", async () => {
    const { bus, seen } = watch();
    expect(await emitAll(bus, [event])).toEqual([]);
    expect(seen.slice(0, 3)).toEqual(["log begins", "log ends", "S3 a begins"]);
  });

  test("[BU2] runs the handlers of that event in order, one after the other", async () => {
    const { bus, seen } = watch();
    await emitAll(bus, [event]);
    expect(seen.slice(2)).toEqual(["S3 a begins", "S3 a ends", "S8 begins", "S8 ends"]);
  });

  test.each([
    [["S3 a"], ["S3"], "S8 ends"],
    [["log"], ["events"], "S8 ends"],
    [["log", "S3 a", "S8"], ["events", "S3", "S8"], "S8 begins"],
  ])("[BU3] reports a failure (%j) and continues", async (failing, stores, last) => {
    const { bus, seen } = watch(failing);
    const failures = await emitAll(bus, [event]);
    expect(failures.map(({ store }) => store)).toEqual(stores);
    expect(failures.every((failure) => failure.event === event && failure.error instanceof Error)).toBe(true);
    expect(seen.at(-1)).toBe(last);
  });

  test("[BU3] runs nothing after a failed handler that others build on", async () => {
    const seen: string[] = [];
    const act = (what: string) => void seen.push(what);
    const bus: BusParts = {
      log: ([first]) => act(first!.name),
      handlers: {
        "team.destroyed": [
          { store: "S1", run: () => Promise.reject(new Error("not built on")) },
          { store: "S2", isBuiltOn: true, run: () => act("S2") },
          { store: "S3", isBuiltOn: true, run: () => Promise.reject(new Error("full")) },
          { store: "mark", run: () => act("mark") },
        ],
      },
    };
    const failures = await emitAll(bus, [event, { name: "agent.killed", pane: "a:0.1" }]);
    expect(failures.map(({ store }) => store)).toEqual(["S1", "S3"]);
    expect(seen).toEqual(["team.destroyed", "S2"]);
  });

  test("[BU4] logs neighbours without handlers at once, and keeps the order of all others", async () => {
    const seen: string[] = [];
    const bus: BusParts = {
      log: (events) => void seen.push(`log ${events.length}`),
      handlers: { "team.destroyed": [{ store: "S3", run: ({ team }) => void seen.push(team) }] },
    };
    const gone = (pane: PaneAddress): HiveEvent => ({ name: "agent.killed", pane });
    await emitAll(bus, [gone("a:0.1"), event, event, gone("a:0.2"), gone("a:0.3")]);
    expect(seen).toEqual(["log 1", "log 1", "a", "log 1", "a", "log 2"]);
  });

  test("only logs an event without handlers", async () => {
    const { bus, seen } = watch();
    await emitAll(bus, [{ name: "agent.killed", pane: "a:0.1" }]);
    expect(seen).toEqual(["log begins", "log ends"]);
  });
});
