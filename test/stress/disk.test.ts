import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, chmodSync, chownSync, mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, mainProgram, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { makeHome, removeHome, type TestHome, testHome, until } from "../home.js";
import { idOf } from "../transcripts/files.js";

const changes = [
  ["registry", "set", "a:0.1", "other"],
  ["registry", "remove", "a:0.0", "--yes"],
  ["registry", "refresh"],
  ["queue", "append", "a:0.0", "one more"],
  ["queue", "clear", "a:0.0"],
  ["team", "register", "a", "another description"],
  ["team", "switch", "b"],
  ["teams", "save"],
  ["layout", "save", "a"],
  ["pane", "swap", "a:0.0", "a:0.1"],
  ["pane", "move", "a:0.0", "b"],
  ["team", "rename", "a", "c"],
  ["team", "remove", "a", "--yes"],
];

const viewer = [["setup"], ["sync"], ["add", "a"], ["remove", "a"], ["reset"]].map((args) => [
  "monitor",
  ...args,
]);

function fill(home: TestHome): void {
  for (const args of [
    ["team", "register", "a"],
    ["team", "register", "b"],
    ["team", "switch", "a"],
    ["registry", "set", "a:0.0", "po"],
    ["registry", "set", "a:0.1", "dev"],
    ["registry", "set", "b:0.0", "ops"],
    ["queue", "append", "a:0.0", "hello"],
    ["layout", "save", "a"],
  ]) {
    expect(hivemind(home, args)).toMatchObject({ code: 0 });
  }
}

/** Everything that our commands may change in tmux. */
const panesOf = (home: TestHome) =>
  home.tmux(
    "list-panes",
    "-a",
    "-F",
    "#{session_name}:#{window_index}.#{pane_index} #{pane_id} #{pane_pid} #{pane_dead} #{pane_title} " +
      "#{@hivemind} #{@hivemind_team} #{@hivemind_launch} #{remain-on-exit} #{window_width}x#{window_height}",
  );

function withoutRoom(home: TestHome, args: readonly string[]) {
  const limit = 'trap "" XFSZ; ulimit -f 0; exec "$@"';
  return spawnSync("sh", ["-c", limit, "sh", process.execPath, mainProgram, ...args], {
    env: home.env,
    cwd: home.work,
    encoding: "utf8",
  });
}

const leftovers = (home: TestHome) =>
  readdirSync(home.config, { recursive: true, encoding: "utf8" }).filter((name) => /lock|tmp$/.test(name));

describe("a full disk", () => {
  let home: TestHome;
  beforeAll(() => {
    home = makeHome();
    tmuxTeam(home, "a", 2);
    tmuxTeam(home, "b");
    fill(home);
    // A row that a refresh would drop.
    appendFileSync(join(home.config, "hivemind.roles.env"), "a:0.9|gone\n");
    for (const name of ["hivemind.queue/dead", "hivemind.rekey"]) mkdirSync(join(home.config, name));
  });
  afterAll(() => removeHome(home));

  test.each(changes.map((args) => [args]))("%j reports it, and every store is unchanged", (args) => {
    const before = contentsOf(home.config);
    const panes = panesOf(home);
    const ran = withoutRoom(home, args);
    expect({ code: ran.status, stdout: ran.stdout }).toEqual({ code: 1, stdout: "" });
    expect(ran.stderr).toMatch(/no space left/);
    expect(ran.stderr).toMatch(/free space/);
    expect(ran.stderr).not.toMatch(/\n\s+at /);
    expect(contentsOf(home.config)).toEqual(before);
    expect(panesOf(home)).toEqual(panes);
    expect(leftovers(home)).toEqual([]);
  });
});

