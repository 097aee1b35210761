import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { TmuxError } from "../../src/tmux/error.js";
import { listServer } from "../../src/tmux/listing.js";
import { startProgram } from "../../src/tmux/program.js";
import { newSession } from "../../src/tmux/session.js";
import { openTmux } from "../../src/tmux/tmux.js";
import { type TestHome, testHome, until } from "../home.js";
import { look, openTestSession, openTestTmux } from "./open.js";

/** The first call of a short command waits in place, the others do not. */
const ways = [{ waitsFirst: false }, { waitsFirst: true }];

test("[TL1] no socket file is no server, and no server is an empty listing", async () => {
  const { tmux } = openTestTmux();
  expect(await listServer(tmux)).toEqual({ server: null, sessions: [], panes: [] });
});

test("[TL1] a socket file whose server ended is no server", async () => {
  const { home, tmux } = await openTestSession();
  home.tmux("kill-server");
  // While it is ending, it may still accept a call and never answer it: that is not "no server" yet.
  const listing = await until("it ended", () => listServer(tmux).catch(() => null));
  expect(listing).toEqual({ server: null, sessions: [], panes: [] });
  expect(existsSync(home.socket)).toBe(true);
});

test("[TL1] a server without tmux sessions is there, and empty", async () => {
  const { home, tmux } = await openTestSession();
  home.tmux("set-option", "-s", "exit-empty", "off", ";", "kill-session", "-t", "=team");
  const listing = await listServer(tmux);
  expect(listing.panes).toEqual([]);
  const version = home.tmux("-V").trim().replace("tmux ", "");
  expect(listing.server).toMatchObject({ socketPath: home.socket, version });
});

test("an unreachable socket is not taken for no server (incident 64)", async () => {
  const home = testHome();
  writeFileSync(join(home.root, "file"), "");
  const tmux = openTmux({ env: home.env, socket: join(home.root, "file", "x.sock") });
  await expect(listServer(tmux)).rejects.toMatchObject({ reason: "failed", exitCode: 3 });
});

test.each(ways)("permission denied is not taken for no server (incident 64): %o", async (way) => {
  const home = testHome();
  const env = standIn(home, 'echo "error connecting to /x.sock (Permission denied)" >&2; exit 1');
  await expect(listServer(openTmux({ env, ...way }))).rejects.toMatchObject({
    reason: "failed",
    exitCode: 3,
  });
});

test.each(ways)(
  "[TR2] a tmux that does not answer is a timeout, even if it leaves a child with our pipes: %o",
  async (way) => {
    const home = testHome();
    const pidFile = join(home.root, "pid");
    const env = standIn(home, `sleep 600 & echo $! >${pidFile}.new; mv ${pidFile}.new ${pidFile}; wait`);
    const call = listServer(openTmux({ env, timeoutMs: 1500, ...way }));
    await expect(call).rejects.toMatchObject({ reason: "timeout", exitCode: 3 });
    process.kill(Number(await until("the stand-in's child", () => readFileSync(pidFile, "utf8"))));
  },
);

test.each(ways)(
  "[TR5] a tmux that Ctrl-C hit before it began runs again; one that always is so fails: %o",
  async (way) => {
    const home = testHome();
    const hit = join(home.root, "hit");
    const once = standIn(
      home,
      `[ -e ${hit} ] && exec /usr/bin/env echo answered; touch ${hit}; kill -INT $$`,
    );
    expect(await openTmux({ env: once, ...way }).run(["list-sessions"])).toBe("answered\n");
    const always = openTmux({ env: standIn(testHome(), "kill -INT $$"), ...way });
    await expect(always.run(["list-sessions"])).rejects.toMatchObject({ reason: "failed" });
  },
);

