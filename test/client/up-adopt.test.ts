// A team of real clients that nobody wrote down: init --from, up, a crash, and up again.

import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { hivemind } from "../command.js";
import { until } from "../home.js";
import { clientVersions, installClient } from "./install.js";
import { testWorld } from "./world.js";

describe.each(clientVersions)("the real client %s", (version) => {
  it("is adopted by up after init --from, in its conversation, and comes back in it", async () => {
    const { home, api, start } = await testWorld();
    const bin = join(home.root, "bin");
    mkdirSync(bin);
    symlinkSync(await installClient(version), join(bin, "claude"));
    const stores = join(home.root, "stores");
    const env = {
      PATH: `${bin}:${home.env.PATH}`,
      HIVEMIND_CONFIG_DIR: stores,
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_AUTH_TOKEN: "stand-in",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    };
    const run = (...args: string[]) => hivemind(home, args, { env });
    const args = ["-n", "lead", "--permission-mode", "plan"];
    const client = await start(version, { team: "web", args });
    await client.settled();
    api.when(/milk/, { text: "noted" });
    await client.submit("remember the milk");
    const session = client.registryFile()!.sessionId!;
    await until("its answer", () => client.transcript(session).some(({ type }) => type === "assistant"));
    await client.waitForStatus("idle");

    expect(run("agent", "adopt", "web", "--yes")).toMatchObject({ code: 0 });
    expect(run("init", "--from", "web")).toMatchObject({ code: 0 });
    expect(readFileSync(join(home.work, "hivemind.yaml"), "utf8")).toContain("permission_mode: plan");
    expect(run("plan")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`* adopt lead in web:0.0`),
    });
    expect(run("up")).toMatchObject({ code: 0, stdout: expect.stringContaining("web: 1 adopted") });
    expect(readFileSync(join(stores, "hivemind.moved.env"), "utf8")).toBe(`web:lead|${session}\n`);
    expect(client.registryFile()).toMatchObject({ pid: client.pid, sessionId: session });
    for (const command of ["up", "reload"])
      expect(run(command)).toMatchObject({ code: 0, stdout: "web: everything runs as the file says\n" });

    home.tmux("set-option", "-p", "-t", client.paneId, "remain-on-exit", "on");
    process.kill(client.pid, "SIGKILL");
    await until("its end", () => [undefined, "Z"].includes(readProcStat(client.pid)?.state));
    expect(run("up")).toMatchObject({ code: 0, stdout: expect.stringContaining(session) });
    const pid = Number(home.tmux("display-message", "-p", "-t", client.paneId, "#{pane_pid}"));
    expect(pid).not.toBe(client.pid);
    expect(run("down", "--timeout", "20")).toMatchObject({ code: 0 });
    await until("the end", () => [undefined, "Z"].includes(readProcStat(pid)?.state));
  });
});
