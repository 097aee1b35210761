import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../home.js";
import { runAgent, sessionFiles, startAgent } from "./driver.js";

const P = "11111111-1111-4111-8111-111111111111";

test("DEMO_NO_REGISTRY runs without a registry file", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", P, "-n", "mgr"], { env: { DEMO_NO_REGISTRY: "1" } });
  await agent.sees("❯\u00a0");
  agent.type("hello\r");
  await agent.sees("● Heard: hello");
  expect(sessionFiles(home)).toEqual([]);
  expect(agent.transcript(P)).not.toBeNull();
  expect(agent.title()).toBe("✳ mgr");
});

test("DEMO_START_MS delays the start", async () => {
  const home = testHome();
  const before = Date.now();
  const agent = startAgent(home, [], { env: { DEMO_START_MS: "700" } });
  const { startedAt } = await agent.becomes("idle");
  expect(startedAt - before).toBeGreaterThanOrEqual(700);
});

test("DEMO_CRASH_ON_START ends it at once, with a line", () => {
  const home = testHome();
  const { status, stderr } = runAgent(home, ["-p", "hello"], { env: { DEMO_CRASH_ON_START: "1" } });
  expect([status, stderr]).toEqual([1, "Error: crashed on start, as DEMO_CRASH_ON_START asks\n"]);
  expect(existsSync(join(home.claude, "projects"))).toBe(false);
});

test("DEMO_CRASH_AFTER_MS leaves its registry file behind", async () => {
  const home = testHome();
  const agent = startAgent(home, [], { env: { DEMO_CRASH_AFTER_MS: "1500" } });
  await agent.becomes("idle");
  expect(await agent.exitCode()).toBe(1);
  expect(agent.registry()).toMatchObject({ status: "idle" });
});

test("DEMO_FAIL_RESUME does not find an existing conversation", () => {
  const home = testHome();
  runAgent(home, ["-p", "--session-id", P, "one"]);
  const { status, stderr } = runAgent(home, ["-p", "--resume", P, "two"], { env: { DEMO_FAIL_RESUME: "1" } });
  expect([status, stderr]).toEqual([1, `No conversation found with session ID: ${P}\n`]);
});

test.each([
  [{}, "2.1.325 (Claude Code)\n"],
  [{ DEMO_VERSION: "2.0.14" }, "2.0.14 (Claude Code)\n"],
])("--version with %j prints %s", (env, stdout) => {
  expect(runAgent(testHome(), ["--version"], { env })).toEqual({ status: 0, stdout, stderr: "" });
});

test("an invalid variable stops the start", () => {
  const { status, stderr } = runAgent(testHome(), ["-p", "x"], { env: { DEMO_ANSWER_MS: "soon" } });
  expect([status, stderr]).toEqual([
    1,
    "DEMO_ANSWER_MS=soon: must be a whole number of milliseconds (how long each answer takes)\n",
  ]);
});
