// Hooks, judged by the real client of every pinned version: the reports alone tell which session is in which pane.

import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handlers, launchSettings } from "../../src/agents/claude/hooks/handler.js";
import { installHooks, removeHooks, userSettings } from "../../src/agents/claude/hooks/settings-file.js";
import { hookClaims } from "../../src/fleet/identity/hook-claims.js";
import { openHive } from "../../src/hive/hive.js";
import type { PaneId } from "../../src/names/gates.js";
import { type TestHome, until } from "../home.js";
import { clientVersions } from "./install.js";
import { testWorld } from "./world.js";

/** A handler of its own, outside the home: a client's home is watched for strays. */
function openHooks(home: TestHome) {
  const hive = openHive({ env: { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "config") } });
  const { hookReports } = hive.stores;
  hookReports.placeHandlers(handlers);
  const look = async () => {
    const { server, panes, takenAtMs } = await hive.panes();
    return hookClaims(hookReports.read().reports, server, panes, takenAtMs);
  };
  const claimOf = async (pane: PaneId) => (await look()).claims.get(pane) ?? null;
  const events = () => hookReports.read().reports.map(({ event }) => event);
  return { hookReports, look, claimOf, events, settings: JSON.stringify(launchSettings(hookReports.folder)) };
}

describe.each(clientVersions)("the hooks of the real client %s", (version) => {
  it("report start, prompt, stop, /compact, /clear and exit, of this very process", async () => {
    const { home, start } = await testWorld();
    const { claimOf, look, events, settings } = openHooks(home);
    const client = await start(version, { args: ["-n", "lead", "--settings", settings] });
    const { sessionId: first } = await client.waitForStatus("idle");
    const begun = await until("the start", () => claimOf(client.paneId));
    expect(begun).toMatchObject({ sessionId: first, source: "startup", cause: null, title: "lead" });
    expect(begun.model).toMatch(/^claude-/);

    for (const text of ["how are you", "and now", "and then"]) {
      const before = (await claimOf(client.paneId))!.atMs;
      await client.submit(text);
      await until(`the stop after "${text}"`, async () => {
        const claim = await claimOf(client.paneId);
        return claim?.event === "Stop" && claim.atMs > before;
      });
      await client.waitForStatus("idle");
    }
    expect(events()).toContain("UserPromptSubmit");

    await client.submit("/compact");
    await until("the compacted session", async () => (await claimOf(client.paneId))?.source === "compact");
    expect(events()).toContain("PreCompact");
    expect(await claimOf(client.paneId)).toMatchObject({ sessionId: first, cause: "compact" });
    await client.waitForStatus("idle");

    await client.submit("/clear");
    const cleared = await until("the new session", async () => {
      const claim = await claimOf(client.paneId);
      return claim?.sessionId === first ? null : claim;
    });
    expect(cleared).toMatchObject({ source: "clear", cause: "clear", title: "lead", model: begun.model });
    await until("the registry", () => client.registryFile()?.sessionId === cleared.sessionId);
    const { changes, lineage } = await look();
    expect(changes).toMatchObject([
      { pane: client.paneId, old: first, new: cleared.sessionId, cause: "clear" },
    ]);
    expect(lineage).toEqual([{ parent: first, child: cleared.sessionId, source: "hook", kind: "clear" }]);

    await client.submit("/exit");
    await until("its end", () => events().filter((event) => event === "SessionEnd").length === 2);
    await until("an empty pane", async () => (await claimOf(client.paneId)) === null);
  });

  it("alone give each pane its session where the registry cannot be read", async () => {
    const { home, start } = await testWorld();
    const { claimOf, settings } = openHooks(home);
    const clients = [];
    for (const name of ["one", "two"]) {
      const client = await start(version, { args: ["-n", name, "--settings", settings] });
      const { sessionId } = await client.waitForStatus("idle");
      clients.push({ client, sessionId });
    }
    const registry = join(home.claude, "sessions");
    rmSync(registry, { recursive: true });
    writeFileSync(registry, "");
    chmodSync(registry, 0o000);
    for (const { client, sessionId } of clients) {
      expect(await until("its claim", () => claimOf(client.paneId))).toMatchObject({ sessionId });
      expect(client.registryFile()).toBeNull();
    }
    rmSync(registry);
  });

  it("are found in the user's settings, which come back as they were", async () => {
    const { home, start } = await testWorld();
    const { claimOf, hookReports } = openHooks(home);
    const path = userSettings(home.env);
    const before = '{\n\t"cleanupPeriodDays": 30\n}\n';
    writeFileSync(path, before);
    await installHooks(path, hookReports.folder);
    const client = await start(version);
    const { sessionId } = await client.waitForStatus("idle");
    expect(await until("the start", () => claimOf(client.paneId))).toMatchObject({ sessionId });
    await client.end();
    expect(await removeHooks(path)).toBe(true);
    expect(readFileSync(path, "utf8")).toBe(before);
  });
});
