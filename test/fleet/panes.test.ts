import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { observePanes } from "../../src/fleet/panes.js";
import * as processes from "../../src/processes/processes.js";
import { openTmux } from "../../src/tmux/tmux.js";
import { demoAgent, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5";

function worldOf(home: TestHome) {
  return { env: home.env, tmux: openTmux({ env: home.env }), processes };
}

test("[OB1] forty panes are one tmux spawn (incident 61)", async () => {
  const home = testHome();
  for (const team of ["a", "b", "c", "d"]) tmuxTeam(home, team, 10);
  const world = worldOf(home);
  const fleet = await observePanes(world);
  expect(fleet.panes).toHaveLength(40);
  expect(world.tmux.spawns).toBe(1);
});

test("[OB2] an agent started by hand from a shell is found, and a client it runs as a tool is not taken for it (incident 30)", async () => {
  const home = testHome();
  // A client of another name that starts the agent as its tool: both are recognised, the outer one counts.
  const outer = join(home.work, "claude");
  writeFileSync(outer, `#!/bin/sh\n"${process.execPath}" "${demoAgent}" --session-id ${uuid} -n inner\n`, {
    mode: 0o755,
  });
  tmuxTeam(home, "plain");
  const env = paneVariables(home.env);
  home.tmux("new-session", "-d", "-s", "nested", "-c", home.work, ...env, "sh", "-c", `sh ${outer}; true`);
  home.tmux(
    "new-session",
    "-d",
    "-s",
    "byhand",
    "-c",
    home.work,
    ...env,
    "sh",
    "-c",
    `"${process.execPath}" "${demoAgent}" --session-id ${uuid.replace("1", "2")} ; true`,
  );
  const world = worldOf(home);
  const find = async (team: string) =>
    (await observePanes(world)).panes.find(({ sessionName }) => sessionName === team)!;
  const byHand = await until("the agent is up", async () => {
    const pane = await find("byhand");
    return pane.live && pane;
  });
  expect(byHand).toMatchObject({
    kind: "demo",
    live: { sessionId: uuid.replace("1", "2"), activity: "idle" },
  });
  const nested = await until("the outer client is up", async () => {
    const pane = await find("nested");
    return pane.kind === "shell" ? null : pane;
  });
  expect(nested.kind).toBe("claude");
  expect(nested.live).toBeNull();
  expect(await find("plain")).toMatchObject({ kind: "shell", process: null, live: null });
});

test("[OB2] a script that only runs the client, and is called like it, is not taken for it", async () => {
  const home = testHome();
  const wrapper = join(home.work, "demo-agent.js");
  writeFileSync(wrapper, `"${process.execPath}" "${demoAgent}" "$@"\ntrue\n`);
  const started = ["sh", wrapper, "--session-id", uuid];
  home.tmux("new-session", "-d", "-s", "wrapped", "-c", home.work, ...paneVariables(home.env), ...started);
  const live = await until(
    "the client is up",
    async () => (await observePanes(worldOf(home))).panes[0]!.live,
  );
  expect(live.sessionId).toBe(uuid);
});

test("[OB2] of two jobs of one shell the one in the foreground is the pane's", async () => {
  const home = testHome();
  const shell = ["bash", "--norc", "-i"];
  home.tmux("new-session", "-d", "-s", "jobs", "-c", home.work, ...paneVariables(home.env), ...shell);
  const begin = (id: string) =>
    home.tmux(
      "send-keys",
      "-t",
      "=jobs:",
      `"${process.execPath}" "${demoAgent}" --session-id ${id}`,
      "Enter",
    );
  const up = (id: string) =>
    until(`${id} is up`, async () => {
      const [pane] = (await observePanes(worldOf(home))).panes;
      return pane!.live?.sessionId === id ? pane!.process : null;
    });
  const second = uuid.replace("1", "2");
  begin(uuid);
  process.kill((await up(uuid)).pid, "SIGSTOP");
  await until("the shell is back", () => /Stopped/.test(home.tmux("capture-pane", "-p", "-t", "=jobs:")));
  begin(second);
  expect((await up(second)).isForeground).toBe(true);
});

test("[OB3] looking leaves tmux and the disk as they were", async () => {
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

test("[OB4] an agent that was given no CLAUDE_CONFIG_DIR is known in the standard folder, whatever the looker has", async () => {
  const home = testHome();
  const standard = join(home.home, ".claude");
  const env = paneVariables({ ...home.env, CLAUDE_CONFIG_DIR: standard });
  const agent = [process.execPath, demoAgent, "--session-id", uuid];
  home.tmux("new-session", "-d", "-s", "a", "-c", home.work, ...env, ...agent);
  // The demo agent will not start without one: it is only not told here.
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
