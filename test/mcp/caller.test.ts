// Who calls: the agent whose client started the server, looked up at each call.

import { expect, test } from "vitest";
import { tools } from "../../src/mcp/tools.js";
import { hivemind, json } from "../command.js";
import { letters } from "../demo-agent/driver.js";
import { testHome, until } from "../home.js";
import { agentWithServer, bareServer } from "./server.js";

test("who_am_i names the agent of the pane, and after /clear its new session", async () => {
  const home = testHome();
  const lead = await agentWithServer(home, "lead");
  const dev = await agentWithServer(home, "dev");
  const before = lead.session();
  for (const [agent, role] of [
    [lead, "lead"],
    [dev, "dev"],
  ] as const) {
    const { value } = await agent.mcp.call("who_am_i");
    expect(value).toMatchObject({ role, team: role, pane: agent.address, paneId: agent.pane });
    expect(value.uuid).toBe(agent.session());
    expect(Object.keys(value)).toEqual(["agent", "pane", "paneId", "role", "team", "uuid", "state", "title"]);
  }
  hivemind(home, ["send", "lead", "/clear"]);
  await until("another session", () => lead.session() !== before);
  const after = (await lead.mcp.call("who_am_i")).value;
  expect(after).toMatchObject({ role: "lead", uuid: lead.session() });
  expect((await dev.mcp.call("who_am_i")).value.uuid).toBe(dev.session());
});

test("[MCP1] a server that a person runs refuses every call, beside agents or without tmux", async () => {
  const home = testHome();
  const required: Record<string, string> = { agent: "lead", text: "hello", task: "hello" };
  const refusedAll = async () => {
    const server = await bareServer(home);
    for (const { name, args } of tools) {
      const given = args.filter(({ isOptional }) => !isOptional).map((arg) => [arg.name, required[arg.name]]);
      const { isError, text } = await server.call(name, Object.fromEntries(given));
      expect({ name, isError, text }).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^refused: no agent runs/),
      });
    }
    await server.close();
  };
  await refusedAll();
  await agentWithServer(home, "lead");
  await refusedAll();
  expect(json<{ queues: [] }>(home, ["queue", "list"]).queues).toEqual([]);
});

const session = "15533422-8bdb-5079-8420-efcdb81dd2e5";

test.each([
  ["answers once and ends", { sessionId: session, entrypoint: "sdk-cli" }],
  ["is kept ready", { sessionId: session, kind: "bg", jobId: "15533422", spare: true }],
])("[MCP1] a client that %s has no conversation to speak for, not even under an agent", async (_, fields) => {
  const home = testHome();
  const { mcp } = await agentWithServer(home, "lead", { between: fields });
  const { isError, text } = await mcp.call("who_am_i");
  expect(text).toMatch(/^refused: the client that runs this server has no conversation/);
  expect(isError).toBe(true);
});

test("a conversation in the background speaks for itself, not for the pane above it", async () => {
  const home = testHome();
  const fields = { sessionId: session, kind: "bg", jobId: "15533422", name: "night" };
  const { mcp } = await agentWithServer(home, "lead", { between: fields });
  const dev = await agentWithServer(home, "dev");
  expect((await mcp.call("who_am_i")).value).toMatchObject({ pane: null, role: null, uuid: session });
  expect((await mcp.call("send", { agent: "dev", text: "hello" })).value.outcome).toBe("delivered");
  await until("its record", () => letters(dev.transcript()).includes("[@unnamed background] hello"));
});
