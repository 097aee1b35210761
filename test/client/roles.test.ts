// Roles from titles, judged by the real client of every pinned version.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import type { TeamName } from "../../src/names/gates.js";
import { until } from "../home.js";
import { clientVersions } from "./install.js";
import { testWorld } from "./world.js";

describe.each(clientVersions)("refresh with the real client %s", (version) => {
  it("names what was named, in each team, also where the client changed the name; the rest is unnamed", async () => {
    const { home, start } = await testWorld();
    const clients = [
      await start(version, { team: "a", args: ["-n", "po"] }),
      await start(version, { team: "b", args: ["-n", "po"] }),
      await start(version, { team: "c" }),
    ];
    // Outside the home, which is the canary for what clients write.
    const hive = openHive({ env: { ...home.env, HIVEMIND_CONFIG_DIR: join(home.root, "stores") } });
    for (const team of ["a", "b", "c"] as TeamName[])
      await hive.emit({ name: "team.created", team, description: "" });
    await until("their titles", () =>
      clients.every(({ paneId }, at) =>
        home
          .tmux("display-message", "-p", "-t", paneId, "#{pane_title}")
          .startsWith(["✳ po", "✳ po", "✳"][at]!),
      ),
    );
    const plan = await hive.refreshAll();
    expect(plan).toMatchObject({ updated: 2, broken: 0, unnamed: [{ pane: "c:0.0" }], warnings: [] });
    expect(hive.stores.roles.read().rows).toMatchObject([
      { pane: "a:0.0", role: "po" },
      { pane: "b:0.0", role: "po" },
    ]);
    const uuids = clients.map((client) => client.registryFile()?.sessionId);
    expect(hive.stores.sessions.read().rows.map(({ uuid }) => uuid)).toEqual(uuids.slice(0, 2));
    expect([...hive.stores.forks.scan()].map(({ role, uuid }) => [role, uuid])).toEqual([
      ["po", uuids[0]],
      ["po", uuids[1]],
      [null, uuids[2]],
    ]);
    expect((await hive.refreshAll()).events).toEqual([]);
  });
});
