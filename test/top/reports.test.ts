import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { reread } from "../../src/fleet/activity/reread.js";
import type { AgentView } from "../../src/fleet/view.js";
import { openHive } from "../../src/hive/hive.js";
import { glanceAt } from "../../src/tmux/glance.js";
import { patchedFleet } from "../../src/watch/follow/patch-view.js";
import { demoAgent } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";

async function openFleet(home: TestHome) {
  const hive = openHive({ env: home.env });
  home.tmux(
    "new-session",
    "-d",
    "-x",
    "120",
    "-y",
    "40",
    "-s",
    "web",
    "-c",
    home.work,
    process.execPath,
    demoAgent,
  );
  const seen = await until("the agent is idle", async () => {
    const overview = await hive.overview();
    const isIdle = overview.fleet.teams[0]?.agents[0]?.activity === "idle";
    return isIdle && overview.reporters.size === 1 ? overview : null;
  });
  return { hive, seen };
}

test.each([
  ["busy", "[hold] a task"],
  ["waiting", "[ask] may I"],
  ["idle", "hello there"],
  ["error", "[error] fail"],
])("an agent that turns %s is read again as a look sees it", async (activity, message) => {
  const home = testHome();
  const { hive, seen } = await openFleet(home);
  const [path, reporter] = [...seen.reporters][0]!;
  const before = readFileSync(path, "utf8");
  home.tmux("send-keys", "-t", "web:", "-l", message, ";", "send-keys", "-t", "web:", "Enter");
  let last = "";
  // A look that came in the middle of the turn may have seen half of it.
  const look = await until(`two looks agree on ${activity}`, async () => {
    const { fleet } = await hive.overview();
    const isNew = readFileSync(path, "utf8") !== before;
    const [is, was] = [JSON.stringify(fleet), last];
    last = is;
    return isNew && is === was && fleet.teams[0]!.agents[0]!.activity === activity ? fleet : null;
  });
  const read = reread(reporter, Date.now());
  if (read.is !== "new") throw new Error(`nothing new: ${read.is}`);
  const patched = patchedFleet(seen.fleet, new Map([[reporter.pane.id, read.doing]]));
  const parts = (agent: AgentView) => ({
    ...{ activity: agent.activity, since: agent.since, waitingFor: agent.waitingFor, until: agent.until },
    // A screen shows only the beginning of a long error.
    about: agent.about?.slice(0, 60),
    // A look also finds what the agent said before it asked.
    lastWords: agent.activity === "waiting" ? null : agent.lastWords,
  });
  expect(parts(patched.teams[0]!.agents[0]!)).toEqual(parts(look.teams[0]!.agents[0]!));
  expect(reread(read.reporter, Date.now())).toEqual({ is: "same" });
});

test("another conversation in the same process is for a look", async () => {
  const home = testHome();
  const { hive, seen } = await openFleet(home);
  const [reporter] = [...seen.reporters.values()];
  home.tmux("send-keys", "-t", "web:", "-l", "/clear", ";", "send-keys", "-t", "web:", "Enter");
  const { uuid } = seen.fleet.teams[0]!.agents[0]!;
  await until(
    "another session",
    async () => (await hive.overview()).fleet.teams[0]!.agents[0]!.uuid !== uuid,
  );
  expect(reread(reporter!, Date.now())).toEqual({ is: "unclear" });
});

test("a glance sees new, moved and closed panes, and what a pane shows", async () => {
  const home = testHome();
  const { hive, seen } = await openFleet(home);
  const glance = () => glanceAt(hive.tmux, seen.reporters.values().next().value!.pane.id);
  const first = await glance();
  expect(first.places).toBe(seen.places);
  expect(first.screen).toContain("❯");
  home.tmux("split-window", "-d", "-t", "web:", "cat");
  const split = await glance();
  expect(split.places).not.toBe(first.places);
  expect(split.places).toBe((await hive.overview()).places);
  home.tmux("swap-pane", "-d", "-s", "web:0.0", "-t", "web:0.1");
  expect((await glance()).places).not.toBe(split.places);
  home.tmux("kill-server");
  expect(await glance()).toEqual({ places: "", screen: null });
});
