// The hooks from end to end with the demo agent: installed settings, a session's life, the right session per pane.

import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { handlers, hookCommand, launchSettings } from "../../src/agents/claude/hooks/handler.js";
import { type HookFindings, hookClaims } from "../../src/fleet/identity/hook-claims.js";
import { openHive } from "../../src/hive/hive.js";
import { hivemind } from "../command.js";
import { startAgent } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";

const P = "11111111-1111-4111-8111-111111111111";
const Q = "22222222-2222-4222-8222-222222222222";

async function look(home: TestHome): Promise<HookFindings> {
  const hive = openHive({ env: home.env });
  const { server, panes, takenAtMs } = await hive.panes();
  return hookClaims(hive.stores.hookReports.read().reports, server, panes, takenAtMs);
}

const claimOf = async (home: TestHome, pane: string) =>
  (await look(home)).claims.get(pane as `%${number}`) ?? null;

/** The agent is idle before its hooks have run. */
const claimBy = (home: TestHome, pane: string, event: string, source: string) =>
  until(`${event} of ${pane}`, async () => {
    const claim = await claimOf(home, pane);
    return claim?.event === event && claim.source === source ? claim : null;
  });

test("without a registry, the reports alone give each pane its session (incident 31)", async () => {
  const home = testHome();
  expect(hivemind(home, ["hooks", "install"]).code).toBe(0);
  const one = startAgent(home, ["--session-id", P, "-n", "mgr", "--model", "opus[1m]"]);
  const two = startAgent(home, ["--session-id", Q]);
  await one.becomes("idle");
  await two.becomes("idle");
  await one.say("hello");
  await one.say("/clear");
  const { sessionId } = one.registry()!;
  expect(sessionId).not.toBe(P);

  rmSync(join(home.claude, "sessions"), { recursive: true });
  writeFileSync(join(home.claude, "sessions"), "");
  expect(await claimBy(home, one.pane, "SessionStart", "clear")).toMatchObject({
    sessionId,
    cause: "clear",
    model: "claude-opus-4-8[1m]",
  });
  expect(await claimBy(home, two.pane, "SessionStart", "startup")).toMatchObject({
    sessionId: Q,
    cause: null,
  });
  const { changes, lineage } = await look(home);
  expect(changes).toMatchObject([{ pane: one.pane, old: P, new: sessionId, cause: "clear" }]);
  expect(lineage).toEqual([{ parent: P, child: sessionId, source: "hook", kind: "clear" }]);
});

test("a launch's own settings report the whole life of a session, and cleaning up keeps the needed reports", async () => {
  const home = testHome();
  const { hookReports } = openHive({ env: home.env }).stores;
  hookReports.placeHandlers(handlers);
  const settings = JSON.stringify(launchSettings(hookReports.folder));
  const agent = startAgent(home, ["--session-id", P, "-n", "mgr", "--settings", settings]);
  await agent.becomes("idle");
  await agent.say("one");
  expect(await claimBy(home, agent.pane, "Stop", "startup")).toMatchObject({ sessionId: P, title: "mgr" });
  await agent.say("/compact");
  await claimBy(home, agent.pane, "SessionStart", "compact");
  const { usedUp, claims } = await look(home);
  hookReports.sweep(usedUp.map(({ name }) => name));
  expect(await look(home)).toMatchObject({ claims, usedUp: [] });
  expect(hookReports.read().reports.length).toBeLessThanOrEqual(2);

  agent.type("/exit\r");
  expect(await agent.exitCode()).toBe(0);
  expect((await look(home)).claims.size).toBe(0);
  expect(hookReports.read().reports.map(({ event }) => event)).toContain("SessionEnd");
});

test("a client that an agent runs in its own pane is not taken for the agent", async () => {
  const home = testHome();
  hivemind(home, ["hooks", "install"]);
  const agent = startAgent(home, ["--session-id", P]);
  await claimBy(home, agent.pane, "SessionStart", "startup");
  const place = home.tmux("display-message", "-p", "-t", agent.pane, "#{socket_path},#{pid},0").trim();
  const env = { ...home.env, TMUX: place, TMUX_PANE: agent.pane };
  const command = hookCommand(join(home.config, "hivemind.hooks"), "Stop");
  spawnSync("sh", ["-c", command], { env, input: JSON.stringify({ session_id: Q }) });
  expect(openHive({ env: home.env }).stores.hookReports.read().reports).toHaveLength(2);
  expect(await claimOf(home, agent.pane)).toMatchObject({ sessionId: P });
});
