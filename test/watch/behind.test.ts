import { appendFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Hive, openHive } from "../../src/hive/hive.js";
import { unwritten } from "../../src/watch/behind.js";
import { type TestHome, testHome } from "../home.js";

async function behind(hive: Hive): Promise<string[]> {
  return unwritten(await hive.observe(), [], hive.stores, Date.now());
}

const roles = ({ config }: TestHome) => join(config, "hivemind.roles.env");

/** A team of three panes, of which somebody has just named two. */
async function settled() {
  const home = testHome();
  home.tmux("new-session", "-d", "-s", "web", "-x", "200", "-y", "50", "cat");
  for (const _ of [1, 2]) home.tmux("split-window", "-d", "-t", "=web:0.0", "cat");
  const hive = openHive({ env: home.env });
  mkdirSync(home.config, { recursive: true });
  writeFileSync(roles(home), "web:0.0|po\nweb:0.1|dev\n");
  return { home, hive };
}

test("what others wrote is left to write, and after one change nothing is", async () => {
  const { hive } = await settled();
  expect((await behind(hive)).length).toBeGreaterThan(0);
  await hive.change();
  expect(await behind(hive)).toEqual([]);
});

test.each<[string, (home: TestHome) => void]>([
  ["two panes changed places", ({ tmux }) => tmux("swap-pane", "-s", "=web:0.0", "-t", "=web:0.1")],
  ["a pane was closed", ({ tmux }) => tmux("kill-pane", "-t", "=web:0.1")],
  ["the tmux session was renamed", ({ tmux }) => tmux("rename-session", "-t", "=web", "ops")],
  ["the roles were removed", (home) => rmSync(roles(home))],
  ["a role was added", (home) => appendFileSync(roles(home), "web:0.2|qa\n")],
  ["a role was edited", (home) => writeFileSync(roles(home), "web:0.0|lead\nweb:0.1|dev\n")],
  ["a pane lost its option", ({ tmux }) => tmux("set-option", "-pu", "-t", "=web:0.0", "@hivemind_agent")],
  [
    "somebody replaced the link of a queue",
    ({ config }) => {
      const path = join(config, "hivemind.queue", "web_0_0.queue");
      rmSync(path);
      writeFileSync(path, "1700000000|inform|hello\n");
    },
  ],
])(
  "where %s there is the same left to write at each look, and after a change nothing",
  async (_, disturb) => {
    const { home, hive } = await settled();
    await hive.change();
    disturb(home);
    const first = await behind(hive);
    expect(first.length).toBeGreaterThan(0);
    expect(await behind(hive)).toEqual(first);
    await hive.change();
    expect(await behind(hive)).toEqual([]);
  },
);
