// A member of the client's own agent team has a pane and no registry file: its records and arguments tell who it is.

import { expect, it, onTestFinished } from "vitest";
import { edgesOf, readRecord } from "../../src/fleet/lineage/lineage-of.js";
import { openHive } from "../../src/hive/hive.js";
import { until } from "../home.js";
import { hasEnded } from "./end-all.js";
import { newId } from "./sees.js";
import { testWorld } from "./world.js";

it("a member of an agent team is an agent with a conversation and a parent", async () => {
  const { api, home, start } = await testWorld();
  const lead = newId();
  const input = {
    description: "help",
    prompt: "do help now",
    name: "helper",
    subagent_type: "general-purpose",
  };
  api.when(/do help now/, { text: "helping" });
  const client = await start("2.1.325", {
    args: [
      "--session-id",
      lead,
      "-n",
      "lead",
      "--teammate-mode",
      "tmux",
      "--permission-mode",
      "bypassPermissions",
    ],
    env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: "1", IS_SANDBOX: "1" },
    settings: { skipDangerousModePermissionPrompt: true },
  });
  await client.settled();
  api.next({ tool: "Agent", input }, { text: "it is on its way" });
  await client.submit("get a helper");
  const hive = openHive({ env: home.env });
  const found = await until(
    "the helper and its words",
    async () => {
      const fleet = await hive.observe();
      const pane = fleet.panes.find(({ id, kind }) => id !== client.paneId && kind === "claude");
      const uuid = pane && fleet.sessions.get(pane.id)!.uuid;
      return uuid ? { fleet, pane, uuid } : null;
    },
    30_000,
  );
  // Its lead closes its pane when it ends: then nobody knows the helper, which writes its last words into a removed home.
  onTestFinished(async () => {
    const { pid } = found.pane.process!;
    if (!hasEnded(pid)) process.kill(pid, "SIGKILL");
    await until("the end of the helper", () => hasEnded(pid));
  });
  expect(found.pane).toMatchObject({ live: null, name: "helper", arguments: { parentSession: lead } });
  await until("its words on disk", () =>
    JSON.stringify(client.transcript(found.uuid)).includes("do help now"),
  );
  const edges = edgesOf(found.fleet, new Map(), readRecord([]));
  expect(edges.find(({ child }) => child === found.uuid)).toMatchObject({ parent: lead, kind: "team" });
  expect(found.fleet.sessions.get(client.paneId)!.uuid).toBe(lead);
});
