import { expect, test } from "vitest";
import type { AgedAgent, FleetStatus } from "../../src/cli/fleet/status.js";
import type { HostState } from "../../src/link/read-fleet.js";
import { looksOf } from "../parts/state-mark.js";
import { farName, farWords, goneWords, hostRowsOf, momentText } from "./host-rows.js";

const host = (name: string, facts: Partial<HostState> = {}) =>
  ({ host: name, isReached: true, isStopped: false, ageMs: 0, unreadable: 0, ...facts }) as HostState;
const agent = (at: string, role: string | null, facts: Partial<AgedAgent> = {}) =>
  ({
    ...{ host: at, agent: null, team: null, role, kind: "claude", session: null, pane: null },
    ...{ standing: "present", activity: "idle", asks: 0, queued: 0, model: null, folder: null, ageMs: 0 },
    ...facts,
  }) as AgedAgent;
const fleet: FleetStatus = {
  ...{ host: "alpha", readOnly: false, lease: null, serverVersion: "2.9.10" },
  hosts: [host("alpha"), host("beta"), host("delta", { isReached: false }), host("gamma")],
  agents: [
    agent("alpha", "own"),
    agent("beta", "builder", { activity: "busy", team: "shop" }),
    agent("gamma", "lead"),
    agent("gamma", "tester", { activity: "waiting", asks: 1 }),
    agent("delta", "left", { activity: "waiting" }),
  ],
};
const shown = (filter = "", group: Parameters<typeof hostRowsOf>[1]["group"] = null, status = fleet) =>
  hostRowsOf(status, { filter, group }).map(({ host: { host: name }, rows }) => [
    name,
    ...rows.map((row) => row.agent.role),
  ]);

test("other hosts have a section each; who waits comes first, and a host that is not reached does not", () =>
  expect(shown()).toEqual([
    ["gamma", "tester", "lead"],
    ["beta", "builder"],
    ["delta", "left"],
  ]));

test.each([
  ["shop busy", null, [["beta", "builder"]]],
  ["GAMMA lead", null, [["gamma", "lead"]]],
  [
    "",
    "waiting" as const,
    [
      ["gamma", "tester"],
      ["delta", "left"],
    ],
  ],
  ["own", null, []],
])("the filter %j with the group %j leaves %j", (filter, group, sections) =>
  expect(shown(filter, group)).toEqual(sections),
);

test("a host without agents stays, and one with very many says how many have no row", () => {
  expect(shown("", null, { ...fleet, agents: [] })).toEqual([["beta"], ["delta"], ["gamma"]]);
  const many = Array.from({ length: 250 }, () => agent("beta", "same"));
  const [beta] = hostRowsOf({ ...fleet, agents: many }, { filter: "", group: null });
  expect(beta).toMatchObject({ more: 50, rows: { length: 200 } });
  expect(new Set(beta!.rows.map(({ key }) => key)).size).toBe(200);
});

test.each([
  [agent("beta", "lead", { pane: "shop:0.0" }), "lead"],
  [agent("beta", null, { pane: "shop:0.0" }), "shop:0.0"],
  [agent("beta", null, { agent: "k3j5n2abcd" as AgedAgent["agent"] }), "@k3j5n2abcd"],
  [agent("beta", null), "unnamed"],
])("%# an agent is called by what is known of it", (far, name) => expect(farName(far)).toBe(name));

test("the words of a row name its requests, team, kind and folder, as far as they are known", () => {
  expect(farWords(agent("beta", "lead", { asks: 2, team: "shop", folder: "api" }))).toBe(
    "2 requests · shop · claude · in api",
  );
  expect(farWords(agent("beta", "lead", { kind: null }))).toBe("");
});

test("a host that stopped its watcher is not watched, another one is not reached", () => {
  expect(goneWords({ isStopped: true })).toBe("not watched since");
  expect(goneWords({ isStopped: false })).toBe("not reached since");
});

test("a moment of another day has its day", () => {
  const noon = new Date(2026, 3, 22, 12, 5).getTime();
  expect(momentText(noon, noon + 60_000)).toBe("12:05");
  expect(momentText(noon, noon + 86_400_000)).toBe("Apr 22 12:05");
});

test.each(["constructor", "toString", "dreaming", null])("the unknown activity %j has a mark", (activity) =>
  expect(looksOf(activity)).toEqual({ icon: "unknown", word: "unknown", tone: "plain" }),
);
