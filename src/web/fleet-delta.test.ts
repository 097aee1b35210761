import fc from "fast-check";
import { expect, test } from "vitest";
import type { AgentView, BackgroundView, TeamView } from "../fleet/view.js";
import type { FleetView } from "../hive/view-fleet.js";
import { agentKey, applyDelta, fleetDelta } from "./fleet-delta.js";

const words = fc.constantFrom("", "a", "busy", "__proto__");
const agent = fc.record({
  agent: fc.option(fc.constantFrom("aaaaaaaaaa", "bbbbbbbbbb", "cccccccccc")),
  paneId: fc.option(fc.constantFrom("%1", "%2", "%3")),
  pane: words,
  activity: fc.option(fc.constantFrom("busy", "idle", "waiting")),
  requests: fc.array(fc.record({ id: words }), { maxLength: 2 }),
  context: fc.option(fc.record({ used: fc.nat(3), window: fc.option(fc.nat(3)) })),
}) as unknown as fc.Arbitrary<AgentView>;
const team = fc.record({
  team: words,
  running: fc.boolean(),
  description: fc.option(words),
  agents: fc.array(agent, { maxLength: 4 }),
}) as unknown as fc.Arbitrary<TeamView>;
const job = fc.record({ job: words, name: fc.option(words) }) as unknown as fc.Arbitrary<BackgroundView>;
const fleet: fc.Arbitrary<FleetView> = fc.record({
  teams: fc.array(team, { maxLength: 3 }),
  background: fc.array(job, { maxLength: 2 }),
});

/** As the page gets it. */
const sent = <T>(value: T): T => JSON.parse(JSON.stringify(value));

test("[WD1] the earlier fleet and the delta make the later one, over JSON too", () => {
  fc.assert(
    fc.property(fleet, fleet, (before, after) => {
      const delta = fleetDelta(before, after);
      expect(delta === null ? before : applyDelta(before, sent(delta))).toEqual(after);
    }),
  );
});

test("[WD1] many looks in a row, each sent as a delta, make the last one", () => {
  fc.assert(
    fc.property(fc.array(fleet, { minLength: 2, maxLength: 6 }), ([first, ...looks]) => {
      let [server, page] = [first!, sent(first!)];
      for (const look of looks) {
        const delta = fleetDelta(server, look);
        server = look;
        if (delta !== null) page = applyDelta(page, sent(delta));
      }
      expect(page).toEqual(sent(server));
    }),
  );
});

test("no change is no delta", () => {
  fc.assert(fc.property(fleet, (look) => void expect(fleetDelta(look, structuredClone(look))).toBeNull()));
});

test("[WD2] an agent that did not change stays the same value", () => {
  const one = { agent: null, paneId: "%1", activity: "idle" } as AgentView;
  const two = { agent: null, paneId: "%2", activity: "idle" } as AgentView;
  const look = (...agents: AgentView[]): FleetView => ({
    teams: [{ team: "web", agents } as TeamView],
    background: [],
  });
  const delta = fleetDelta(look(one, two), look(one, { ...two, activity: "busy" }))!;
  expect(delta).toEqual({ agents: { "%2": { ...two, activity: "busy" } } });
  expect(applyDelta(look(one, two), delta).teams[0]!.agents[0]).toBe(one);
});

test("an agent keeps its key while it moves", () => {
  expect(agentKey({ agent: "aaaaaaaaaa", paneId: "%1", pane: "" } as AgentView)).toBe("@aaaaaaaaaa");
  expect(agentKey({ agent: null, paneId: "%1", pane: "web:0.1" } as AgentView)).toBe("%1");
});
