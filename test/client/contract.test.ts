// The contract of every agent, kept by the real client: the same that test/agents/contract.test.ts asks of the demo.

import { randomUUID } from "node:crypto";
import { it } from "vitest";
import type { SessionId } from "../../src/names/gates.js";
import { runningContract } from "../agents/running.js";
import { clientVersions } from "./install.js";
import { testWorld } from "./world.js";

it.each(clientVersions)("the running client %s keeps the contract of agents", async (version) => {
  const { home, api, start } = await testWorld();
  const uuid = randomUUID() as string as SessionId;
  api.when(/how are you/, { text: "well, thank you" });
  const client = await start(version, { args: ["--session-id", uuid, "-n", "lead"] });
  const agent = { kind: "claude", pane: client.paneId, pid: client.pid, uuid, name: "lead" } as const;
  await runningContract(home, agent, async () => {
    await client.submit("how are you");
    await client.waitForScreen(/well, thank you/);
    await client.waitForStatus("idle");
  });
});
