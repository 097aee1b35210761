import { describe, expect, test } from "vitest";
import type { PaneAddress, TeamName } from "../names/gates.js";
import { type HandlerTable, openBus } from "./bus.js";
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
  const reported: unknown[] = [];
  const bus = openBus({ log: () => act("log"), handlers, report: ({ store }) => reported.push(store) });
  return { bus, seen, reported };
}

describe("the bus", () => {
  test("[BU1] logs an event before its handlers see it", async () => {
    const { bus, seen } = watch();
    expect(await bus.emit(event)).toEqual([]);
    expect(seen.slice(0, 3)).toEqual(["log begins", "log ends", "S3 a begins"]);
  });

  test("[BU2] runs the handlers of that event in order, one after the other", async () => {
    const { bus, seen } = watch();
    await bus.emit(event);
    expect(seen.slice(2)).toEqual(["S3 a begins", "S3 a ends", "S8 begins", "S8 ends"]);
  });

  test.each([
    [["S3 a"], ["S3"], "S8 ends"],
    [["log"], ["events"], "S8 ends"],
    [["log", "S3 a", "S8"], ["events", "S3", "S8"], "S8 begins"],
  ])("[BU3] reports what fails (%j) and goes on", async (failing, stores, last) => {
    const { bus, seen, reported } = watch(failing);
    const failures = await bus.emit(event);
    expect(failures.map(({ store }) => store)).toEqual(stores);
    expect(failures.every((failure) => failure.event === event && failure.error instanceof Error)).toBe(true);
    expect(reported).toEqual(stores);
    expect(seen.at(-1)).toBe(last);
  });

  test("[BU3] runs nothing behind what could not be done and is built on", async () => {
    const seen: string[] = [];
    const act = (what: string) => void seen.push(what);
    const bus = openBus({
      log: ([first]) => act(first!.name),
      handlers: {
        "team.destroyed": [
          { store: "S1", run: () => Promise.reject(new Error("not built on")) },
          { store: "S2", ends: "all", run: () => act("S2") },
          { store: "S3", ends: "all", run: () => Promise.reject(new Error("full")) },
          { store: "mark", run: () => act("mark") },
        ],
      },
    });
    const failures = await bus.emitAll([event, { name: "agent.killed", pane: "a:0.1" }]);
    expect(failures.map(({ store }) => store)).toEqual(["S1", "S3"]);
    expect(seen).toEqual(["team.destroyed", "S2"]);
  });

  test.each([
    ["nothing", [], ["S1", "S2", "mark"]],
    ["the log", ["log"], ["S1", "S2", "mark"]],
    ["the first store", ["S1"], ["S2"]],
    ["the last store", ["S2"], ["S1"]],
  ])("[BU3] changes tmux only where every store was written: %s fails", async (_, failing, expected) => {
    const seen: string[] = [];
    const act = (what: string) => {
      if (failing.includes(what)) throw new Error("full");
      if (what !== "log") seen.push(what);
    };
    const bus = openBus({
      log: () => act("log"),
      handlers: {
        "team.destroyed": [
          { store: "S1", run: () => act("S1") },
          { store: "S2", run: () => act("S2") },
          { store: "mark", needsStores: true, run: () => act("mark") },
        ],
      },
    });
    await bus.emit(event);
    expect(seen).toEqual(expected);
  });

  test("[BU3] brings no store behind one that it is built on up to date, and goes on with the next event", async () => {
    const seen: string[] = [];
    const act = (what: string) => void seen.push(what);
    const bus = openBus({
      log: () => {},
      handlers: {
        "team.destroyed": [
          { store: "S1", run: () => act("S1") },
          { store: "S2", ends: "event", run: () => Promise.reject(new Error("full")) },
          { store: "S3", run: () => act("S3") },
        ],
        "agent.killed": [{ store: "S1", run: () => act("killed") }],
      },
    });
    await bus.emitAll([event, { name: "agent.killed", pane: "a:0.1" }]);
    expect(seen).toEqual(["S1", "killed"]);
  });

  test("[BU4] tells a handler that can of neighbours at once, and keeps the order of all others", async () => {
    const seen: string[] = [];
    const bus = openBus({
      log: (events) => void seen.push(`log ${events.length}`),
      handlers: {
        "agent.killed": [
          {
            store: "S1",
            run: ({ pane }) => void seen.push(pane),
            runAll: (events) => void seen.push(events.map(({ pane }) => pane).join()),
          },
        ],
        "team.destroyed": [{ store: "S3", run: ({ team }) => void seen.push(team) }],
      },
    });
    const gone = (pane: PaneAddress): HiveEvent => ({ name: "agent.killed", pane });
    await bus.emitAll([gone("a:0.1"), event, event, gone("a:0.2"), gone("a:0.3")]);
    const others = ["log 1", "a:0.1", "log 1", "a", "log 1", "a"];
    expect(seen).toEqual([...others, "log 2", "a:0.2,a:0.3"]);
  });

  test("does nothing but log what nobody handles", async () => {
    const { bus, seen } = watch();
    await bus.emit({ name: "agent.killed", pane: "a:0.1" });
    expect(seen).toEqual(["log begins", "log ends"]);
  });
});
