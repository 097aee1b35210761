import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { applySizes } from "../../src/layout/apply-sizes.js";
import type { TeamName } from "../../src/names/gates.js";
import { hivemind, json } from "../command.js";
import { type TestHome, until } from "../home.js";
import { openTerminal, screenHome } from "../viewer/screens.js";

const sizes = (home: TestHome, team: string) =>
  home.tmux("list-windows", "-t", `=${team}`, "-F", "#{window_width}x#{window_height}").trim().split("\n");

function registered(home: TestHome, team: string, width: number, height: number): void {
  home.tmux("new-session", "-d", "-x", String(width), "-y", String(height), "-s", team, "cat");
  hivemind(home, ["team", "register", team]);
}

const attach = (home: TestHome, team: string, ...flags: string[]) => [
  ...["tmux", "-u", "-S", home.socket, "attach-session", ...flags, "-t", `=${team}`],
];

test("twenty dead read-only clients of 1×3 go, the teams get their size back, and keep it (incident 54)", async () => {
  const home = screenHome();
  registered(home, "web", 200, 50);
  registered(home, "api", 200, 50);
  hivemind(home, ["size", "lock", "web", "120x45"]);
  for (let at = 0; at < 20; at++) openTerminal(home, 1, 3, attach(home, at % 2 ? "web" : "api", "-r"));
  const clients = () =>
    home.tmux("list-clients", "-F", "#{client_width}x#{client_height}").match(/^1x3$/gm)?.length;
  await until("twenty clients", () => clients() === 20);
  await until(
    "what they do to the teams",
    () => sizes(home, "web")[0] === "1x2" && sizes(home, "api")[0] === "1x2",
  );

  // Those that attached a moment ago are left: their terminals might just be being opened.
  const told: string[] = [];
  await until("their end", () => {
    told.push(hivemind(home, ["size", "apply"]).stdout);
    return clients() === undefined;
  });
  expect(told.join("").match(/^detached .*, read-only, 1×3$/gm)).toHaveLength(20);
  expect(told.join("")).toMatch(/^web: @\d+ from 1×2 to 120×45$/m);
  expect([sizes(home, "web"), sizes(home, "api")]).toEqual([["120x45"], ["80x40"]]);
  expect(home.tmux("show-options", "-w", "-t", "=web:", "window-size")).toBe("");
  expect(hivemind(home, ["size.floor.apply"]).stdout).toBe("nothing to do\n");
});

test("a client that attaches later gets the window in its terminal's size; a read-only client is not disturbed", async () => {
  const home = screenHome();
  registered(home, "web", 60, 20);
  expect(hivemind(home, ["size", "lock", "web"]).stdout).toBe(
    "web: at least 80×40\nweb: @0 from 60×20 to 80×40\n",
  );
  openTerminal(home, 70, 21, attach(home, "web"));
  await until("the size of the terminal", () => sizes(home, "web")[0] === "70x20");
  expect(hivemind(home, ["size", "apply"]).stdout).toBe("nothing to do\n");
  expect(sizes(home, "web")).toEqual(["70x20"]);
  expect(json(home, ["size", "status"])).toMatchObject({
    teams: [
      {
        team: "web",
        lock: { width: 80, height: 40 },
        running: true,
        windows: [{ width: 70, height: 20 }],
        clients: [{ width: 70, height: 21, readOnly: false, counts: true }],
      },
    ],
  });
  expect(hivemind(home, ["size", "status"]).stdout).toMatch(/^web +80×40 +70×20 +\/dev\/\S+ 70×21$/m);
});

test("grouped tmux sessions, linked windows, any base-index, and a sizing that the user chose", async () => {
  const home = screenHome();
  home.tmux(
    "start-server",
    ";",
    "set-option",
    "-g",
    "base-index",
    "1",
    ";",
    "new-session",
    "-d",
    "-s",
    "first",
    "cat",
  );
  registered(home, "web", 60, 20);
  home.tmux("new-window", "-d", "-t", "=web:", "cat");
  home.tmux("set-option", "-w", "-t", "=web:2", "window-size", "smallest");
  home.tmux("new-session", "-d", "-t", "=web", "-s", "twin");
  registered(home, "api", 60, 20);
  home.tmux("link-window", "-s", "=web:1", "-t", "=api:5");
  const { stores, tmux } = openHive({ env: home.env });
  await stores.sizeLocks.update(() => [{ team: "web" as TeamName, width: 100, height: 41 }]);
  const { grown, stuck } = await applySizes({ tmux, stores });
  expect(stuck).toEqual([]);
  expect(grown.map(({ window, to }) => `${window.shownBy.join(" ")} ${to.width}x${to.height}`)).toEqual([
    "web twin api 100x41",
    "web twin 100x41",
  ]);
  expect([sizes(home, "web"), sizes(home, "api")]).toEqual([
    ["100x41", "100x41"],
    ["60x20", "100x41"],
  ]);
  const chosen = (window: string) => home.tmux("show-options", "-w", "-t", `=web:${window}`, "window-size");
  expect([chosen("1"), chosen("2")]).toEqual(["", "window-size smallest\n"]);
});

test("a window that does not keep its size is reported", async () => {
  const home = screenHome();
  registered(home, "web", 60, 20);
  home.tmux("set-hook", "-g", "after-resize-window", "resize-window -t =web: -x 60 -y 20");
  const { code, stdout, stderr } = hivemind(home, ["size", "lock", "web"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: "web: at least 80×40\n" });
  expect(stderr).toContain(
    "web: @0 does not stay at 80×40\n  see which client holds it: hivemind size status",
  );
  expect(hivemind(home, ["size", "apply"])).toMatchObject({ code: 1 });
});

test("watch applies the locks, and what collapsed comes back (incident 55)", () => {
  const home = screenHome();
  registered(home, "web", 60, 20);
  registered(home, "api", 200, 50);
  hivemind(home, ["size", "lock", "web"]);
  for (const team of ["web", "api"]) {
    home.tmux("resize-window", "-t", `=${team}:`, "-x", "1", "-y", "1");
    home.tmux("set-option", "-w", "-u", "-t", `=${team}:`, "window-size");
  }
  const { stdout } = hivemind(home, ["watch", "--once"]);
  expect(stdout).toContain("sized web: 80×40");
  expect([sizes(home, "web"), sizes(home, "api")]).toEqual([["80x40"], ["80x40"]]);
});

test("a size or team that is none is refused, and nothing is written", () => {
  const home = screenHome();
  registered(home, "web", 60, 20);
  for (const [args, code] of [
    [["lock", "web", "0x10"], 2],
    [["lock", "web", "10"], 2],
    [["lock", "web", "99999x10"], 2],
    [["lock", "nobody"], 1],
    [["lock", "../x"], 1],
    [["unlock", "web"], 1],
    [["apply", "nobody"], 1],
  ] as const)
    expect(hivemind(home, ["size", ...args]), args.join(" ")).toMatchObject({ code, stdout: "" });
  expect(openHive({ env: home.env }).stores.sizeLocks.read().rows).toEqual([]);
});
