import { describe, expect, test } from "vitest";
import type { ProcessInfo } from "../../src/base/system/process.js";
import { openHive } from "../../src/hive/hive.js";
import { keeperName } from "../../src/names/keeper-name.js";
import { ScreenError } from "../../src/screen/error.js";
import { openScreen, type Screen } from "../../src/screen/screen.js";
import { openFollower } from "../../src/viewer/follow.js";
import { lookAtViewer, needViewer } from "../../src/viewer/look.js";
import { resetViewer } from "../../src/viewer/reset.js";
import { windowOf } from "../../src/viewer/team-windows.js";
import {
  fitViewer,
  removeFromViewer,
  setUpViewer,
  switchViewer,
  syncViewer,
} from "../../src/viewer/viewer.js";
import { hivemind, json } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, until } from "../home.js";
import { pidOf, screenHome, signal, sockets } from "./screens.js";
import { noted, ops, sizesOf, web, withTeams } from "./teams.js";

test("a killed viewer ends its keeper, no team changes its size, and every command reports it", async () => {
  const home = screenHome();
  const hive = withTeams(home, "web", "ops");
  hivemind(home, ["monitor", "setup"]);
  signal(pidOf(home, "tronMon"), "SIGKILL");
  await until("its end", async () => (await lookAtViewer(hive.viewerWorld)) === null);
  for (const args of [["sync"], ["verify"], ["fit"], ["switch", "web"], ["add", "web"], ["remove", "web"]])
    expect(hivemind(home, ["monitor", ...args])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no viewer is running"),
    });
  expect(json(home, ["monitor", "list"])).toMatchObject({
    viewer: null,
    windows: [{ state: "no viewer" }, {}],
  });
  await until("the keeper's end", () => !sockets(home).some((name) => name.endsWith(keeperName)));
  expect(sizesOf(home)).toEqual(["ops 200x50", "web 200x50"]);
  expect(hivemind(home, ["team", "rename", "ops", "later"])).toMatchObject({ code: 0, stderr: "" });
  expect(noted(hive)).toEqual(["1 web", "2 later"]);
  expect(hivemind(home, ["monitor", "setup"]).stdout).toContain("web: window 1\nlater: window 2\n");
});

test("many processes look at once, each gets its answer, and nothing is left behind", async () => {
  const home = screenHome();
  const { viewerWorld } = withTeams(home, "web");
  await setUpViewer(viewerWorld, [web]);
  const before = [...sockets(home), ...Object.keys(contentsOf(home.config))];
  const looks = await Promise.all(Array.from({ length: 6 }, () => needViewer(viewerWorld)));
  expect(looks.map((look) => windowOf(look, web).state)).toEqual(looks.map(() => "ready"));
  expect([...sockets(home), ...Object.keys(contentsOf(home.config))]).toEqual(before);
});

test("a viewer that ends meanwhile counts as none, one that lives and is silent hangs", async () => {
  const home = screenHome();
  const { viewerWorld } = openHive({ env: home.env });
  const ask: Screen["ask"] = async (...argv) =>
    argv[0] === "-ls"
      ? { printed: "There is a screen on:\n\t7.tronMon\t(Detached)\n1 Socket in /s.\n", failure: null }
      : { printed: "", failure: new ScreenError("timeout", "no answer") };
  const looked = (found: ProcessInfo | null) => {
    const processes = { ...viewerWorld.processes, findProcess: () => found };
    return lookAtViewer({ ...viewerWorld, processes, screen: { ...viewerWorld.screen, ask } });
  };
  expect(await looked(null)).toBeNull();
  await expect(looked({ pid: 7 } as ProcessInfo)).rejects.toMatchObject({
    reason: "timeout",
    hint: expect.stringContaining("hivemind monitor reset"),
  });
});

test("two set-ups at once share one viewer", async () => {
  const home = screenHome();
  const { viewerWorld, ...hive } = withTeams(home, "web", "ops");
  await Promise.all([setUpViewer(viewerWorld, [web]), setUpViewer(viewerWorld, [ops])]);
  expect(sockets(home).filter((name) => name.endsWith(".tronMon"))).toHaveLength(1);
  expect(noted({ viewerWorld, ...hive }).map((row) => row.slice(2))).toEqual(["web", "ops"]);
});

describe("a viewer that hangs (incident 57)", () => {
  test("costs every command one question with a time limit, fails no event, and a reset ends it", async () => {
    const home = screenHome();
    const hive = withTeams(home, "web", "ops");
    await setUpViewer(hive.viewerWorld, [web, ops]);
    const pid = pidOf(home, "tronMon");
    const world = { ...hive.viewerWorld, screen: openScreen({ env: home.env, timeoutMs: 200 }) };
    signal(pid, "SIGSTOP");
    const hangs = { reason: "timeout", hint: expect.stringContaining("hivemind monitor reset"), exitCode: 3 };
    await expect(lookAtViewer(world)).rejects.toMatchObject(hangs);
    await expect(setUpViewer(world, [web])).rejects.toMatchObject(hangs);
    await expect(syncViewer(world)).rejects.toMatchObject(hangs);
    await expect(switchViewer(world, web)).rejects.toMatchObject(hangs);
    await expect(removeFromViewer(world, web)).rejects.toMatchObject(hangs);
    await expect(fitViewer(world)).rejects.toMatchObject(hangs);
    expect(noted(hive)).toEqual(["1 web", "2 ops"]);

    const renamed = hivemind(home, ["team", "rename", "ops", "later"]);
    expect(renamed).toMatchObject({ code: 0, stdout: "renamed ops to later\n" });
    expect(renamed.stderr).toContain("the viewer hangs");
    expect(noted(hive)).toEqual(["1 web", "2 later"]);

    expect(await resetViewer(world)).toEqual([pid]);
    expect(sockets(home).filter((name) => name.endsWith(".tronMon"))).toEqual([]);
    expect(sizesOf(home)).toEqual(["later 200x50", "web 200x50"]);
  });

  test("is asked once by many events, and reported once", async () => {
    const home = screenHome();
    const { viewerWorld } = withTeams(home, "web");
    await setUpViewer(viewerWorld, [web]);
    signal(pidOf(home, "tronMon"), "SIGSTOP");
    const told: string[] = [];
    const { screen, asked } = impatient(home);
    const viewer = openFollower({ ...viewerWorld, screen }, (warning) => told.push(warning));
    for (const team of [web, ops]) await viewer.added(team);
    expect(await viewer.differences()).toEqual([]);
    expect(told).toEqual([expect.stringMatching(/the viewer hangs.*hivemind monitor reset/)]);
    expect(asked).toEqual(["-ls", expect.stringContaining("-Q windows")]);
  });

  test("is not even asked without rows in S8", async () => {
    const home = screenHome();
    const { viewerWorld, stores } = withTeams(home, "web");
    const { screen, asked } = impatient(home);
    const viewer = openFollower({ ...viewerWorld, screen }, () => {});
    await viewer.added(web);
    await viewer.renamed(web, ops);
    await viewer.removed(web);
    expect([await viewer.differences(), asked, stores.viewerWindows.read().rows]).toEqual([[], [], []]);
  });
});

/** Waits only for a short while, and records the calls. */
function impatient(home: TestHome): { screen: Screen; asked: string[] } {
  const opened = openScreen({ env: home.env, timeoutMs: 200 });
  const asked: string[] = [];
  const ask: Screen["ask"] = (...argv) => {
    asked.push(argv.join(" "));
    return opened.ask(...argv);
  };
  return { screen: { ...opened, ask }, asked };
}
