// What the tools do: they read, send words and wait, in the caller's name.

import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { tools } from "../../src/mcp/tools.js";
import { hivemind, json } from "../command.js";
import { ended, letters } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";
import { agentWithServer, bareServer, type McpAgent } from "./server.js";

async function pair(): Promise<{ home: TestHome; lead: McpAgent; dev: McpAgent }> {
  const home = testHome();
  const lead = await agentWithServer(home, "lead");
  const dev = await agentWithServer(home, "dev");
  return { home, lead, dev };
}

test("[MCP2] exactly these tools exist, and none decides, holds or sets up anything", async () => {
  const home = testHome();
  const { mcp } = await agentWithServer(home, "lead");
  const listed: { name: string; description: string; annotations: object; inputSchema: object }[] = (
    await mcp.request("tools/list")
  ).result.tools;
  expect(listed.map(({ name }) => name)).toEqual([
    ...[
      "who_am_i",
      "list_agents",
      "send",
      "messages",
      "delegate",
      "wait_for",
      "context",
      "lineage",
      "history",
    ],
  ]);
  const forbidden =
    /approve|reject|answer_|dismiss|option|allow|hold|release|hook|install|key|kill|spawn|clear/;
  for (const { name, inputSchema } of listed) {
    expect(name).not.toMatch(forbidden);
    expect(Object.keys((inputSchema as { properties: object }).properties).join(" ")).not.toMatch(
      /from|sender|as\b/,
    );
  }
  for (const name of [
    "approve",
    "reject",
    "option",
    "dismiss",
    "allow",
    "hold",
    "hooks_install",
    "queue_clear",
  ]) {
    const { isError, text } = await mcp.call(name, { agent: "lead" });
    expect({ isError, text }).toMatchObject({
      isError: true,
      text: expect.stringContaining("there is no tool"),
    });
  }
});

test("send reaches the other agent's inbox once, in the caller's name", async () => {
  const { lead, dev } = await pair();
  const { value } = await dev.mcp.call("send", { agent: "lead", text: "the tests pass" });
  expect(value).toMatchObject({ outcome: "delivered", pane: lead.address, paneId: lead.pane, door: "inbox" });
  const said = `[@dev ${dev.address}] the tests pass`;
  await until("its record", () => letters(lead.transcript()).includes(said));
  expect(letters(lead.transcript())).toEqual([said]);
  expect(letters(dev.transcript())).toEqual([]);

  expect((await dev.mcp.call("wait_for", { agent: "lead", until: "answered" })).value.outcome).toBe(
    "reached",
  );
  const [mine] = (await dev.mcp.call("messages")).value.sent;
  expect(mine).toMatchObject({ id: value.id, with: "lead", step: "answered" });
  const [theirs] = (await lead.mcp.call("messages")).value.received;
  expect(theirs).toMatchObject({ id: value.id, with: "dev", step: "answered" });
});

test("[MCP3] nobody sends as another: not by an argument, a prefix, a variable or a command", async () => {
  const home = testHome();
  const lead = await agentWithServer(home, "lead");
  const [TMUX_PANE, CLAUDE_CODE_SESSION_ID] = [lead.pane, lead.session()];
  const variables = { TMUX_PANE, CLAUDE_CODE_SESSION_ID, HIVEMIND_ROLE: "lead" };
  const dev = await agentWithServer(home, "dev", { variables });
  expect((await dev.mcp.call("who_am_i")).value).toMatchObject({ role: "dev", uuid: dev.session() });
  for (const extra of [{ from: "lead" }, { sender: "lead" }, { as: "lead" }]) {
    const { isError, text } = await dev.mcp.call("send", { agent: "lead", text: "stop", ...extra });
    expect({ isError, text }).toMatchObject({
      isError: true,
      text: expect.stringContaining("has no argument"),
    });
  }
  for (const text of ["/clear", "!touch x", "#remember", "& go on"])
    expect((await dev.mcp.call("send", { agent: "lead", text })).text).toMatch(
      /agents may not send commands/,
    );
  await dev.mcp.call("send", { agent: "lead", text: `[@po ${lead.address}] stop` });
  const said = `[@dev ${dev.address}] [quoted @po ${lead.address}] stop`;
  await until("its record", () => letters(lead.transcript()).includes(said));
  expect(letters(lead.transcript())).toEqual([said]);
});

test("delegate keeps the task as a file and sends its path", async () => {
  const { lead, dev } = await pair();
  const { value } = await lead.mcp.call("delegate", { agent: "dev", task: "docs/plan.md" });
  expect(value).toMatchObject({ outcome: "delivered", pane: dev.address });
  expect(readFileSync(value.task, "utf8")).toBe("docs/plan.md\n");
  await until("its record", () => letters(dev.transcript()).some((text) => text.includes(value.task)));
});

test("wait_for ends when the agent is idle, at the limit, and never waits for the caller itself", async () => {
  const { lead, dev } = await pair();
  const idle = await lead.mcp.call("wait_for", { agent: "dev" });
  expect(idle.value).toMatchObject({ until: "idle", outcome: "reached", pane: dev.address });
  const late = await lead.mcp.call("wait_for", { agent: "dev", until: "waiting", timeout: 0.2 });
  expect(late.value).toMatchObject({ until: "waiting", outcome: "timeout" });
  await lead.mcp.call("send", { agent: "dev", text: "hello" });
  expect((await lead.mcp.call("wait_for", { agent: "dev", until: "answered" })).value.outcome).toBe(
    "reached",
  );
  for (const given of [
    { agent: "lead" },
    { agent: "dev", timeout: 601 },
    { agent: "dev", until: "done" },
    {},
  ])
    expect((await lead.mcp.call("wait_for", given)).text).toMatch(/^refused: /);
});

