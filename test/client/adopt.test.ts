// Agents that a person started become a team, judged by the real client of every pinned version.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readBox } from "../../src/agents/claude/screen/input-box.js";
import { findPaneIn } from "../../src/fleet/find-pane.js";
import { openHive } from "../../src/hive/hive.js";
import type { Role, TeamName } from "../../src/names/gates.js";
import { adopt, proposeRoles } from "../../src/teams/adopt.js";
import { renameAgent } from "../../src/teams/rename.js";
import { until } from "../home.js";
import { clientVersions } from "./install.js";
import { testWorld } from "./world.js";

const quiet = { progress: () => {}, note: () => {} };

describe.each(clientVersions)("the real client %s", (version) => {
  it("is adopted as it is, and renamed by its own command", async () => {
    const { home, start } = await testWorld();
    const team = "a" as TeamName;
    const clients = [await start(version, { team, args: ["-n", "po"] }), await start(version, { team })];
    // Outside the home, which is the canary for what clients write.
    const hive = openHive({ env: { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores") } });
    await until("its title", () =>
      home.tmux("display-message", "-p", "-t", clients[0]!.paneId, "#{pane_title}").startsWith("✳ po"),
    );
    const plan = proposeRoles(await hive.observe(), { team });
    expect(plan.map(({ role }) => role)).toEqual(["po", "claude1"]);
    const world = hive.teamWorld(quiet);
    await adopt(world, team, plan);
    expect(hive.stores.roles.read().rows).toMatchObject([
      { pane: "a:0.0", role: "po" },
      { pane: "a:0.1", role: "claude1" },
    ]);
    const uuids = clients.map((client) => client.registryFile()?.sessionId);
    expect(hive.stores.sessions.read().rows.map(({ uuid }) => uuid)).toEqual(uuids);
    for (const client of clients) {
      expect(["empty", "suggestion"]).toContain(readBox(client.screenWithColours()).kind);
      expect(client.transcript(client.registryFile()!.sessionId!)).toEqual([]);
    }

    const pane = findPaneIn(await hive.panes(), clients[1]!.paneId);
    const { typed } = await renameAgent(world, pane, "tester" as Role);
    expect(typed).toMatchObject({ outcome: "accepted" });
    await until("its name", () => clients[1]!.registryFile()?.name === "tester");
    expect(hive.stores.roles.read().rows).toMatchObject([{ role: "po" }, { role: "tester" }]);
    expect((await hive.refresh(team)).events).toEqual([]);
  });
});
