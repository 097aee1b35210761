// Which conversation an ended agent comes back in: its own, or none before a person has said which.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hivemind } from "../command.js";
import { until } from "../home.js";
import type { RealClient } from "./client.js";
import { type ClientVersion, clientVersions } from "./install.js";
import { answered, lookAt, movedOn, newId, sees } from "./sees.js";
import { type ClientWorld, testWorld } from "./world.js";

interface Stage extends ClientWorld {
  run(...args: string[]): ReturnType<typeof hivemind>;
  tester: RealClient;
  seen: ReturnType<typeof newId>;
}

/** A registered agent called tester that has spoken, in a pane that stays when it ends. */
async function stage(version: ClientVersion): Promise<Stage> {
  const world = await testWorld();
  const { home, api } = world;
  home.env.HIVEMIND_CONFIG_DIR = join(home.root, "stores");
  for (const word of ["first", "second", "third", "other"])
    api.when(new RegExp(`${word}$`), { text: `answer to ${word}` });
  const seen = newId();
  const tester = await world.start(version, { args: ["--session-id", seen, "-n", "tester"] });
  await answered(tester, "first");
  const run = (...args: string[]) => hivemind(home, args);
  expect(run("team", "register", "team").code).toBe(0);
  expect(run("registry", "set", "team:0.0", "tester", seen).code).toBe(0);
  return { ...world, run, tester, seen };
}

async function clear(client: RealClient) {
  const from = client.registryFile()!.sessionId!;
  await client.settled();
  await client.submit("/clear");
  return movedOn(client, from);
}

async function end({ home }: Stage, client: RealClient, how: "killed" | "/exit"): Promise<void> {
  if (how === "killed") process.kill(client.pid, "SIGKILL");
  else {
    await client.settled();
    await client.submit("/exit");
  }
  await until("a dead pane", () => {
    home.tmux("run-shell", "-b", "true");
    return home.tmux("display-message", "-p", "-t", client.paneId, "#{pane_dead}").trim() === "1";
  });
}

/** Opened and closed by a person in another terminal, under the same name, in the same folder. */
async function another({ start, ...world }: Stage, version: ClientVersion, isCleared = false): Promise<void> {
  const other = await start(version, { args: ["-n", "tester"], team: "elsewhere" });
  await answered(other, "other");
  if (isCleared) {
    await clear(other);
    await answered(other, "third");
  }
  await other.end();
  world.home.tmux("kill-session", "-t", "=elsewhere");
}

describe.each(clientVersions)("the real client %s", (version) => {
  it.each(["killed", "/exit"] as const)(
    "%s after /clear: its last conversation is known, or asked for, never the one before",
    async (how) => {
      const world = await stage(version);
      const { home, tester, seen, run } = world;
      const cleared = await clear(tester);
      await answered(tester, "second");
      await end(world, tester, how);
      // Only the title stands in the last words of 2.1.197.
      const isTold = how === "killed" || version !== "2.1.197";
      await sees(home, tester, {
        uuid: isTold ? cleared : null,
        activity: how === "killed" ? "crashed" : "shell",
      });
      if (isTold) return;
      const restart = run("agent", "restart", "tester", "--yes");
      expect(restart).toMatchObject({ code: 1 });
      for (const id of [seen, cleared]) expect(restart.stderr).toContain(id);
      expect(run("registry", "set", "team:0.0", "tester", cleared).code).toBe(0);
      expect((await lookAt(home, tester)).uuid).toBe(cleared);
    },
  );

  it.each([
    ["killed", "closed before", false],
    ["killed", "closed after", false],
    ["/exit", "closed before", false],
    ["/exit", "closed after", true],
  ] as const)(
    "%s: another conversation of its name, %s, is not taken for its own (incident 15)",
    async (how, when, isCleared) => {
      const world = await stage(version);
      const { home, tester, seen, run } = world;
      if (when === "closed before") await another(world, version, isCleared);
      await end(world, tester, how);
      if (when === "closed after") await another(world, version, isCleared);
      await sees(home, tester, { kind: "shell", uuid: seen, state: "stale" });
      expect(run("teams", "save", "team").code).toBe(0);
      expect(run("teams", "list", "--json").stdout).not.toContain("not known");
    },
  );

  it("what a changing command saw is written down at once, and survives a crash", async () => {
    const world = await stage(version);
    const { home, tester, run } = world;
    const cleared = await clear(tester);
    await tester.settled();
    expect(run("send", "tester", "second")).toMatchObject({ code: 0, stderr: "" });
    await until("the word on disk", () => JSON.stringify(tester.transcript(cleared)).includes("second"));
    expect(run("registry", "list", "--json").stdout).toContain(cleared);
    await tester.waitForStatus("idle");
    await end(world, tester, "/exit");
    await sees(home, tester, { uuid: cleared, state: "stale", activity: "shell" });
  });

  it.each(["SIGTERM", "SIGHUP"] as const)(
    "that ends in order on %s is not called crashed",
    async (signal) => {
      const world = await stage(version);
      process.kill(world.tester.pid, signal);
      await sees(world.home, world.tester, { kind: "shell", activity: "shell", uuid: world.seen });
    },
  );
});
