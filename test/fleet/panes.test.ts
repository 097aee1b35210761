import { join } from "node:path";
import { expect, test } from "vitest";
import * as processes from "../../src/base/system/processes.js";
import { observePanes } from "../../src/fleet/panes.js";
import { openTmux } from "../../src/tmux/tmux.js";
import { demoAgent, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5";

function worldOf(home: TestHome) {
  return { env: home.env, tmux: openTmux({ env: home.env }), processes };
}

test("forty panes are one tmux spawn (incident 61)", async () => {
  const home = testHome();
  for (const team of ["a", "b", "c", "d"]) tmuxTeam(home, team, 10);
  const world = worldOf(home);
  const fleet = await observePanes(world);
  expect(fleet.panes).toHaveLength(40);
  expect(world.tmux.spawns).toBe(1);
});

test("after an end that tmux missed, it is asked once more", async () => {
  const home = testHome();
  home.tmux("new-session", "-d", "-s", "a", "cat");
  home.tmux("set-option", "-p", "-t", "=a:0.0", "remain-on-exit", "on");
  // In a later second than the server's start, so that the time of the end is found in the listing.
  const begun = home.tmux("display-message", "-p", "#{start_time}").trim();
  await until("another second", () => Math.floor(Date.now() / 1000) > Number(begun));
  home.tmux("respawn-pane", "-k", "-t", "=a:0.0", "env", "true");
  const deadTime = () => home.tmux("display-message", "-p", "-t", "=a:0.0", "#{pane_dead_time}").trim();
  const ended = await until("its end", () => {
    // tmux may miss the end of a quick program; another child makes it collect both.
    home.tmux("run-shell", "true");
    return deadTime() || null;
  });
  const world = worldOf(home);
  const { tmux } = world;
  const answers: boolean[] = [];
  const attempt: typeof tmux.attempt = async (commands) => {
    const answer = await tmux.attempt(commands);
    const isListing = answer.stdout.includes(ended);
    answers.push(isListing);
    // As tmux lists a pane whose program's end it missed.
    return isListing && answers.length === 1
      ? { ...answer, stdout: answer.stdout.replace(ended, "") }
      : answer;
  };
  const { panes } = await observePanes({ ...world, tmux: { ...tmux, attempt } });
  expect(panes[0]).toMatchObject({ dead: true, deadStatus: 0, deadAtMs: Number(ended) * 1000 + 999 });
  expect(answers).toEqual([true, false, true]);
});

test("looking changes neither tmux nor the disk", async () => {
  const home = testHome();
  tmuxTeam(home, "a", 3);
  const look = () =>
    home.tmux(
      "list-panes",
      "-a",
      "-F",
      "#{pane_id} #{pane_title} #{pane_active} #{pane_width}x#{pane_height} #{@hivemind}",
    ) + home.tmux("show-options", "-g");
  const before = [look(), contentsOf(home.home)];
  await observePanes(worldOf(home));
  expect([look(), contentsOf(home.home)]).toEqual(before);
});

test("an agent without CLAUDE_CONFIG_DIR is found in the standard folder, whatever the observer has", async () => {
  const home = testHome();
  const standard = join(home.home, ".claude");
  const env = paneVariables({ ...home.env, CLAUDE_CONFIG_DIR: standard });
  const agent = [process.execPath, demoAgent, "--session-id", uuid];
  home.tmux("new-session", "-d", "-s", "a", "-c", home.work, ...env, ...agent);
  // The demo agent needs one to start; it is only hidden here.
  const world = { ...worldOf(home), processes: { ...processes, readProcessVariable: () => null } };
  const pane = await until("the agent is up", async () => {
    const [pane] = (await observePanes(world)).panes;
    return pane!.live && pane;
  });
  expect(pane).toMatchObject({ folder: standard, live: { sessionId: uuid } });
});

test("no server is an empty fleet, a dead pane is no agent", async () => {
  const home = testHome();
  expect(await observePanes(worldOf(home))).toMatchObject({ server: null, panes: [] });
  home.tmux("new-session", "-d", "-s", "a", "cat");
  home.tmux("set-option", "-p", "-t", "=a:0.0", "remain-on-exit", "on");
  home.tmux("respawn-pane", "-k", "-t", "=a:0.0", "env", "false");
  const pane = await until("the pane is dead", async () =>
    (await observePanes(worldOf(home))).panes.find(({ dead }) => dead),
  );
  expect(pane).toMatchObject({ kind: "shell", process: null, live: null });
});
