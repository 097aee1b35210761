// Spawned, told their roles, forked and ended: real clients of every pinned version.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PaneId, Role, SessionId, TeamName } from "../../src/names/gates.js";
import { startAgent } from "../../src/teams/start/start.js";
import { until } from "../home.js";
import { hivemindIn } from "./hivemind-in.js";
import { type ClientVersion, clientVersions } from "./install.js";
import { testWorld } from "./world.js";

/** A team with one client that a person started. */
async function teamOf(version: ClientVersion) {
  const world = await testWorld();
  const seed = await world.start(version, { team: "web" });
  return { home: world.home, api: world.api, seed, ...(await hivemindIn(world, version, seed)) };
}

describe.each(clientVersions)("with the real client %s", (version) => {
  it("an agent gets its role prompt, is forked with a chosen id, and is ended", async () => {
    const { home, api, run, hive } = await teamOf(version);
    api.when(/backlog/, { text: "I own the backlog" });
    const file = join(home.root, "po.md");
    writeFileSync(file, "-n is no option here: you own the backlog.\nSecond line\n");
    expect(run("agent", "bootstrap", "po", "--team", "web", "--prompt", file)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^started po in web:0\.1, session [0-9a-f-]{36}\n$/),
    });
    const rowOf = (pane: string) => hive.stores.sessions.read().rows.find((row) => row.pane === pane)?.uuid;
    const parent = rowOf("web:0.1") as SessionId;
    const said = await until("its transcript", async () => {
      const { index } = await hive.observe();
      return index.byId.get(parent)?.find(({ facts }) => facts.messages >= 2);
    });
    expect(said.facts.title).toBe("po");
    const screen = () => home.tmux("capture-pane", "-p", "-J", "-t", "=web:0.1");
    for (const words of ["-n is no option here: you own the backlog.", "Second line"])
      await until(`"${words}" on the screen`, () => screen().includes(words));

    expect(run("agent", "fork", "po", "--as", "scout")).toMatchObject({ code: 0 });
    const child = rowOf("web:0.2");
    // Null while a client rewrites its registry file.
    const sessions = async () => (await hive.panes()).panes.map(({ live }) => live?.sessionId);
    await until("both", async () => (await sessions()).slice(1).every((id) => id !== undefined));
    expect((await sessions()).slice(1)).toEqual([parent, child]);
    expect([...hive.stores.forks.scan({ uuid: child as SessionId })]).toMatchObject([
      { role: "scout", parent },
    ]);

    const world = hive.teamWorld({ progress: () => {}, note: () => {} });
    home.tmux("split-window", "-d", "-t", "=web:0.2", "cat");
    const free = home.tmux("display-message", "-p", "-t", "=web:0.3", "#{pane_id}").trim() as PaneId;
    const again = startAgent(world, {
      pane: free,
      kind: "claude",
      session: { how: "resume", id: parent },
      role: "second" as Role,
      team: "web" as TeamName,
      cwd: home.work,
    });
    await expect(again).rejects.toThrow(/is open already: web:0\.1/);

    expect(run("agent", "kill", "po", "--yes")).toMatchObject({ code: 0 });
    expect((await hive.panes()).panes.map(({ live }) => live?.sessionId)).not.toContain(parent);
    expect(rowOf("web:0.1")).toBe(child);
  });

  it("one that asks whether to trust its folder has started, and says what it waits for", async () => {
    const { home, run } = await teamOf(version);
    const folder = join(home.root, "new");
    mkdirSync(folder);
    const { code, stderr } = run("agent", "spawn", "dev", "--team", "web", "--cwd", folder);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining(`dev asks whether you trust ${folder}: hivemind approve dev --team web`),
    ]);
  });
});