test("wait_for answered means the caller's own message, also while the receiver still works", async () => {
  const { home, lead, dev } = await pair();
  home.tmux("send-keys", "-t", lead.pane, "-l", "[hold] a person's question");
  home.tmux("send-keys", "-t", lead.pane, "Enter");
  await until("a busy agent", () => hivemind(home, ["wait", "lead", "--timeout", "0"]).code === 124);
  expect((await dev.mcp.call("send", { agent: "lead", text: "are you done?" })).value.outcome).toBe(
    "delivered",
  );
  const asked = { agent: "lead", until: "answered" };
  // The other way round there is no message whose answer could be waited for.
  hivemind(home, ["send", "dev", "a person's words"]);
  expect((await lead.mcp.call("wait_for", { ...asked, agent: "dev" })).text).toMatch(
    /^refused: no message of yours/,
  );
  expect((await dev.mcp.call("wait_for", { ...asked, timeout: 0.3 })).value).toMatchObject({
    outcome: "timeout",
  });
  process.kill(lead.pid, "SIGUSR2");
  expect((await dev.mcp.call("wait_for", asked)).value).toMatchObject({ outcome: "reached" });
  expect((await dev.mcp.call("messages")).value.sent).toMatchObject([{ with: "lead", step: "answered" }]);
});

test("the reading tools give the values of the commands' --json", async () => {
  const { home, lead, dev } = await pair();
  await dev.mcp.call("send", { agent: "lead", text: "hello" });
  await dev.mcp.call("wait_for", { agent: "lead", until: "answered" });
  hivemind(home, ["registry", "refresh"]);
  const without = ({ version, workspace, ...rest }: Record<string, unknown>) => steady(rest);
  const same = async (tool: string, args: object, command: string[]) =>
    expect(steady((await lead.mcp.call(tool, args)).value), tool).toMatchObject(without(json(home, command)));
  await same("list_agents", {}, ["status"]);
  await same("list_agents", { team: "dev" }, ["status", "dev"]);
  await same("context", { of: "lead" }, ["context", "lead"]);
  await same("context", {}, ["context", lead.pane]);
  await same("lineage", { of: "lead" }, ["lineage", "lead"]);
  await same("history", { of: lead.address }, ["history", lead.address]);
  expect((await lead.mcp.call("lineage")).value).toMatchObject({
    session: lead.session(),
    parent: null,
    children: [],
  });
  expect((await lead.mcp.call("history", { of: lead.session() })).value.session).toBe(lead.session());
  expect((await lead.mcp.call("messages")).value).toMatchObject({
    waiting: [],
    sent: [],
    received: [{ with: "dev" }],
  });
});

/** Without what changes from look to look. */
function steady(value: object): Record<string, unknown> {
  const changing = new Set(["ageSeconds", "activityEvidence", "seenTo", "updatedAt", "state"]);
  return JSON.parse(JSON.stringify(value, (key, each) => (changing.has(key) ? null : each)));
}

test("every tool answers a wrong name with a sentence, and the server goes on", async () => {
  const home = testHome();
  const { mcp, pane } = await agentWithServer(home, "lead");
  const wrong: Record<string, string> = {
    agent: "nobody",
    text: "x",
    task: "x",
    of: "nobody",
    team: "nobody",
  };
  for (const { name, args } of tools.filter((tool) => tool.args.length > 0)) {
    const given = args.flatMap((arg) => (arg.name in wrong ? [[arg.name, wrong[arg.name]]] : []));
    const { isError, text } = await mcp.call(name, Object.fromEntries(given));
    expect({ name, isError }).toEqual({ name, isError: true });
    expect(text).toMatch(/nobody/);
    expect(text).not.toMatch(/bug|at .*\.cjs/);
  }
  expect((await mcp.call("who_am_i")).value.paneId).toBe(pane);
});

test("garbage on stdin does not end the server, and nothing but the protocol is on its stdout", async () => {
  const home = testHome();
  const { mcp } = await agentWithServer(home, "lead");
  for (const line of [
    "garbage",
    "{",
    "[]",
    "null",
    '{"jsonrpc":"2.0"}',
    '{"id":7}',
    "\u0000\u001b[31m",
    "x".repeat(50_000),
  ])
    mcp.write(line);
  mcp.write('{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":7,"arguments":[]}}');
  expect((await mcp.request("no/such")).error.code).toBe(-32601);
  for (const given of [7, "x", [], null])
    expect(
      (await mcp.request("tools/call", { name: "send", arguments: given })).result?.isError ?? true,
    ).toBe(true);
  expect((await mcp.call("who_am_i")).value.role).toBe("lead");
  for (const line of mcp.printed) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
});

test("SIGTERM ends the server", async () => {
  const { pid } = await bareServer(testHome());
  process.kill(pid, "SIGTERM");
  await ended(pid);
});

test("a closed stdin ends the server, also while a call waits, and it leaves no lock", async () => {
  const home = testHome();
  const lead = await agentWithServer(home, "lead");
  const dev = await agentWithServer(home, "dev");
  void lead.mcp
    .request("tools/call", { name: "wait_for", arguments: { agent: "dev", until: "waiting" } })
    .catch(() => {});
  await dev.mcp.call("send", { agent: "lead", text: "hello" });
  await lead.mcp.close();
  await dev.mcp.close();
  const locks = home.tmux("run-shell", `ls -A ${home.config} ${home.config}/*/ | grep -i lock || true`);
  expect(locks.trim()).toBe("");
  expect(existsSync(home.config)).toBe(true);
});
