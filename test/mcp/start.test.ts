// Agents that hivemind starts with its tools: by the team file, by hand, and again after an end.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { findProcess } from "../../src/base/system/processes.js";
import { hivemind, mainProgram } from "../command.js";
import { ended } from "../demo-agent/driver.js";
import { until } from "../home.js";
import { type WrittenTeam, writtenTeam } from "../up/written.js";

const config = JSON.stringify({
  mcpServers: { hivemind: { type: "stdio", command: process.execPath, args: [mainProgram, "mcp"] } },
});
const allow = '{"permissions":{"allow":["mcp__hivemind"]}}';

/** Whether the agent runs with the tools and the rule for them. */
function hasTools(team: WrittenTeam, agent: string): boolean {
  const args = findProcess(team.agents()[agent]!.pid)?.args ?? [];
  const settings = args[args.indexOf("--settings") + 1];
  return args[args.indexOf("--mcp-config") + 1] === config && settings === allow;
}

test("`mcp: true` gives an agent the tools at every start, and writes nothing of the user's", async () => {
  const team = writtenTeam({ lead: ["mcp: true", "restart: on-crash"], dev: [] });
  expect(team.run("plan").stdout).toMatch(/lead/);
  expect(team.run("up")).toMatchObject({ code: 0 });
  expect([hasTools(team, "lead"), hasTools(team, "dev")]).toEqual([true, false]);
  expect(team.run("plan").stdout).not.toMatch(/mcp/);

  // Restarted by hand, while it runs and after its end.
  expect(team.run("agent", "restart", "lead")).toMatchObject({ code: 0 });
  expect(hasTools(team, "lead")).toBe(true);
  const { pid } = team.agents().lead!;
  process.kill(pid, "SIGKILL");
  await ended(pid);
  expect(team.run("agent", "restart", "lead")).toMatchObject({ code: 0 });
  expect(hasTools(team, "lead")).toBe(true);
  expect(team.run("agent", "restart", "dev")).toMatchObject({ code: 0 });
  expect(hasTools(team, "dev")).toBe(false);
  expect(() => readFileSync(`${team.home.claude}/settings.json`)).toThrow(/ENOENT/);
  expect(() => readFileSync(`${team.home.claude}/.claude.json`)).toThrow(/ENOENT/);
});

test("a changed `mcp` is a difference that plan prints and reload applies", () => {
  const team = writtenTeam({ lead: ["mcp: false"], dev: ["mcp: true"] });
  expect(team.run("up")).toMatchObject({ code: 0 });
  team.write({ lead: [], dev: [] }, ["project: shop", "defaults: { mcp: true }"]);
  expect(team.run("plan").stdout).toMatch(/lead.*mcp false → true/);
  expect(team.run("plan").stdout).not.toMatch(/dev.*mcp/);
  expect(team.run("reload", "--yes")).toMatchObject({ code: 0 });
  expect([hasTools(team, "lead"), hasTools(team, "dev")]).toEqual([true, true]);
});

test("watch starts a crashed agent with its tools again", async () => {
  const team = writtenTeam({ lead: ["mcp: true", "restart: on-crash"] });
  expect(team.run("up")).toMatchObject({ code: 0 });
  team.begin("watch");
  const { pid } = team.agents().lead!;
  process.kill(pid, "SIGKILL");
  await until("another process", () => {
    const now = team.agents().lead?.pid;
    return now !== undefined && now !== pid && findProcess(now) !== null && hasTools(team, "lead");
  });
});

test("its own --settings and the tools exclude each other, and the plan says so", () => {
  const team = writtenTeam({ lead: ["mcp: true", 'args: ["--settings", "mine.json"]'] });
  expect(team.run("up").code).toBe(1);
  expect(team.run("plan").stdout).toContain("would hide the rule that allows hivemind's tools");
});

test("`agent spawn --mcp` gives a new agent the tools", () => {
  const team = writtenTeam({ lead: [] });
  expect(team.run("up")).toMatchObject({ code: 0 });
  const words = ["spawn", "dev", "--team", "shop", "--kind", "demo", "--mcp"];
  expect(hivemind(team.home, words)).toMatchObject({ code: 0 });
  expect([hasTools(team, "dev"), hasTools(team, "lead")]).toEqual([true, false]);
});

test("an agent that was away comes back with its tools: restarted, restored, and once more", () => {
  const team = writtenTeam({ lead: ["mcp: true"], dev: [] });
  expect(team.run("up")).toMatchObject({ code: 0 });
  const words = ["spawn", "extra", "--team", "shop", "--kind", "demo", "--mcp"];
  expect(hivemind(team.home, words)).toMatchObject({ code: 0 });
  const tools = () => ["lead", "dev", "extra"].map((agent) => hasTools(team, agent));
  expect(tools()).toEqual([true, false, true]);
  expect(team.run("save").code).toBe(0);
  for (const round of [1, 2]) {
    team.home.tmux("kill-server");
    expect(team.run("restore"), `round ${round}`).toMatchObject({ code: 0 });
    expect(tools()).toEqual([true, false, true]);
  }
  for (const agent of ["extra", "dev"]) {
    expect(team.run("agent", "kill", agent, "--yes").code).toBe(0);
    expect(team.run("agent", "restart", agent)).toMatchObject({ code: 0 });
  }
  expect(tools()).toEqual([true, false, true]);
  expect(team.run("plan").stdout).not.toMatch(/mcp/);
});
