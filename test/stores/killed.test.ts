import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openStores } from "../../src/stores/stores.js";
import { type TestHome, testHome } from "../home.js";
import { fixturePrograms } from "./programs.js";

const program = fixturePrograms("rewriter");

/** Kills a writer again and again, each time at another moment, and looks at what it left. */
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

test("[AF1] a file whose writer is killed at any moment is the old one or the new one", async () => {
  const home = testHome();
  const { paths } = openStores(home.env);
  await killing(home, "file", 10, () => {
    const text = readFileSync(paths.teams, "utf8");
    expect(text.length).toBe(2_000_000);
    expect(new Set(text).size).toBe(1);
  });
});

test("[QU2] queues whose mover is killed at any moment have every message, each with its own", async () => {
  const home = testHome();
  const { queues } = openStores(home.env);
  const groups = [
    ["a1", "a2", "a3"],
    ["b1", "b2"],
  ];
  for (const text of groups[0]!) await queues.append("t:0.0", "inform", text);
  for (const text of groups[1]!) await queues.append("t:0.1", "inform", text);
  await killing(home, "queues", 25, () => {
    const texts = (["t:0.0", "t:0.1"] as const).map((pane) =>
      queues.read(pane).messages.map(({ text }) => text),
    );
    expect(texts.sort()).toEqual(groups);
  });
});
