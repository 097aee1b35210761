import { expect, test } from "vitest";
import * as processes from "../../src/base/system/processes.js";
import { lookAtScreens } from "../../src/fleet/activity/activity-screens.js";
import { noHooks } from "../../src/fleet/identity/hook-claims.js";
import { type FleetPane, observePanes, type Panes } from "../../src/fleet/panes.js";
import { openTmux } from "../../src/tmux/tmux.js";
import { tmuxTeam } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { showScreen } from "./shown-client.js";

const noTurn = () => null;

function openWorld(home: TestHome) {
  return { env: home.env, tmux: openTmux({ env: home.env }), processes };
}

/** Text written to a terminal a moment ago may not have reached tmux yet. */
async function settled(look: () => Promise<Panes>, isThere: (panes: readonly FleetPane[]) => boolean) {
  return until("the screens in tmux", async () => {
    const fleet = await look();
    return isThere(fleet.panes) ? fleet : null;
  });
}

test("only the screens that are needed are read, all in one spawn", async () => {
  const home = testHome();
  tmuxTeam(home, "shell");
  const told = {
    fine: await showScreen(home, "fine", "idle-after-reply", "idle"),
    failed: await showScreen(home, "failed", "error-500", "idle"),
    full: await showScreen(home, "full", "context-low", "idle"),
    quoted: await showScreen(home, "quoted", "idle-after-limit-decoy", "idle"),
    silent: await showScreen(home, "silent", "busy", null),
    asking: await showScreen(home, "asking", "dialog-permission", "waiting"),
    boxless: await showScreen(home, "boxless", "transcript-view", "idle"),
    chosen: await showScreen(home, "chosen", "dialog-rewind", "idle"),
    atWork: await showScreen(home, "atwork", "busy", "busy"),
  };
  const world = openWorld(home);
  const { panes } = await settled(
    () => observePanes(world),
    (all) =>
      all.filter(({ matches }) => matches).length >= 5 &&
      all.every(({ cursorY, kind }) => kind === "shell" || cursorY > 0),
  );
  const before = world.tmux.spawns;
  const seen = await lookAtScreens(world.tmux, panes, noHooks, noTurn);
  expect(world.tmux.spawns).toBe(before + 1);
  const activities = new Map([...seen].map(([id, each]) => [id, each?.activity ?? null]));
  expect(activities).toEqual(
    new Map([
      [told.failed, "error"],
      [told.full, "context-low"],
      [told.quoted, "idle"],
      [told.silent, "busy"],
      [told.boxless, "unknown"],
      [told.chosen, "waiting"],
    ]),
  );

  const all = await lookAtScreens(world.tmux, panes, noHooks, noTurn, "all");
  expect(all.get(told.asking)).toMatchObject({ activity: "waiting", about: "Do you want to proceed?" });
  expect(all.size).toBe(9);
});

test("if no screen is needed, none is read", async () => {
  const home = testHome();
  await showScreen(home, "fine", "idle-after-reply", "idle");
  await showScreen(home, "atwork", "busy", "busy");
  const world = openWorld(home);
  const { panes } = await settled(
    () => observePanes(world),
    (all) => all.every(({ live }) => live !== null),
  );
  const before = world.tmux.spawns;
  expect(await lookAtScreens(world.tmux, panes, noHooks, noTurn)).toEqual(new Map());
  expect(world.tmux.spawns).toBe(before);
});

test("a failed turn is reported without reading the screen, unless the agent is busy or waiting", async () => {
  const home = testHome();
  const failed = await showScreen(home, "failed", "idle-after-reply", "idle");
  await showScreen(home, "atwork", "busy", "busy");
  const world = openWorld(home);
  const { panes } = await settled(
    () => observePanes(world),
    (all) => all.every(({ live, matches }) => live !== null && !matches),
  );
  const before = world.tmux.spawns;
  const turn = { end: "error", words: "Overloaded", atMs: null } as const;
  const seen = await lookAtScreens(world.tmux, panes, noHooks, () => turn);
  expect([...seen]).toMatchObject([
    [failed, { activity: "error", about: "Overloaded", source: "transcript" }],
  ]);
  expect(world.tmux.spawns).toBe(before);
});

test("a pane that closed meanwhile counts as not looked at", async () => {
  const home = testHome();
  tmuxTeam(home, "stays");
  const gone = await showScreen(home, "gone", "busy", null);
  const kept = await showScreen(home, "kept", "busy", null);
  const world = openWorld(home);
  const { panes } = await observePanes(world);
  home.tmux("kill-pane", "-t", gone);
  expect([...(await lookAtScreens(world.tmux, panes, noHooks, noTurn)).keys()]).toEqual([kept]);
});
