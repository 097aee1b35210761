import { expect, test } from "vitest";
import type { FleetStatus } from "../../src/cli/fleet/status.js";
import { waitingHosts } from "./waiting-hosts.js";

const agent = (host: string, facts: object) => ({
  host,
  agent: "a",
  asks: 0,
  activity: "idle",
  writtenAtMs: 1,
  ...facts,
});
const status = (...agents: object[]) =>
  ({
    host: "alpha",
    hosts: ["alpha", "beta", "gone"].map((host) => ({ host, isReached: host !== "gone" })),
    agents,
  }) as unknown as FleetStatus;
const versions = (...agents: object[]) =>
  waitingHosts(status(...agents)).map(({ host, version }) => [host.host, version]);

test("every other host is in the list, and only what asks or failed waits", () => {
  expect(versions(agent("alpha", { asks: 2 }), agent("beta", {}))).toEqual([
    ["beta", null],
    ["gone", null],
  ]);
  expect(versions(agent("beta", { activity: "error" }), agent("gone", { asks: 1 }))).toEqual([
    ["beta", "a 0 error 1"],
    ["gone", "a 1 idle 1"],
  ]);
});

test("a row that was written again is another version", () => {
  const [before] = versions(agent("beta", { asks: 1 }));
  expect(versions(agent("beta", { asks: 1, writtenAtMs: 2 }))[0]).not.toEqual(before);
});
