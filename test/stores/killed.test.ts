import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { AgentId } from "../../src/names/agent-id.js";
import { openStores } from "../../src/stores/stores.js";
import { fixturePrograms } from "../fixture-programs.js";
import { type TestHome, testHome } from "../home.js";

const program = fixturePrograms("stores/rewriter");

/** Kills a writer again and again, each time at another moment, and checks what it left. */
async function killing(home: TestHome, what: string, times: number, look: () => void): Promise<void> {
  for (let kills = 0; kills < times; kills++) {
    const child = spawn(process.execPath, [program("rewriter"), what], {
      env: home.env,
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    const first = await Promise.race([once(child.stdout, "data"), ended]);
    expect(String(first[0])).toBe("at work\n");
    for (const end = performance.now() + Math.random() * 10; performance.now() < end; );
    child.kill("SIGKILL");
    await ended;
    look();
  }
}

test("[AF1] a file whose writer is killed at any moment has the old or the new content", async () => {
  const home = testHome();
  const { paths } = openStores(home.env);
  await killing(home, "file", 10, () => {
    const text = readFileSync(paths.teams, "utf8");
    expect(text.length).toBe(2_000_000);
    expect(new Set(text).size).toBe(1);
  });
});

test("messages whose reader is killed during a take-in are there, each once", async () => {
  const home = testHome();
  const { queues } = openStores(home.env);
  const agent = "aaaaaaaaaa" as AgentId;
  mkdirSync(queues.folder, { recursive: true });
  const texts = () => queues.read(agent).messages.map(({ text }) => text);
  let before: string[] = [];
  await killing(home, "queues", 25, () => {
    const now = texts();
    expect(new Set(now).size).toBe(now.length);
    expect(now).toEqual(expect.arrayContaining(before));
    before = now;
  });
  const written = new Set([
    ...before,
    ...queues.foreignQueues().flatMap(({ rows }) => rows.map(({ text }) => text)),
  ]);
  await queues.link(new Map([["t:0.0", agent]]));
  expect(texts().sort()).toEqual([...written].sort());
  // For each writer, everything it wrote, from the first message on.
  for (const text of written) {
    const [pid, at] = text.split(" ");
    expect(at === "1" || written.has(`${pid} ${Number(at) - 1}`)).toBe(true);
  }
});
