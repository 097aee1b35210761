// Teams of real clients that ask whether to trust their folder: what was asked is told until it is answered.

import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { hivemind } from "../command.js";
import { clientVersions, installClient } from "./install.js";
import { testWorld } from "./world.js";

describe.each(clientVersions)("teams of %s in a folder that nobody trusts yet", (version) => {
  async function untrusted() {
    const { home, api, start } = await testWorld();
    const seed = await start(version, { team: "seed" });
    const bin = join(home.root, "bin");
    mkdirSync(bin);
    symlinkSync(await installClient(version), join(bin, "claude"));
    const folder = join(home.root, "new");
    mkdirSync(folder);
    const server = {
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_AUTH_TOKEN: "stand-in",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    };
    for (const [name, value] of Object.entries(server)) home.tmux("set-environment", "-g", name, value);
    const env = {
      PATH: `${bin}:${home.env.PATH}`,
      HIVEMIND_CONFIG_DIR: join(home.root, "stores"),
      ...server,
    };
    const run = (...args: string[]) => hivemind(home, args, { env, cwd: folder });
    const hive = openHive({ env: { ...home.env, ...env } });
    onTestFinished(async () => {
      const { panes } = await hive.panes();
      for (const { id, process } of panes)
        if (process && id !== seed.paneId) run("agent", "kill", id, "--yes");
    });
    return { run, folder, home };
  }
  const asks = (folder: string, role: string, team: string) =>
    `${role} asks whether you trust ${folder}: hivemind approve ${role} --team ${team}`;

  it("setup and spawn say what each agent asks, and approve answers it", async () => {
    const { run, folder } = await untrusted();
    const set = run("team", "setup", "web", "lead", "dev", "--cwd", folder);
    expect(set.code).toBe(0);
    expect(set.stdout).toMatch(/\? lead in web:0\.0\n/);
    expect(set.stdout).not.toMatch(/✓/);
    expect(set.stderr).toContain(asks(folder, "lead", "web"));
    expect(set.stderr).toContain(asks(folder, "dev", "web"));
    const again = run("team", "setup", "web", "lead", "dev", "--cwd", folder);
    expect(again.stdout).not.toMatch(/✓/);
    expect(again.stderr).toContain(asks(folder, "lead", "web"));
    expect(run("approve", "lead", "--team", "web")).toMatchObject({ code: 0 });
    expect(run("agent", "spawn", "scout", "--team", "web", "--cwd", folder)).toMatchObject({
      code: 0,
      stderr: "",
    });
  });

  it("up says it each time until it is answered, restart and restore too", async () => {
    const { run, folder } = await untrusted();
    const file = "project: shop\nagents:\n  lead:\n    kind: claude\n";
    writeFileSync(join(folder, "hivemind.yaml"), file);
    const up = run("up");
    expect([up.code, up.stdout]).toEqual([
      0,
      expect.stringMatching(/\? started lead[\s\S]*1 asking you something/),
    ]);
    expect(up.stderr).toContain(asks(folder, "lead", "shop"));
    const again = run("up");
    expect(again.stdout).toMatch(/^shop: 1 unchanged, 1 asking you something\n/);
    expect(again.stderr).toContain(asks(folder, "lead", "shop"));

    const restarted = run("agent", "restart", "lead", "--yes");
    expect([restarted.code, restarted.stdout]).toEqual([0, expect.stringMatching(/^\? lead/)]);
    expect(restarted.stdout).toContain(asks(folder, "lead", "shop"));
    expect(run("team", "restart", "shop", "--yes").stdout).toContain(asks(folder, "lead", "shop"));
    expect(run("teams", "save")).toMatchObject({ code: 0 });
    const kept = run("teams", "restore", "--team", "shop");
    expect(kept.stdout).not.toMatch(/nothing to do/);
    expect(kept.stderr).toContain(asks(folder, "lead", "shop"));
    expect(run("approve", "lead", "--team", "shop")).toMatchObject({ code: 0 });
    expect(run("up").stdout).toMatch(/everything runs as the file says/);
  });

  it("a pane too small for its input box is reported with the command that makes it larger", async () => {
    const { home, start } = await testWorld();
    const client = await start(version, { width: 100, height: 3, ready: /^/ });
    await client.waitForStatus("idle");
    const env = { HIVEMIND_CONFIG_DIR: join(home.root, "stores") };
    const sent = hivemind(home, ["send", client.paneId, "hello"], { env });
    expect([sent.code, sent.stdout]).toEqual([
      4,
      expect.stringMatching(
        /no input box is visible: its pane is too small, 100x3: hivemind size lock team 200x50/,
      ),
    ]);
  });
});
