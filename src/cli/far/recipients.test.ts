import { expect, test } from "vitest";
import type { FleetRead } from "../../link/read-fleet.js";
import type { FarAgent } from "../../link/rows.js";
import { hostName } from "../../names/gates.js";
import { hasTeam, recipientsIn } from "./recipients.js";

const [alpha, beta, gone] = ["alpha", "beta", "gone"].map(hostName) as [never, never, never];
const agent = (facts: Partial<FarAgent>) =>
  ({
    host: beta,
    agent: null,
    team: "shop",
    role: null,
    kind: "claude",
    pane: null,
    standing: "present",
    ...facts,
  }) as FarAgent;
const read = {
  hosts: [
    { host: alpha, isReached: true },
    { host: beta, isReached: true },
    { host: gone, isReached: false },
  ],
  agents: [
    agent({ agent: "k3j5n2abcd" as never, role: "lead" as never, pane: "shop:0.0" }),
    agent({ pane: "shop:0.1", team: "web" }),
    agent({ pane: "shop:0.2", kind: "shell" }),
    agent({ agent: "aaaaaaaaaa" as never, standing: "away" }),
    agent({ standing: "background" }),
    agent({ host: alpha, pane: "shop:0.0" }),
    agent({ host: gone, pane: "shop:0.0" }),
  ],
} as unknown as FleetRead;

test("every running agent of other hosts that are reached, by what its host finds for sure", () => {
  const { agents, hosts } = recipientsIn(read, alpha, { host: null, team: null });
  expect(agents.map(({ host, to }) => `${to}@${host}`)).toEqual(["@k3j5n2abcd@beta", "shop:0.1@beta"]);
  expect(hosts.map(({ host }) => host)).toEqual(["beta", "gone"]);
});

test("only the team, and only the host, that are named", () => {
  expect(recipientsIn(read, alpha, { host: beta, team: "web" }).agents).toHaveLength(1);
  expect(recipientsIn(read, alpha, { host: gone, team: "shop" })).toMatchObject({
    agents: [],
    hosts: [{ host: "gone" }],
  });
  expect([hasTeam(read, "web"), hasTeam(read, "ops")]).toEqual([true, false]);
});
