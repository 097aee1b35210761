import fc from "fast-check";
import { expect, test } from "vitest";
import type { HiveEvent } from "../../events/event.js";
import type { AgentId } from "../../names/agent-id.js";
import type { PaneAddress, SessionId, TeamName } from "../../names/gates.js";
import { type ForkRow, forkFormat, forkStates } from "../../stores/forks.js";
import { rowsAt } from "../../stores/text/fork-rows-at.js";
import { staysAt, staysBy, staysWith } from "./history.js";
import { historiesOf } from "./history-lives.js";
import { connectedPlaces, type Seeds } from "./history-places.js";

const places: PaneAddress[] = ["a:0.1", "a:0.2", "b:0.1", "b:0.2", "b:0.10"];
const ids = [1, 2, 3].map((n) => `0000000${n}-0000-4000-8000-000000000000` as SessionId);
const agents = ["a1", "a2", "a3"] as unknown as AgentId[];
const at = fc.integer({ min: 0, max: 40 }).map((s) => `2026-01-01T00:00:${String(s).padStart(2, "0")}Z`);
const pane = fc.constantFrom(...places);
const agent = fc.constantFrom(...agents, undefined);
const ofAgent = <T extends object>(more: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record({ pane, agent, ...more }).map(({ agent, ...rest }) => (agent ? { ...rest, agent } : rest));

const event = fc.oneof(
  ofAgent({ name: fc.constant("agent.spawned"), role: fc.constant(null), uuid: fc.constantFrom(...ids) }),
  ofAgent({ name: fc.constant("session.changed"), new: fc.constantFrom(...ids), old: fc.constant(null) }),
  ofAgent({ name: fc.constant("agent.killed") }),
  fc.record({ name: fc.constant("agent.forgotten"), agent: fc.constantFrom(...agents) }),
  fc.record({ name: fc.constant("panes.swapped"), a: pane, b: pane }),
  fc.record({ name: fc.constant("pane.moved"), from: pane, to: pane, agent }),
  fc.record({
    name: fc.constant("team.renamed"),
    old: fc.constantFrom("a", "b"),
    new: fc.constantFrom("a", "b"),
  }),
  fc.record({ name: fc.constant("team.destroyed"), team: fc.constantFrom("a", "b") }),
) as unknown as fc.Arbitrary<HiveEvent>;
const row: fc.Arbitrary<ForkRow> = fc.record({
  at,
  pane,
  role: fc.constant(null),
  uuid: fc.option(fc.constantFrom(...ids)),
  state: fc.constantFrom(...forkStates, "stale"),
  parent: fc.option(fc.constantFrom(...ids)),
});

/** The lives that the rows of these places give. */
function partly(log: { at: string; event: HiveEvent }[], rows: readonly ForkRow[], seeds: Seeds) {
  const events = log.map((each) => each.event);
  const text = rows.map((each) => `${forkFormat.format(each)}\n`).join("");
  const middle = text.indexOf("\n", text.length / 2) + 1;
  const pieces = [text.slice(0, middle), text.slice(middle)].map((each) => Buffer.from(each));
  const found = rowsAt(pieces, connectedPlaces(events, [], seeds), (line) => forkFormat.parse(line));
  return historiesOf(log as never, found);
}

test("the rows of connected places give the same history as all rows", () => {
  const log = fc
    .array(fc.record({ at, event }), { maxLength: 8 })
    .map((all) => all.sort((a, b) => a.at.localeCompare(b.at)));
  const property = fc.property(log, fc.array(row, { maxLength: 25 }), fc.boolean(), (log, all, isSorted) => {
    const rows = isSorted ? all.toSorted((a, b) => a.at.localeCompare(b.at)) : all;
    const whole = historiesOf(log as never, rows);
    for (const place of places) {
      const part = partly(log, rows, { places: [place], agents: [] });
      expect(staysAt(part, place)).toEqual(staysAt(whole, place));
    }
    for (const id of agents) {
      const part = partly(log, rows, { places: [], agents: [id] });
      expect(staysBy(part, id)).toEqual(staysBy(whole, id));
    }
    for (const id of ids) {
      const said = log.filter(({ event }) => Object.values(event).includes(id));
      const seen = [...rows.filter(({ uuid }) => uuid === id), ...said.map(({ event }) => event as never)];
      const seeds = {
        places: seen.flatMap(({ pane }) => pane ?? []),
        agents: said.flatMap(({ event }) => ("agent" in event && event.agent ? [event.agent] : [])),
      };
      const sorted = (lives: typeof whole) =>
        staysWith(lives, id)
          .map((stay) => JSON.stringify(stay))
          .sort();
      expect(sorted(partly(log, rows, seeds))).toEqual(sorted(whole));
    }
  });
  fc.assert(property, { numRuns: 600 });
});

test("a renamed team's places are found under both names, and others are left out", () => {
  const events: HiveEvent[] = [
    { name: "team.renamed", old: "a" as TeamName, new: "c" as TeamName },
    { name: "pane.moved", from: "c:0.1", to: "b:0.1", agent: agents[0]! },
  ];
  const found = connectedPlaces(events, [], { places: ["a:0.1"], agents: [] });
  expect([...found].sort()).toEqual(["a:0.1", "b:0.1", "c:0.1"]);
  expect([...connectedPlaces(events, [], { places: [], agents: [agents[0]!] })].sort()).toEqual(
    [...found].sort(),
  );
  expect([...connectedPlaces(events, [], { places: ["b:0.2"], agents: [] })]).toEqual(["b:0.2"]);
});
