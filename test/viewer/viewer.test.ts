import { execFile } from "node:child_process";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Hive } from "../../src/hive/hive.js";
import type { TeamName } from "../../src/names/gates.js";
import { keeperName } from "../../src/names/keeper-name.js";
import type { Screen } from "../../src/screen/screen.js";
import { setTitle } from "../../src/screen/window.js";
import { needViewer } from "../../src/viewer/look.js";
import { windowOf } from "../../src/viewer/team-windows.js";
import { setUpViewer, syncViewer } from "../../src/viewer/viewer.js";
import { hivemind, json, mainProgram, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { makeHome, type TestHome, until } from "../home.js";
import { openTerminal, pidOf, removeScreenHome, sockets, type Terminal } from "./screens.js";
import { noted, sizesOf, web, withTeams } from "./teams.js";

/** tmux moves the client of this team's window to another tmux session. */
function leadAway(home: TestHome, team: string, to: string): void {
  const clients = home.tmux("list-clients", "-F", "#{client_name} #{session_name}").trim().split("\n");
  const [client] = clients.find((line) => line.endsWith(` ${team}`))!.split(" ");
  home.tmux("switch-client", "-c", client!, "-t", `=${to}`);
}

describe.sequential("a viewer of three teams, with a terminal in front", () => {
  let home: TestHome;
  let hive: Hive;
  let terminal: Terminal;
  const caption = () => terminal.lines().filter(Boolean).at(-1)?.trim();
  const title = async (window: number) =>
    (await needViewer(hive.viewerWorld)).windows.find(({ number }) => number === window)?.title;
  const audit = () => hivemind(home, ["consistency", "audit", "--json"]);
  const violations = () =>
    JSON.parse(audit().stdout).violations.map((row: Record<string, string>) =>
      ["severity", "invariant", "store", "op", "key", "expected", "actual"]
        .map((key) => row[key] ?? "–")
        .join(" "),
    );

  beforeAll(() => {
    home = makeHome();
    hive = withTeams(home, "web", "api", "ops");
  });
  afterAll(() => removeScreenHome(home));

  test("only a set-up starts it (incident 57)", () => {
    for (const args of [
      ["sync"],
      ["verify"],
      ["fit"],
      ["switch", "web"],
      ["add", "web"],
      ["remove", "web"],
    ]) {
      const { code, stdout, stderr } = hivemind(home, ["monitor", ...args]);
      expect({ code, stdout }, args.join(" ")).toEqual({ code: 1, stdout: "" });
      expect(stderr).toContain("no viewer is running\n  start it: hivemind monitor setup");
    }
    expect(hivemind(home, ["monitor"])).toMatchObject({ code: 0, stdout: "No viewer is running.\n" });
    expect(json(home, ["monitor", "list"])).toEqual({ version: 1, viewer: null, windows: [] });
    expect(hivemind(home, ["monitor", "reset"]).stdout).toContain("nothing to do");
    expect(sockets(home)).toEqual([]);
  });

  test("it is set up with one window per team, and no team takes its size from it", async () => {
    const { code, stdout } = hivemind(home, ["monitor", "setup"]);
    expect(code).toBe(0);
    const id = `${pidOf(home, "tronMon")}.tronMon`;
    expect(stdout).toBe(
      `web: window 1\napi: window 2\nops: window 3\nto see it, in a terminal: screen -x ${id} -p 1\n`,
    );
    expect(noted(hive)).toEqual(["1 web", "2 api", "3 ops"]);
    expect(sizesOf(home)).toEqual(expect.arrayContaining(["web 200x50", "api 200x50", "ops 200x50"]));
    const flags = home.tmux("list-clients", "-F", "#{session_name} #{client_flags}").trim().split("\n");
    for (const team of ["web", "api", "ops"])
      expect(flags.find((line) => line.startsWith(`${team} `))).toMatch(/ignore-size.*read-only/);
    expect(hivemind(home, ["monitor", "setup"]).stdout).toContain("nothing to do");
  });

  test("without a terminal nothing can be shown, and the error says how to attach", () => {
    const { code, stdout, stderr } = hivemind(home, ["monitor", "switch", "ops"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(
      /no terminal is attached to the viewer\n {2}in a terminal: screen -x \d+\.tronMon -p 3/,
    );
    expect(hivemind(home, ["monitor", "fit"])).toMatchObject({ code: 1 });
    for (const verb of ["switch", "add"])
      expect(hivemind(home, ["monitor", verb, "nope"]).stderr).toContain("there are: web, api, ops; ");
  });

  test("a switch shows the team, and reports it only after it was seen (incident 56)", async () => {
    terminal = openTerminal(home, 90, 30, ["screen", "-x", `${pidOf(home, "tronMon")}.tronMon`, "-p", "1"]);
    await until("the caption", () => caption() === "1 web");
    expect(hivemind(home, ["tronMonitor.switch", "ops"])).toEqual({
      code: 0,
      stdout: "the viewer shows ops (window 3)\n",
      stderr: "",
    });
    await until("the caption", () => caption() === "3 ops");
    expect(terminal.lines().some((line) => line.startsWith("[ops]"))).toBe(true);
    expect(json(home, ["monitor", "list"])).toMatchObject({
      viewer: { attached: true, shown: 3 },
      windows: [
        { window: 1, team: "web", state: "ready", shows: "web" },
        { window: 2, team: "api", state: "ready" },
        { window: 3, team: "ops", state: "shown", shows: "ops" },
      ],
    });
    expect(json(home, ["monitor", "verify"])).toEqual({
      version: 1,
      shown: { window: 3, named: "ops", shows: "ops" },
      differences: [],
    });
    expect(hivemind(home, ["monitor", "fit"]).code).toBe(0);
    expect(sizesOf(home)).toContain("ops 200x50");
  });

  test("after one team is removed and another added, numbers are right and the front window stays", async () => {
    expect(hivemind(home, ["monitor", "remove", "api"]).stdout).toBe("removed api from the viewer\n");
    expect(hivemind(home, ["monitor", "remove", "api"])).toMatchObject({ code: 1 });
    expect(noted(hive)).toEqual(["1 web", "3 ops"]);
    withTeams(home, "late");
    expect(noted(hive)).toEqual(["1 web", "2 late", "3 ops"]);
    expect(hivemind(home, ["monitor", "add", "api"]).stdout).toBe("api: window 4\n");
    expect(hivemind(home, ["monitor", "add", "api"]).stdout).toBe("api already has a window\n");
    expect(noted(hive)).toEqual(["1 web", "2 late", "3 ops", "4 api"]);
    expect(hivemind(home, ["monitor", "verify"])).toMatchObject({ code: 0 });
    expect(hivemind(home, ["monitor", "sync"]).stdout).toContain("nothing to do");
    await until("the caption", () => caption() === "3 ops");
  });

  test("team events: a renamed team keeps its number, a removed one loses its window", async () => {
    hivemind(home, ["team", "rename", "late", "later"]);
    expect(noted(hive)).toEqual(["1 web", "2 later", "3 ops", "4 api"]);
    expect(await title(2)).toBe("later");
    hivemind(home, ["team", "remove", "later", "--yes"]);
    expect(noted(hive)).toEqual(["1 web", "3 ops", "4 api"]);
    expect(await title(2)).toBeUndefined();
    expect(hivemind(home, ["monitor", "verify"])).toMatchObject({ code: 0 });
  });

  test("I7: a window that shows another team than its name is reported, and left to a person (incident 56)", async () => {
    hivemind(home, ["monitor", "switch", "web"]);
    leadAway(home, "web", "ops");
    const before = contentsOf(home.config);
    expect(violations()).toEqual(["critical I7 S8 report web web ops"]);
    const { code, stdout } = hivemind(home, ["consistency", "fix", "--yes"]);
    expect(code).toBe(1);
    expect(stdout).toContain("hivemind monitor sync");
    expect(contentsOf(home.config)).toEqual(before);
    expect(hivemind(home, ["monitor", "verify"])).toMatchObject({
      code: 1,
      stdout: "window 1 is for web but shows ops\n",
    });
    expect(hivemind(home, ["monitor", "switch", "web"]).stderr).toContain("its window shows ops");
    // Also while another window is in front.
    expect(hivemind(home, ["monitor", "switch", "ops"]).code).toBe(0);
    expect(violations()).toEqual(["critical I7 S8 report web web ops"]);
    expect(hivemind(home, ["monitor", "verify"]).code).toBe(1);
    const { screen } = hive.viewerWorld;
    await screen.run("-S", (await needViewer(hive.viewerWorld)).session.id, "-X", "select", "1");
  });

  test("until the right team is seen the title has a question mark", async () => {
    expect(hivemind(home, ["monitor", "sync"]).stdout).toBe("web: window 1\nended 1 window\n");
    expect([await title(1), audit().code]).toEqual(["web", 0]);
    home.tmux("set-hook", "-g", "client-attached", "switch-client -t =ops");
    leadAway(home, "web", "ops");
    const { viewerWorld } = hive;
    await setTitle(viewerWorld.screen, (await needViewer(viewerWorld)).session.id, 1, "web?");
    const titles = new Set<string | undefined>();
    const syncing = execFile(process.execPath, [mainProgram, "monitor", "sync"], { env: home.env });
    let stderr = "";
    syncing.stderr!.on("data", (text) => (stderr += text));
    while (syncing.exitCode === null) titles.add(await title(1));
    const code = syncing.exitCode;
    home.tmux("set-hook", "-g", "-u", "client-attached");
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("web: its window shows ops"),
    });
    titles.delete(undefined);
    expect([...titles, audit().code]).toEqual(["web?", 0]);
    expect(hivemind(home, ["monitor", "verify"])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("window 1 is for web but shows ops"),
    });
    expect(hivemind(home, ["monitor", "sync"]).code).toBe(0);
  });

  test("a window with a changed title still belongs to its team, and gets its title back", async () => {
    const { viewerWorld } = hive;
    await setTitle(viewerWorld.screen, (await needViewer(viewerWorld)).session.id, 1, "mine");
    expect(windowOf(await needViewer(viewerWorld), web)).toMatchObject({ window: 1, state: "shown" });
    expect((await syncViewer(viewerWorld)).opened).toEqual([]);
    expect(await title(1)).toBe("web");
  });

  test("I4: a row of an unregistered team is found, its window ended, and the rest stays", async () => {
    const { viewerWorld } = hive;
    tmuxTeam(home, "lost");
    await setUpViewer(viewerWorld, ["lost" as TeamName]);
    expect(violations()).toEqual(["medium I4 S8 remove lost – window 2"]);
    const touched = ["tronMonitor.env", "hivemind.events.log"];
    const others = () => Object.entries(contentsOf(home.config)).filter(([name]) => !touched.includes(name));
    const before = others();
    appendFileSync(join(home.config, "tronMonitor.env"), "# a comment\n");
    expect(hivemind(home, ["consistency", "fix", "--yes"])).toMatchObject({ code: 0 });
    expect(others()).toEqual(before);
    expect(await title(2)).toBeUndefined();
    expect(noted(hive)).toEqual(["1 web", "3 ops", "4 api"]);
    expect(contentsOf(home.config)["tronMonitor.env"]).toContain("# a comment");
    home.tmux("kill-session", "-t", "=lost");
  });

  test("S8 has the number that screen gave, whatever was requested", async () => {
    const { viewerWorld } = hive;
    const { screen } = viewerWorld;
    const run: Screen["run"] = async (...argv) => {
      // Another process is quicker.
      const at = argv.indexOf("screen");
      if (at > 0) await screen.run(...argv.slice(0, at), "screen", "-t", "mine", argv[at + 3]!, "cat");
      return screen.run(...argv);
    };
    hivemind(home, ["monitor", "remove", "api"]);
    await syncViewer({ ...viewerWorld, screen: { ...screen, run } }, ["api" as TeamName]);
    expect([await title(2), await title(4), ...noted(hive)]).toEqual([
      "mine",
      "api",
      "1 web",
      "3 ops",
      "4 api",
    ]);
    await screen.run("-S", (await needViewer(viewerWorld)).session.id, "-p", "2", "-X", "kill");
  });

  test("a person's own window stays, and a changed number is read again", async () => {
    const { screen } = hive.viewerWorld;
    const id = `${pidOf(home, "tronMon")}.tronMon`;
    await screen.run("-S", id, "-X", "screen", "-t", "mine", "2", "cat");
    await screen.run("-S", id, "-p", "4", "-X", "number", "7");
    expect(hivemind(home, ["monitor", "verify"])).toMatchObject({
      code: 1,
      stdout: "api is in window 7, recorded as 4\n",
    });
    expect(hivemind(home, ["monitor", "sync"]).stdout).toBe("updated the window numbers\n");
    expect(noted(hive)).toEqual(["1 web", "3 ops", "7 api"]);
    expect(await title(2)).toBe("mine");
  });

  test("after the tmux server dies and a team comes back, so do its window and the keeper", async () => {
    home.tmux("kill-server");
    const isEmpty = () => needViewer(hive.viewerWorld).then((look) => look.clients.length === 0);
    await until("windows without teams", () => isEmpty().catch(() => false));
    expect(hivemind(home, ["monitor", "sync"])).toMatchObject({ code: 0 });
    expect(noted(hive)).toEqual(["1 web", "3 ops", "7 api"]);
    expect(() => home.tmux("list-sessions"), "no server is started for it").toThrow();
    tmuxTeam(home, "web");
    await hive.emit({ name: "team.restored", team: web, snapshot: "x" });
    expect(windowOf(await needViewer(hive.viewerWorld), web)).toMatchObject({ window: 1, shows: "web" });
    expect(sizesOf(home)).toContain("web 200x50");
    expect(home.tmux("list-clients", "-F", "#{session_name}")).toContain(keeperName);
  });

  test("a reset ends exactly the viewer and its keeper, and forgets the windows", async () => {
    await hive.viewerWorld.screen.run("-dmS", "tronMonitor", "cat");
    await until("a session of a longer name", () =>
      sockets(home).some((name) => name.endsWith(".tronMonitor")),
    );
    expect(hivemind(home, ["monitor", "reset"])).toMatchObject({ code: 0 });
    await until("the end of the keeper", () => sockets(home).length === 1);
    expect(sockets(home)).toEqual([expect.stringMatching(/\.tronMonitor$/)]);
    expect(noted(hive)).toEqual([]);
    expect(sizesOf(home)).toEqual(["web 200x50"]);
  });
});
