import { expect, test } from "vitest";
import type { Entry } from "../nats/bus.js";
import { fleetOf } from "./read-fleet.js";
import { textOf } from "./rows.js";

const lease = { instance: "0".repeat(32), epoch: 4, machine: "box", version: "1" };
const entry = (key: string, row: object, writtenAtMs: number): Entry => ({
  ...{ key, value: textOf(row), revision: 1, writtenAtMs },
});
const agent = (role: string) => ({ agent: "abcdefghij", role, team: "web", kind: "demo" });

test("a host without a lease stays as a row that says so, with its last agents", () => {
  const leases = [entry("alpha", lease, 100_000)];
  const rows = [
    entry("alpha.abcdefghij", agent("po"), 40_000),
    entry("beta=2E1.abcdefghij", agent("dev"), 30_000),
    entry("beta=2E1.host", { machine: "far", version: "1", isStopped: false }, 50_000),
  ];
  const { hosts, agents } = fleetOf(leases, rows, 103_000);
  expect(hosts).toMatchObject([
    { host: "alpha", isReached: true, ageMs: 3_000, agents: 1, machine: "box" },
    { host: "beta.1", isReached: false, isStopped: false, ageMs: 53_000, agents: 1, machine: "far" },
  ]);
  expect(agents.map(({ host, role }) => `${role}@${host}`)).toEqual(["po@alpha", "dev@beta.1"]);
});

test("a worker that ended in order is told from one that is cut off", () => {
  const rows = [entry("beta.host", { machine: "far", version: "1", isStopped: true }, 1)];
  expect(fleetOf([], rows, 5).hosts).toMatchObject([{ host: "beta", isReached: false, isStopped: true }]);
});

test.each<[string, number | null, number]>([
  ["the server's clock an hour ahead of ours", 3_700_000, 3_600_000],
  ["a reader without a worker counts from the newest sign", null, 0],
  ["a clock that is behind the signs counts as the newest sign", 50_000, 0],
])("ages come from the server's clock alone: %s", (_, serverNowMs, ageMs) => {
  expect(fleetOf([entry("alpha", lease, 100_000)], [], serverNowMs).hosts[0]!.ageMs).toBe(ageMs);
});

test("keys that no host can have, and rows that cannot be read, do no harm", () => {
  const bad = [
    { key: "al pha.x", value: Buffer.from("{}"), revision: 1, writtenAtMs: 1 },
    { key: "=2D=2Drf.x", value: Buffer.from("{}"), revision: 1, writtenAtMs: 1 },
    { key: "beta.abcdefghij", value: Buffer.from("no"), revision: 1, writtenAtMs: 1 },
  ];
  const { hosts, agents } = fleetOf([], bad, null);
  expect(hosts).toMatchObject([{ host: "beta", unreadable: 1 }]);
  expect(agents).toEqual([]);
});
