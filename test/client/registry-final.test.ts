// Whatever happens around an agent, its own registry says which conversation it is in; without one nothing is guessed.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionId } from "../../src/names/gates.js";
import { hivemind } from "../command.js";
import { until } from "../home.js";
import type { RealClient } from "./client.js";
import { clientVersions } from "./install.js";
import { answered, lookAt, movedOn, newId, sees } from "./sees.js";
import { testWorld } from "./world.js";

const blind = { HIVEMIND_IGNORE_REGISTRY: "1" };

async function clear(client: RealClient) {
  const from = client.registryFile()!.sessionId!;
  await client.settled();
  await client.submit("/clear");
  return movedOn(client, from);
}

function hasCosts(client: RealClient, id: SessionId): boolean {
  return client.transcript(id).some(({ type }) => type === "cost-state");
}

describe.each(clientVersions)("the real client %s", (version) => {
  it("keeps its conversation while a fork beside it clears twice, and clears and is killed (incident 27)", async () => {
    const { api, home, start } = await testWorld();
    api.when(/\w/, { text: "answer to it" });
    const parent = newId();
    const quiet = await start(version, { args: ["--session-id", parent, "-n", "lead"] });
    await quiet.submit("first");
    await quiet.waitForScreen(/answer to it/);
    const fork = await start(version, { args: ["--resume", parent, "--fork-session"] });
    await fork.submit("a word");
    await fork.waitForScreen(/a word[\s\S]*answer to it/);
    for (const round of ["one", "two"]) {
      const cleared = await clear(fork);
      await fork.submit(`word ${round}`);
      await fork.waitForScreen(new RegExp(`word ${round}[\\s\\S]*answer to it`));
      await sees(home, fork, { uuid: cleared, source: "registry" });
      await sees(home, quiet, { uuid: parent, source: "registry" });
    }
    const last = await clear(fork);
    await fork.submit("the last word");
    await fork.waitForScreen(/the last word[\s\S]*answer to it/);
    process.kill(fork.pid, "SIGKILL");
    await sees(home, fork, { kind: "shell", uuid: last });
    await sees(home, quiet, { uuid: parent, source: "registry" });
  });

  it("is followed by /resume there and back", async () => {
    const { api, home, start } = await testWorld();
    const [first, second] = [newId(), newId()];
    for (const word of ["first", "second", "third"])
      api.when(new RegExp(word), { text: `answer to ${word}` });
    const other = await start(version, { args: ["--session-id", first, "-n", "one"] });
    await answered(other, "first");
    await other.end();
    const client = await start(version, { args: ["--session-id", second, "-n", "two"], team: "second" });
    await answered(client, "second");
    await client.settled();
    const before = client.transcript(first).length;
    await client.submit(`/resume ${first}`);
    await sees(home, client, { uuid: first, source: "registry" });
    await until("a record in the resumed one", () => client.transcript(first).length > before);
    // 2.1.325 writes into the session that it left once more.
    if (version !== "2.1.197") await until("its costs", () => hasCosts(client, second));
    // Without its registry nothing tells: never the start.
    expect((await lookAt(home, client, blind)).uuid).not.toBe(second);
    await client.settled();
    await client.submit(`/resume ${second}`);
    await sees(home, client, { uuid: second, source: "registry" });
  });

  it("is unknown, or right, without a registry after /clear: never what it was started with", async () => {
    const { api, home, start } = await testWorld();
    const id = newId();
    for (const word of ["first", "second"]) api.when(new RegExp(word), { text: `answer to ${word}` });
    const client = await start(version, { args: ["--session-id", id, "-n", "lead"] });
    await sees(home, client, { uuid: id, source: "args" }, blind);
    await answered(client, "first");
    await sees(home, client, { uuid: id, source: "args" }, blind);
    const cleared = await clear(client);
    await answered(client, "second");
    const found = await lookAt(home, client, blind);
    expect([cleared, null]).toContain(found.uuid);
    expect(found.uuid).toBe(version === "2.1.197" ? null : cleared);
  });

  it("has no conversation yet at its first question, whichever agent had the pane before (incident 26)", async () => {
    const { api, home, start } = await testWorld();
    api.when(/first/, { text: "answer to first" });
    const id = newId();
    const before = await start(version, { args: ["--session-id", id, "-n", "lead"] });
    await answered(before, "first");
    const env = { HIVEMIND_CONFIG_DIR: join(home.root, "stores") };
    const run = (...args: string[]) => hivemind({ ...home, env: { ...home.env, ...env } }, args);
    expect(run("team", "register", "team").code).toBe(0);
    expect(run("registry", "set", "team:0.0", "lead", id).code).toBe(0);
    await before.end();
    await until("tmux to notice", () => home.tmux("list-panes", "-a", "-F", "#{pane_dead}").includes("1"));
    await sees(home, before, { uuid: id }, env);
    const untrusted = join(home.root, "untrusted");
    mkdirSync(untrusted);
    for (const args of [[], ["--session-id", newId()]]) {
      home.tmux(
        "respawn-pane",
        "-k",
        "-c",
        untrusted,
        "-t",
        before.paneId,
        "env",
        ...before.command,
        ...args,
      );
      await before.waitForScreen(/trust/);
      const found = await lookAt(home, before, env);
      expect(found.kind).toBe("claude");
      expect([null, args[1]]).toContain(found.uuid);
      expect(found.uuid).not.toBe(id);
    }
  });
});
