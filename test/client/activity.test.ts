// What the real client is doing, as hivemind tells it: the words that no registry has come from its screen.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { until } from "../home.js";
import { clientVersions } from "./install.js";
import { limitHeaders, subscriber } from "./plays.js";
import { testWorld } from "./world.js";

describe.each(clientVersions)("the real client %s", (version) => {
  it("is idle, busy, in error, limited and at work in the background, and hivemind says so", async () => {
    const { home, api, start } = await testWorld();
    // Outside the home, which is the canary for what clients write.
    const hive = openHive({ env: { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores") } });
    const args = ["--permission-mode", "default", "--allowedTools", "Bash"];
    const client = await start(version, { args, env: subscriber });
    const becomes = async (step: string, expected: Record<string, unknown>) => {
      let seen: unknown;
      await until(step, async () => {
        seen = (await hive.viewTeams())[0]?.agents[0];
        return Object.entries(expected).every(([key, value]) => (seen as typeof expected)[key] === value);
      }).catch(() => expect(seen).toMatchObject(expected));
    };
    const ask = async (text: string) => {
      await client.settled();
      await client.submit(text);
    };

    await becomes("the start", { activity: "idle" });
    api.next({ text: "done at last", held: true });
    await ask("how is it going?");
    await becomes("a long answer", { activity: "busy" });
    await api.release();
    await becomes("the answer", { activity: "idle" });

    api.next({ error: 500 });
    await ask("and now");
    await becomes("a failure", { activity: "error" });
    api.next({ text: "well again" });
    await ask("once more");
    await client.waitForScreen(/well again/);
    await becomes("a recovery", { activity: "idle", about: null });

    api.next(
      ...Array.from({ length: 3 }, () => ({
        error: 429 as const,
        headers: limitHeaders("rejected", "seven_day"),
      })),
    );
    await ask("go on");
    await client.waitForScreen(/hit your weekly/);
    await client.settled();
    client.keys("Escape");
    await becomes("a limit", { activity: "limited", about: "weekly limit" });
    api.forget();

    // Last: the end of such work gives the client a turn of its own.
    const input = { command: "timeout 60 tail -f /dev/null", description: "Wait", run_in_background: true };
    api.next({ tool: "Bash", input }, { text: "It runs." });
    await ask("run it");
    await client.waitForScreen(/It runs/);
    await until("its own word", () => String(client.registryFile()?.status) === "shell");
    await becomes("work in the background", { activity: "busy" });
  });
});
