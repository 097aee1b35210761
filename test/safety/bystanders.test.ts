// What hivemind must not touch: a caller's input, other programs' files, the tmux server, a menu.

import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { onPath } from "../../src/base/files/on-path.js";
import { hivemind, json, mainProgram, tmuxTeam } from "../command.js";
import { readLines } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";

function runAll(home: TestHome, calls: readonly string[][], env: Record<string, string> = {}): void {
  for (const args of calls) {
    const { code, stderr } = hivemind(home, args, { env });
    expect({ args, code, stderr: code === 0 ? "" : stderr }).toEqual({ args, code: 0, stderr: "" });
  }
}

test("a loop that reads a list gets every row: no command reads its caller's input (incident 12)", () => {
  const home = testHome();
  const teams = ["a", "b", "c"];
  for (const team of teams) tmuxTeam(home, team);
  const loop = `while read -r team; do
    "$0" "$1" team register "$team"
    "$0" "$1" registry refresh "$team" >/dev/null
    "$0" "$1" registry set "$team:0.0" lead >/dev/null
    "$0" "$1" queue append "$team:0.0" hello >/dev/null
    "$0" "$1" teams save "$team" >/dev/null
    "$0" "$1" status "$team" >/dev/null
  done`;
  const { stdout } = spawnSync("sh", ["-c", loop, process.execPath, mainProgram], {
    env: home.env,
    cwd: home.work,
    input: `${teams.join("\n")}\n`,
    encoding: "utf8",
  });
  expect(stdout).toBe(teams.map((team) => `registered ${team}\n`).join(""));
  expect(json(home, ["queue", "list"])).toMatchObject({
    queues: teams.map((team) => ({ pane: `${team}:0.0` })),
  });
});

test("other files in the config folder and the client's folder stay unchanged (incident 13)", () => {
  const home = testHome();
  tmuxTeam(home, "a", 2);
  const others = [
    join(home.config, "path.env"),
    join(home.config, ".credentials.json"),
    join(home.config, "hivemind.snapshot.mine.env"),
    join(home.config, "otmux", "notes.txt"),
    join(home.config, "hivemind.queue", "notes.txt"),
    join(home.claude, ".credentials.json"),
    join(home.claude, "sessions", "7.secret.key"),
    join(home.claude, "settings.json"),
  ];
  for (const folder of [
    join(home.config, "otmux"),
    join(home.config, "hivemind.queue"),
    join(home.claude, "sessions"),
  ])
    mkdirSync(folder, { recursive: true });
  for (const path of others) writeFileSync(path, `secret of ${path}`);
  runAll(home, [
    ["team", "register", "a"],
    ["registry", "set", "a:0.0", "po"],
    ["queue", "append", "a:0.0", "hello"],
    ["teams", "save"],
    ["layout", "save", "a"],
    ["registry", "refresh"],
    ["teams", "prune", "--keep", "1", "--yes"],
    ["queue", "clear", "a:0.0"],
    ["team", "remove", "a", "--yes"],
  ]);
  for (const path of others) expect(readFileSync(path, "utf8")).toBe(`secret of ${path}`);
});

test("tmux is only called by one-shot commands: no control client, and none that stays (incident 59)", () => {
  const home = testHome();
  tmuxTeam(home, "a", 2);
  const folder = join(home.root, "recorder");
  mkdirSync(folder);
  const calls = join(home.root, "calls");
  writeFileSync(
    join(folder, "tmux"),
    `#!/bin/sh\nfor word; do printf '%s\\0' "$word"; done >>'${calls}'\nexec '${onPath("tmux", home.env)[0]}' "$@"\n`,
  );
  chmodSync(join(folder, "tmux"), 0o755);
  const server = home.tmux("display-message", "-p", "#{pid}");
  const env = { PATH: `${folder}:${home.env.PATH}` };
  runAll(
    home,
    [
      ["team", "register", "a"],
      ["registry", "set", "a:0.0", "po"],
      ["status"],
      ["registry", "refresh"],
      ["team", "monitor", "a"],
      ["teams", "save"],
      ["teams", "restore"],
    ],
    env,
  );
  const words = readFileSync(calls, "utf8").split("\0");
  expect(words).toContain("list-panes");
  for (const lasting of ["-C", "-CC", "attach", "attach-session", "wait-for", "refresh-client"]) {
    expect(words).not.toContain(lasting);
  }
  expect(home.tmux("list-clients")).toBe("");
  expect(home.tmux("display-message", "-p", "#{pid}")).toBe(server);
});

test("starting, saving and restoring press no key: a menu at the client's start is left to a person (incident 16)", async () => {
  const home = testHome();
  const keys = join(home.root, "keys");
  const env = { DEMO_KEYLOG: keys };
  runAll(
    home,
    [
      ["team", "setup", "a", "po", "dev", "--kind", "demo", "--cwd", home.work],
      ["teams", "save"],
    ],
    env,
  );
  home.tmux("kill-server");
  runAll(
    home,
    [
      ["teams", "restore"],
      ["agent", "restart", "po", "--yes"],
    ],
    env,
  );
  expect(existsSync(keys)).toBe(false);
  // The key log was on: a person's key appears in it.
  home.tmux("send-keys", "-t", "=a:0.0", "x");
  await until("the key", () => existsSync(keys) && readLines(keys).length > 0);
});