test.each(ways)(
  "[TR5] Ctrl-C at the terminal does not end a tmux in the middle of a step: %o",
  async (way) => {
    const home = testHome();
    const env = standIn(home, 'read -r _ _ _ _ group session _ < /proc/$$/stat; echo "$$ $group $session"');
    const [pid, group, session] = (await openTmux({ env, ...way }).run(["list-sessions"])).trim().split(" ");
    expect([group, session]).toEqual([pid, pid]);
  },
);

test.each(ways)(
  "[TR3] a missing tmux is reported, and is no empty listing (incident 64): %o",
  async (way) => {
    const home = testHome();
    const call = listServer(openTmux({ env: { ...home.env, PATH: join(home.root, "nothing") }, ...way }));
    await expect(call).rejects.toMatchObject({ reason: "missing", exitCode: 3 });
  },
);

test.each(ways)("[TR3] a truncated answer is a failure: %o", async (way) => {
  const home = testHome();
  const env = standIn(home, "echo half");
  await expect(listServer(openTmux({ env, ...way }))).rejects.toMatchObject({ reason: "failed" });
});

test("[TR3] a name that is taken is a duplicate", async () => {
  const { tmux } = await openTestSession();
  const again = newSession(tmux, { name: "team" });
  await expect(again).rejects.toThrow(TmuxError);
  await expect(again).rejects.toMatchObject({ reason: "duplicate", exitCode: 1 });
});

test("the answer of a call that waits in place is the same", async () => {
  const { home, tmux } = await openTestSession();
  const commands = [
    ["display-message", "-p", "✳ ä"],
    ["kill-pane", "-t", "%99"],
  ];
  const first = openTmux({ env: home.env, waitsFirst: true });
  expect(await first.attempt(commands)).toEqual(await tmux.attempt(commands));
  const stdin = [["load-buffer", "-"], ["show-buffer"]];
  expect((await openTmux({ env: home.env, waitsFirst: true }).attempt(stdin, "words")).stdout).toBe("words");
});

test("[TR1] several commands are one spawn, and the first failure ends the rest", async () => {
  const { tmux } = await openTestSession();
  const before = tmux.spawns;
  const show = (text: string) => ["display-message", "-p", text];
  expect(await tmux.run(show("one"), show("two;"), show(";"))).toBe("one\ntwo;\n;\n");
  const { stdout, failure } = await tmux.attempt([show("one"), ["kill-pane", "-t", "%99"], show("three")]);
  expect(stdout).toBe("one\n");
  expect(failure?.reason).toBe("no-target");
  expect(tmux.spawns).toBe(before + 2);
});

test("[TR3] a command that is too long for tmux is refused as a whole, with a hint", async () => {
  const { tmux, pane } = await openTestSession();
  const { pid } = await look(tmux, pane);
  const argv = ["echo", "x".repeat(20_000)];
  const start = startProgram(tmux, pane, { argv, env: {}, remainOnExit: true });
  await expect(start).rejects.toMatchObject({ reason: "failed", hint: expect.stringContaining("file") });
  expect((await look(tmux, pane)).pid).toBe(pid);
});

test("[TR4] the server stays the one chosen at opening", async () => {
  const home = testHome();
  const env: Record<string, string> = { ...home.env };
  const tmux = openTmux({ env, configFile: "/dev/null" });
  env.HIVEMIND_TMUX_SOCKET = join(home.root, "other.sock");
  await newSession(tmux, { name: "here", argv: ["cat"] });
  expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("here\n");
});

test("control characters and marks arrive without a UTF-8 locale", async () => {
  const home = testHome();
  const tmux = openTmux({ env: { ...home.env, LANG: "C" }, configFile: "/dev/null" });
  await newSession(tmux, { name: "team", windowName: "✳ ü", argv: ["cat"] });
  expect((await listServer(tmux)).panes[0]?.windowName).toBe("✳ ü");
});

/** An environment whose tmux is this script. The home keeps the real one, which ends the test's server. */
function standIn(home: TestHome, script: string): Record<string, string> {
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "tmux"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "tmux"), 0o755);
  return { ...home.env, PATH: `${bin}:${home.env.PATH}` };
}
