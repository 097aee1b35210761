// With the registry switched off, the hooks alone must give the same answers.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handlers, launchSettings } from "../../src/agents/claude/hooks/handler.js";
import { activityOf } from "../../src/fleet/activity/activity.js";
import { type Hive, openHive } from "../../src/hive/hive.js";
import { type TestHome, until } from "../home.js";
import type { RealClient } from "./client.js";
import { clientVersions } from "./install.js";
import { answered, movedOn } from "./sees.js";
import { testWorld } from "./world.js";

/** The same fleet with and without the registry. Stores lie outside the home, which is watched for strays. */
function openBoth(home: TestHome): { seeing: Hive; blind: Hive } {
  const env = { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "config") };
  return { seeing: openHive({ env }), blind: openHive({ env: { ...env, HIVEMIND_IGNORE_REGISTRY: "1" } }) };
}

async function lookAt(hive: Hive, { paneId }: RealClient) {
  const fleet = await hive.observe();
  const { uuid, evidence } = fleet.sessions.get(paneId)!;
  const pane = fleet.panes.find(({ id }) => id === paneId)!;
  const { activity } = activityOf(pane, fleet.hooks.claims.get(paneId) ?? null);
  return { uuid, activity, source: evidence.find(({ chosen }) => chosen)?.source ?? null };
}

describe.each(clientVersions)("the real client %s, without its registry", (version) => {
  it("is known by its hooks alone, through /rename, /clear, /branch and a permission prompt", async () => {
    const { home, api, start } = await testWorld();
    const { seeing, blind } = openBoth(home);
    seeing.stores.hookReports.placeHandlers(handlers);
    const settings = JSON.stringify(launchSettings(seeing.stores.hookReports.folder));
    const client = await start(version, {
      args: ["-n", "lead", "--permission-mode", "default", "--settings", settings],
    });
    await client.waitForStatus("idle");

    /** Hooks arrive some moments after the registry: the agreement is waited for, then held. */
    const agree = async (step: string) => {
      let seen: unknown;
      await until(`agreement after ${step}`, async () => {
        const [right, told] = [await lookAt(seeing, client), await lookAt(blind, client)];
        seen = { right, told };
        return right.uuid === told.uuid && right.activity === told.activity && told.source === "hook";
      }).catch(() => expect(seen).toBe(step));
    };

    await agree("the start");
    for (const word of ["first", "second"]) api.when(new RegExp(word), { text: `answer to ${word}` });
    await answered(client, "first");
    await agree("a word");
    await client.submit("/rename other");
    await until("its name", () => client.registryFile()?.name === "other");
    await client.settled();
    await agree("/rename");
    const before = client.registryFile()!.sessionId!;
    await client.submit("/clear");
    const cleared = await movedOn(client, before);
    await client.settled();
    await agree("/clear");
    await answered(client, "second");
    await client.submit("/branch side");
    await movedOn(client, cleared);
    await client.settled();
    await agree("/branch");
    api.next({ tool: "Bash", input: { command: "touch x", description: "touches" } });
    await client.submit("run it");
    await client.waitForStatus("waiting");
    await agree("a permission prompt");
  });
});
