// An agent's own tools and the fleet: it sees other hosts and sends words there, and decides nothing.

import { afterAll, beforeAll, expect, test } from "vitest";
import { buckets } from "../../src/link/subjects.js";
import { hivemind } from "../command.js";
import { testHome, until } from "../home.js";
import { agentWithServer } from "../mcp/server.js";
import { allows, farHost, farWatch } from "./far-hosts.js";
import { type NatsServers, startServers, testBus } from "./servers.js";

let servers: NatsServers;
beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => servers.stop());

test("[MCP3] two agents of two hosts find each other, talk in their own names, and decide nothing", async () => {
  const [alpha, beta] = [farHost(servers, "alpha"), farHost(servers, "beta")];
  const dev = await agentWithServer(alpha, "dev");
  const lead = await agentWithServer(beta, "lead");
  // Whatever beta allows to people of alpha.
  for (const value of ["approve", "start", "user"] as const) await allows(beta, value, alpha.name);
  await Promise.all([farWatch(alpha), farWatch(beta)]);
  const rows = await (await testBus(servers)).bucket(buckets.agents);
  // Each host has a row of its own besides those of its agents.
  await until("both are published", async () => {
    const keys = (await rows.all()).map(({ key }) => key.split(".")[0]);
    return [alpha, beta].every(({ name }) => keys.filter((key) => key === name).length > 1);
  });

  const listed = await dev.mcp.call("list_agents", { fleet: true });
  expect(listed.value.host).toBe("alpha");
  expect(
    listed.value.hosts.map((each: { host: string; isReached: boolean }) => [each.host, each.isReached]),
  ).toEqual([
    ["alpha", true],
    ["beta", true],
  ]);
  expect(listed.value.agents).toContainEqual(
    expect.objectContaining({ host: "beta", role: "lead", ageMs: expect.any(Number) }),
  );

  const sent = await dev.mcp.call("send", { agent: "lead@beta", text: "are the tests green?" });
  expect(sent).toMatchObject({
    isError: false,
    value: { to: "lead@beta", outcome: "delivered", reached: true },
  });
  const heard = () => JSON.stringify(lead.transcript() ?? []);
  await until("its words", () => heard().includes("are the tests green?"));
  // An agent is a colleague, also where the people of its host are the user.
  expect(heard()).toContain("[@dev@alpha dev:0.0] are the tests green?");
  const back = await lead.mcp.call("send", { agent: "dev@alpha", text: "all of them" });
  expect(back.value.outcome).toBe("delivered");
  await until("the answer", () =>
    JSON.stringify(dev.transcript() ?? []).includes("[@lead@beta lead:0.0] all of them"),
  );

  const context = await until("its first answer has a size", async () => {
    const asked = await dev.mcp.call("context", { of: "lead@beta" });
    return asked.isError ? null : asked;
  });
  expect(context.value).toMatchObject({
    host: "beta",
    ageMs: expect.any(Number),
    contexts: [expect.any(Object)],
  });
  const history = await dev.mcp.call("history", { of: "lead@beta" });
  expect(history.value.stays).toHaveLength(1);
  expect((await dev.mcp.call("lineage", { of: "lead@beta" })).value).toMatchObject({ host: "beta" });

  const own = await dev.mcp.call("context", { of: "dev@alpha" });
  expect(own.value.host).toBeUndefined();
  for (const [tool, given, words] of [
    ["send", { agent: "lead@beta", text: "/clear" }, /agents may not send commands/],
    ["send", { agent: "nobody@beta", text: "hello" }, /refused for nobody@beta/],
    ["send", { agent: "lead@nowhere", text: "hello" }, /no host of this fleet is called "nowhere"/],
    [
      "delegate",
      { agent: "lead@beta", task: "a task" },
      /delegate works on your own host only.* names the host beta/,
    ],
    ["wait_for", { agent: "lead@beta" }, /wait_for works on your own host only.* names the host beta/],
    ["approve", { agent: "lead@beta" }, /there is no tool/],
  ] as const) {
    const { isError, text } = await dev.mcp.call(tool, given);
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(words) });
  }
  expect(hivemind(beta, ["events"]).stdout).not.toContain("far.acted");
});

test("a tool on a host without a fleet says so", async () => {
  const { mcp } = await agentWithServer(testHome(), "dev");
  expect((await mcp.call("send", { agent: "lead@beta", text: "hello" })).text).toMatch(
    /this host is in none/,
  );
  expect((await mcp.call("list_agents", { fleet: true })).text).toMatch(/this host is in no fleet/);
});
