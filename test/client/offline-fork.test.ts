// A fork that no client made: the real client takes it for its own.

import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionId } from "../../src/names/gates.js";
import { hivemind } from "../command.js";
import { type TestHome, until } from "../home.js";
import type { RealClient } from "./client.js";
import { clientVersions } from "./install.js";
import { type ClientWorld, testWorld } from "./world.js";

/** The stores lie outside the home, in which nobody but a client may write. */
function envOf({ root, env }: TestHome): Record<string, string> {
  return { ...env, HIVEMIND_CONFIG_DIR: join(root, "config") };
}

async function ask({ api }: ClientWorld, client: RealClient, id: SessionId, word: string): Promise<void> {
  api.when(new RegExp(`\\b${word}$`), { text: `answer to ${word}` });
  await client.settled();
  await client.submit(word);
  await client.waitForScreen(new RegExp(`answer to ${word}`));
  await until(`the answer to ${word} on disk`, () => said(client, id).includes(`answer to ${word}`));
}

function said(client: RealClient, id: SessionId): string {
  const isMessage = ({ type }: { type?: unknown }) => type === "user" || type === "assistant";
  return JSON.stringify(client.transcript(id).filter(isMessage));
}

/** What the last question brought to the model. */
function sent({ api }: ClientWorld): string {
  return JSON.stringify(api.requests.findLast(({ isTurn }) => isTurn)?.body);
}

function pathOf({ claude }: TestHome, id: SessionId): string {
  const projects = join(claude, "projects");
  const slug = readdirSync(projects).find((each) =>
    readdirSync(join(projects, each)).includes(`${id}.jsonl`),
  );
  return join(projects, slug!, `${id}.jsonl`);
}

describe.each(clientVersions)("the real client %s", (version) => {
  it("goes on with an offline fork, knows what was said before, and leaves the parent as it was", async () => {
    const world = await testWorld();
    const { home, start } = world;
    const parent = randomUUID() as string as SessionId;
    const args = ["--session-id", parent, "-n", "lead", "--permission-mode", "default"];
    const first = await start(version, { args, team: "first" });
    await ask(world, first, parent, "aardvark");
    // Killed in the middle of a turn, with a call on disk that has no result.
    world.api.when(/\bbandicoot$/, { tool: "Bash", input: { command: "touch x", description: "Make it" } });
    await first.settled();
    await first.submit("bandicoot");
    await until("the call on disk", () => said(first, parent).includes('"type":"tool_use"'), 60_000);
    process.kill(first.pid, "SIGKILL");
    await first.end();
    const before = readFileSync(pathOf(home, parent));

    const ran = hivemind(home, ["sessions", "fork", parent, "--branch", "side"], { env: envOf(home) });
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("left out 2 messages") });
    const child = /into ([0-9a-f-]{36})/.exec(ran.stdout)![1] as SessionId;

    const second = await start(version, { args: ["--resume", child], team: "second" });
    await second.waitForScreen(/answer to aardvark/);
    await until("its name", () => second.registryFile()?.name === "side");
    expect(second.registryFile()?.sessionId).toBe(child);
    await ask(world, second, child, "capybara");
    expect(sent(world)).toMatch(/aardvark.*answer to aardvark.*capybara/);
    expect(sent(world)).not.toContain("bandicoot");
    expect(said(second, child)).toMatch(/answer to aardvark.*answer to capybara/);
    expect(readFileSync(pathOf(home, parent))).toEqual(before);

    const tree = hivemind(home, ["lineage", "--json"], { env: envOf(home) });
    const { edges } = JSON.parse(tree.stdout);
    const point = second.transcript(parent).find((each) => JSON.stringify(each).includes("answer to"))?.uuid;
    expect(edges).toEqual([expect.objectContaining({ parent, child, forkPoint: point, inferred: false })]);
  });

  it("goes on with a session whose clone was moved, in the new folder", async () => {
    const world = await testWorld();
    const { home, start } = world;
    const [old, moved] = [join(home.work, "old"), join(home.work, "new")];
    mkdirSync(old);
    const id = randomUUID() as string as SessionId;
    const first = await start(version, { args: ["--session-id", id, "-n", "lead"], team: "first", cwd: old });
    await ask(world, first, id, "aardvark");
    await first.end();
    renameSync(old, moved);

    const ran = hivemind(home, ["sessions", "rebind", "--from", old, "--yes"], {
      env: envOf(home),
      cwd: moved,
    });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining(`${id} now belongs to ${moved}`) });
    const second = await start(version, { args: ["--resume", id], team: "second", cwd: moved });
    await second.waitForScreen(/answer to aardvark/);
    await ask(world, second, id, "bandicoot");
    expect(sent(world)).toMatch(/aardvark.*bandicoot/);
  });
});
