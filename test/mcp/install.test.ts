// `mcp install` and `mcp remove` on files of a project, and who may run them. test/client/mcp.test.ts has the client's.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, mainProgram } from "../command.js";
import { startLogged } from "../demo-agent/logged.js";
import { testHome } from "../home.js";
import { withTool } from "../messages/tool.js";

const entry = { type: "stdio", command: process.execPath, args: [mainProgram, "mcp"] };

test("--project adds the server to .mcp.json and restores the file byte for byte", () => {
  const home = testHome();
  const path = join(home.work, ".mcp.json");
  const before = '{\r\n\t"mcpServers": {\r\n\t\t"db": { "command": "db" }\r\n\t}\r\n}';
  writeFileSync(path, before);
  const installed = hivemind(home, ["mcp", "install", "--project"]);
  expect(installed).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("added the MCP server hivemind to"),
  });
  expect(installed.stdout).toContain('"allow": ["mcp__hivemind"]');
  expect(JSON.parse(readFileSync(path, "utf8")).mcpServers).toEqual({
    db: { command: "db" },
    hivemind: entry,
  });
  expect(hivemind(home, ["mcp", "install", "--project"]).stdout).toContain("it is already in");
  const { servers, rule } = json<{ servers: object[]; rule: string }>(home, ["mcp", "status"]);
  expect(servers).toMatchObject([
    { scope: "user", state: "absent" },
    { scope: "project", state: "installed", path },
  ]);
  expect(rule).toBe("mcp__hivemind");

  expect(hivemind(home, ["mcp", "remove", "--project"])).toMatchObject({ code: 0 });
  expect(readFileSync(path, "utf8")).toBe(before);
  expect(readdirSync(home.work)).toEqual([".mcp.json"]);
  expect(hivemind(home, ["mcp", "remove", "--project"]).stdout).toContain("it is not in");
});

test("a .mcp.json that did not exist is gone again, and a broken one is refused and stays", () => {
  const home = testHome();
  const path = join(home.work, ".mcp.json");
  expect(hivemind(home, ["mcp", "install", "--project"])).toMatchObject({ code: 0 });
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({ mcpServers: { hivemind: entry } });
  expect(hivemind(home, ["mcp", "remove", "--project"])).toMatchObject({ code: 0 });
  expect(readdirSync(home.work)).toEqual([]);
  for (const broken of ["{", "", "[]", '{"mcpServers":[]}', '{"mcpServers":{"hivemind":{"command":"x"}}}']) {
    writeFileSync(path, broken);
    const { code, stderr } = hivemind(home, ["mcp", "install", "--project"]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("nothing was changed"),
    });
    expect(readFileSync(path, "utf8")).toBe(broken);
  }
  expect(readdirSync(home.work)).toEqual([".mcp.json"]);
});

test("without a client in PATH the user's setup is refused with an install hint", () => {
  const home = testHome();
  const { code, stderr } = hivemind(home, ["mcp", "install"], { env: { PATH: "/usr/bin:/bin" } });
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("no claude in PATH") });
  expect(existsSync(join(home.claude, ".claude.json"))).toBe(false);
});

test("an agent cannot install or remove the server, for itself or others", async () => {
  const { home, agent } = await startLogged();
  const dev = await withTool(home, agent.pane);
  for (const command of [["install"], ["install", "--project"], ["remove"], ["remove", "--project"]])
    expect(await dev.runs("mcp", ...command)).toMatch(/only a person may decide[\s\S]*exit 1\n$/);
  expect(await dev.runs("mcp", "status")).toMatch(/absent[\s\S]*exit 0\n$/);
  expect(readdirSync(home.work)).toEqual([]);
});
