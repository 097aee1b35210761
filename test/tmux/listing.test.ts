import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { teamName } from "../../src/names/gates.js";
import { findPane, findTmuxSession, listServer } from "../../src/tmux/listing.js";
import { killPane, setPaneOption, setPaneTitle } from "../../src/tmux/pane.js";
import { killSession, newSession, renameSession } from "../../src/tmux/session.js";
import { openTmux } from "../../src/tmux/tmux.js";
import { newWindow } from "../../src/tmux/window.js";
import { type TestHome, testHome, until } from "../home.js";
import { look, openTestSession, openTestTmux } from "./open.js";

test("a pane is listed with all its fields", async () => {
  const { home, tmux, pane } = await openTestSession({ windowName: "main" });
  home.tmux("split-window", "-d", "-t", pane, "cat");
  await until("cat runs", async () => (await look(tmux, pane)).command === "cat");
  const { server, panes } = await listServer(tmux);
  expect(panes).toHaveLength(2);
  expect(panes[0]).toMatchObject({
    id: pane,
    address: "team:0.0",
    sessionName: "team",
    sessionId: "$0",
    sessionGroup: null,
    sessionAttached: 0,
    windowId: "@0",
    windowIndex: 0,
    windowName: "main",
    windowActive: true,
    windowWidth: 120,
    windowHeight: 40,
    windowZoomed: false,
    paneIndex: 0,
    paneActive: true,
    command: "cat",
    width: 120,
    height: 20,
    left: 0,
    top: 0,
    dead: false,
    deadStatus: null,
    inMode: false,
    synchronized: false,
    cursorX: 0,
    cursorY: 0,
    hivemind: "",
    team: "",
    alsoAt: [],
  });
  expect(panes[0]?.pid).toBeGreaterThan(0);
  expect(panes[0]?.tty).toMatch(/^\/dev\//);
  expect(panes[0]?.windowLayout).toMatch(/^[0-9a-f]{4},120x40,0,0\[/);
  expect(panes[1]).toMatchObject({ address: "team:0.1", top: 21, paneActive: false });
  expect(server?.socketPath).toBe(home.socket);
  expect(server?.pid).toBe(Number(home.tmux("display-message", "-p", "#{pid}")));
  expect(server?.startedAtMs).toBe(Number(home.tmux("display-message", "-p", "#{start_time}")) * 1000);
});

test("more than thirty panes are one spawn (incident 61)", async () => {
  const { home, tmux } = await openTestSession();
  home.tmux(...Array.from({ length: 33 }, () => ["new-window", "-d", "-t", "=team:", "cat", ";"]).flat());
  const before = tmux.spawns;
  expect((await listServer(tmux)).panes).toHaveLength(34);
  expect(tmux.spawns).toBe(before + 1);
});

const hostile = ["#(touch hacked)", "#{pid}", "a#[b##[c", "##", "ends;", ";", "a b|c\"'", "✳ ü", "%H:%M"];

test.each(hostile)("the title %s arrives unchanged", async (title) => {
  const { home, tmux, pane } = await openTestSession();
  await setPaneTitle(tmux, pane, title);
  expect((await look(tmux, pane)).title).toBe(title);
  expect(existsSync(join(home.work, "hacked"))).toBe(false);
});

test.each(hostile.filter((name) => !name.includes(":")))("names %s arrive unchanged", async (name) => {
  const { tmux } = openTestTmux();
  const { sessionId, pane } = await newSession(tmux, { name, windowName: name, argv: ["cat"] });
  expect(await look(tmux, pane)).toMatchObject({ sessionName: name, windowName: name });
  await renameSession(tmux, sessionId, `x${name}`);
  const second = await newWindow(tmux, sessionId, { name, argv: ["cat"] });
  expect(await look(tmux, pane)).toMatchObject({ sessionName: `x${name}`, windowName: name });
  expect((await look(tmux, second)).windowName).toBe(name);
});

const folders = [
  ...hostile.filter((name) => !name.includes("/")),
  "new\nline\ttab",
  "\x1f\x1efield",
  " space ",
];

test.each(folders)(
  "[TL2] the folder %j arrives unchanged, in a new session, window and pane",
  async (name) => {
    const home = testHome();
    const tmux = openTmux({ env: home.env, configFile: "/dev/null" });
    const cwd = join(home.work, name);
    mkdirSync(cwd);
    const { sessionId } = await newSession(tmux, { name: "team", cwd, argv: ["cat"] });
    await newWindow(tmux, sessionId, { cwd, argv: ["cat"] });
    await until("all sit in the folder", async () => {
      const { panes } = await listServer(tmux);
      return panes.length === 2 && panes.every((pane) => pane.cwd === printed(home, cwd));
    });
    expect(existsSync(join(home.work, "hacked"))).toBe(false);
  },
);

/** As this tmux prints the text: 3.4 to 3.5a print control characters as `\037`, except tabs and line ends. */
function printed(home: TestHome, text: string): string {
  if (!/ 3\.[45]a?$/.test(home.tmux("-V").trim())) return text;
  const octal = (char: string) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
  return text.replace(/[\x00-\x08\x0b-\x1f]/g, octal);
}

test("[TL2] a title full of separators adds neither field nor pane", async () => {
  const { home, tmux, pane } = await openTestSession();
  const title = "\x1f\x1f\x1e\n%9\x1f$9\x1fforged";
  await setPaneOption(tmux, pane, "@hivemind", title);
  const { panes } = await listServer(tmux);
  expect(panes.map(({ id }) => id)).toEqual([pane]);
  expect(panes[0]?.hivemind).toBe(printed(home, title));
});

test("[TL3] a pane of grouped sessions and linked windows is listed once, where the oldest has it", async () => {
  const { home, tmux, pane } = await openTestSession();
  home.tmux("new-session", "-d", "-s", "another", "cat");
  home.tmux("new-session", "-d", "-t", "team", "-s", "aaa");
  home.tmux("link-window", "-d", "-s", "=team:0", "-t", "=another:7");
  const listing = await listServer(tmux);
  const { panes, sessions } = listing;
  expect(panes).toHaveLength(2);
  expect(sessions.map(({ name }) => name)).toEqual(["aaa", "another", "team"]);
  expect(findTmuxSession(listing, "aaa")).toBe("$2");
  const shared = panes.find(({ id }) => id === pane);
  expect(shared).toMatchObject({
    address: "team:0.0",
    sessionGroup: "team",
    alsoAt: ["another:7.0", "aaa:0.0"],
  });
  expect(findPane(listing, "aaa:0.0")).toBe(shared);
});

test("[TL4] a name does not match a longer one (incident 58)", async () => {
  const { tmux } = await openTestSession({ name: "name2" });
  const listing = await listServer(tmux);
  expect(findTmuxSession(listing, "name")).toBeNull();
  expect(findPane(listing, "name:0.0")).toBeNull();
  expect(findPane(listing, "name2:0.0")?.id).toBe("%0");
  await expect(killSession(tmux, teamName("name"))).rejects.toMatchObject({ reason: "no-target" });
  await expect(renameSession(tmux, teamName("name"), "x")).rejects.toMatchObject({ reason: "no-target" });
  await expect(newWindow(tmux, teamName("name"))).rejects.toMatchObject({ reason: "no-target" });
  expect(findTmuxSession(await listServer(tmux), "name2")).toBe("$0");
});

test("[TL4] a missing pane is null, not the current one (incident 2)", async () => {
  const { tmux } = await openTestSession();
  const listing = await listServer(tmux);
  for (const name of ["%9", "team:0.9", "team:9.0"] as const) expect(findPane(listing, name)).toBeNull();
});

test("addresses begin where the user's configuration says", async () => {
  const home = testHome();
  const configFile = join(home.root, "tmux.conf");
  writeFileSync(configFile, "set -g base-index 1\nset -g pane-base-index 1\n");
  const tmux = openTmux({ env: home.env, configFile });
  await newSession(tmux, { name: "team", argv: ["cat"] });
  expect((await listServer(tmux)).panes[0]).toMatchObject({
    address: "team:1.1",
    windowIndex: 1,
    paneIndex: 1,
  });
});

test("copy mode, synchronized keys and zoom are reported", async () => {
  const { home, tmux, pane } = await openTestSession();
  home.tmux("split-window", "-d", "-t", pane, "cat", ";", "copy-mode", "-t", pane);
  home.tmux("set-option", "-w", "-t", pane, "synchronize-panes", "on", ";", "resize-pane", "-Z", "-t", pane);
  expect(await look(tmux, pane)).toMatchObject({ inMode: true, synchronized: true, windowZoomed: true });
});

test("a pane option is set and removed, and an option of the server shows through", async () => {
  const { home, tmux, pane } = await openTestSession();
  await setPaneOption(tmux, pane, "@hivemind", "%0|team:0.0|dev;");
  expect((await look(tmux, pane)).hivemind).toBe("%0|team:0.0|dev;");
  home.tmux("set-option", "-p", "-u", "-t", pane, "@hivemind");
  expect((await look(tmux, pane)).hivemind).toBe("");
  home.tmux("set-option", "-s", "@hivemind", "%7|else:0.0|x");
  expect((await look(tmux, pane)).hivemind).toBe("%7|else:0.0|x");
});

test("[TL5] a truncated answer is a failure (incident 64)", async () => {
  const { tmux } = await openTestSession();
  await newWindow(tmux, teamName("team"), { argv: ["cat"] });
  for (const lines of [0, 1, 2, 2.5, 3]) {
    const short: typeof tmux = {
      ...tmux,
      async attempt(commands, input) {
        const answer = await tmux.attempt(commands, input);
        const all = answer.stdout.split("\n");
        const half = all[Math.floor(lines)]!.slice(0, lines % 1 === 0 ? 0 : 40);
        return { ...answer, stdout: [...all.slice(0, lines), half].join("\n") };
      },
    };
    await expect(listServer(short)).rejects.toThrow("unreadable answer");
  }
  expect((await listServer(tmux)).panes).toHaveLength(2);
});

test("[TL6] panes whose visible screen matches a pattern are reported in the same spawn", async () => {
  const { home, tmux, pane } = await openTestSession();
  home.tmux("split-window", "-d", "-t", pane, "echo 'a word, #{pane_id} } of trouble'; exec cat");
  await until("its words", () => home.tmux("capture-pane", "-p", "-t", "=team:0.1").includes("trouble"));
  const before = tmux.spawns;
  const { panes } = await listServer(tmux, { search: "no such thing|of (some )?trouble" });
  expect(panes.map(({ matches }) => matches)).toEqual([false, true]);
  expect((await listServer(tmux)).panes.map(({ matches }) => matches)).toEqual([false, false]);
  expect(tmux.spawns).toBe(before + 2);
});

test("[TL6] panes whose visible screen lacks a row are reported in the same spawn", async () => {
  const { home, tmux, pane } = await openTestSession();
  home.tmux("split-window", "-d", "-t", pane, "printf '\\342\\235\\257\\302\\240\\n'; exec cat");
  home.tmux(
    "split-window",
    "-d",
    "-t",
    pane,
    "printf '\\342\\235\\257 said\\n x\\342\\235\\257\\302\\240\\n'; exec cat",
  );
  await until("a prompt", () => home.tmux("capture-pane", "-p", "-t", "=team:0.2").includes("❯"));
  await until("a message", () => home.tmux("capture-pane", "-p", "-t", "=team:0.1").includes("said"));
  const { panes } = await listServer(tmux, { lacking: "^(❯|!)\u00a0" });
  expect(panes.map(({ matches }) => matches)).toEqual([true, true, false]);
});

test("[TL1] a server that ends during the query is no failure", async () => {
  const { tmux } = openTestTmux();
  for (let turn = 0; turn < 40; turn++) {
    const { pane } = await newSession(tmux, { name: "team", argv: ["cat"] });
    await killPane(tmux, pane);
    expect((await listServer(tmux)).panes).toEqual([]);
  }
});