describe("agents on a full disk", () => {
  let home: TestHome;
  beforeAll(async () => {
    home = makeHome();
    startAgents(home, "web", ["--session-id", idOf(1), "-n", "po"], ["--session-id", idOf(2), "-n", "dev"]);
    startAgents(home, "saved", ["--session-id", idOf(3), "-n", "ops"]);
    await idleAgents(home, 3);
    home.tmux("send-keys", "-t", "=web:0.0", "-l", "hello");
    home.tmux("send-keys", "-t", "=web:0.0", "Enter");
    await until("a transcript", () => hivemind(home, ["session", "state", "web:0.0"]).stdout === "live\n");
    home.tmux("split-window", "-d", "-t", "=web:0.1");
    for (const args of [
      ["team", "register", "web"],
      ["team", "register", "saved"],
      ["registry", "refresh"],
      ["teams", "save"],
    ])
      expect(hivemind(home, args)).toMatchObject({ code: 0 });
    home.tmux("kill-session", "-t", "=saved");
    await idleAgents(home, 2);
  }, 60_000);
  afterAll(() => removeHome(home));

  test.each([
    [["agent", "kill", "po", "--yes"]],
    [["agent", "rename", "po", "boss"]],
    [["agent", "restart", "dev", "--yes"]],
    [["agent", "fork", "po", "--as", "two"]],
    [["agent", "spawn", "new", "--team", "web", "--kind", "demo"]],
    [["registry", "set", "web:0.0", "boss"]],
    [["registry", "set", "web:0.0", "po", idOf(9)]],
    [["registry", "remove", "web:0.0"]],
    [["sessions", "fork", idOf(1), "--into", "web:0.2", "--kind", "demo", "--as", "two"]],
    [["team", "setup", "new", "a", "b", "--kind", "demo"]],
    [["team", "restart", "web", "--yes"]],
    [["team", "remove", "web", "--yes"]],
    [["teams", "restore", "--team", "saved"]],
  ])("%j reports it, and tmux and every store are unchanged", (args) => {
    const [before, panes] = [contentsOf(home.config), panesOf(home)];
    const { status, stderr } = withoutRoom(home, args);
    expect({ status, stderr }).toMatchObject({ status: 1, stderr: expect.stringContaining("no space left") });
    expect(panesOf(home)).toBe(panes);
    expect(contentsOf(home.config)).toEqual(before);
    expect(leftovers(home)).toEqual([]);
  });
});

test("[HA3] a team whose stores could not be written gets its new name when the rename is repeated", () => {
  const home = testHome();
  tmuxTeam(home, "a", 2);
  for (const args of [
    ["team", "register", "a"],
    ["registry", "set", "a:0.1", "dev"],
  ])
    expect(hivemind(home, args)).toMatchObject({ code: 0 });
  const inTheWay = join(home.config, "otmux.size.locks.env");
  mkdirSync(inTheWay);
  const rename = () => hivemind(home, ["team", "rename", "a", "c"]);
  expect(rename()).toMatchObject({ code: 3, stdout: "" });
  rmdirSync(inTheWay);
  expect(rename()).toMatchObject({ code: 0 });
  expect(rename()).toMatchObject({ code: 1 });
  expect(hivemind(home, ["registry", "list", "--json"]).stdout).toContain('"c:0.1"');
  expect(hivemind(home, ["consistency", "audit"]).stdout).not.toContain("a:0.1");
});

/** Root may write anywhere, so under root another user runs the commands. */
const isRoot = process.getuid?.() === 0;
const nobody = isRoot ? { uid: 65534, gid: 65534 } : {};

function asOther(home: TestHome, args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [mainProgram, ...args], {
    env: home.env,
    cwd: home.work,
    encoding: "utf8",
    ...nobody,
  });
  return { code: status, stdout, stderr };
}

describe("a read-only config folder", () => {
  test("reading works; each change fails with exit code 3 and the path", () => {
    const home = testHome();
    for (const name of ["", ...readdirSync(home.root)]) own(join(home.root, name));
    const team = (...args: string[]) =>
      execFileSync("tmux", ["-S", home.socket, "-f", "/dev/null", ...args], { env: home.env, ...nobody });
    for (const name of ["a", "b"]) team("new-session", "-d", "-s", name, "cat");
    team("split-window", "-d", "-t", "=a:", "cat");
    for (const args of [
      ["team", "register", "a"],
      ["team", "register", "b"],
      ["registry", "set", "a:0.0", "po"],
      ["queue", "append", "a:0.0", "hello"],
    ]) {
      expect(asOther(home, args)).toMatchObject({ code: 0 });
    }
    mkdirSync(join(home.config, "otmux"));
    const folders = [home.config, join(home.config, "hivemind.queue"), join(home.config, "otmux")];
    const before = contentsOf(home.config);
    for (const folder of folders) chmodSync(folder, 0o555);
    for (const args of [["status"], ["registry", "list"], ["queue", "list"], ["team", "list"], ["doctor"]]) {
      expect({ args, ...asOther(home, args) }).toMatchObject({ args, code: args[0] === "doctor" ? 1 : 0 });
    }
    for (const args of [...changes, ...viewer]) {
      const { code, stdout, stderr } = asOther(home, args);
      expect({ args, code, stdout }).toEqual({ args, code: 3, stdout: "" });
      expect(stderr).toContain(home.config);
      expect(stderr).toMatch(/permission denied/i);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
    for (const folder of folders) chmodSync(folder, 0o755);
    expect(contentsOf(home.config)).toEqual(before);
  });
});

function own(path: string): void {
  if (isRoot) chownSync(path, 65534, 65534);
}
