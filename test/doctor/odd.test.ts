// Each odd thing that a home can have, and what the doctor reports.

import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { launchSettings } from "../../src/agents/claude/hooks/handler.js";
import { hasNoLinks } from "../../src/base/system/file-system.js";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { identityText, ownIdentity } from "../../src/base/system/process-identity.js";
import { makeThrowAwayHome } from "../../src/demo/home.js";
import { checks } from "../../src/doctor/checks.js";
import { examine, exitCodeOf } from "../../src/doctor/examine.js";
import { openWorld } from "../../src/doctor/world.js";
import { storePaths } from "../../src/stores/file/folder.js";
import { tmuxTeam } from "../command.js";
import { startAgent } from "../demo-agent/driver.js";
import { type TestHome, testHome } from "../home.js";
import { idOf, transcriptPath, user, writeTranscript } from "../transcripts/files.js";
import { findings } from "./look.js";

const fine = (message: string) => [{ level: "ok", message, fix: null }];

/** The pid of a process that has ended. */
function deadPid(): number {
  return spawnSync("true").pid;
}

function registryFile(home: TestHome, pid: number, fields: object): string {
  const path = join(home.claude, "sessions", `${pid}.json`);
  mkdirSync(join(home.claude, "sessions"), { recursive: true });
  writeFileSync(path, JSON.stringify({ pid, sessionId: idOf(1), startedAt: Date.now(), ...fields }));
  return path;
}

function store(home: TestHome, name: string, text: string, mode = 0o600): string {
  mkdirSync(home.config, { recursive: true, mode: 0o700 });
  writeFileSync(join(home.config, name), text, { mode });
  return join(home.config, name);
}

test("registry files of dead, reused and foreign pids are distinguished, a live one is left alone (incident 32)", async () => {
  const home = testHome();
  registryFile(home, process.pid, { procStart: readProcStat(process.pid)!.startTicks });
  writeFileSync(join(home.claude, "sessions", "1.secret.key"), "never read");
  expect(await findings(home, "registry files")).toEqual(fine("no dead client left a registry file"));

  const gone = deadPid();
  const path = registryFile(home, gone, { procStart: "1" });
  const reused = registryFile(home, process.pid, { procStart: "1" });
  const machine = "0123456789abcdef0123456789abcdef";
  registryFile(home, 1, { pidDomain: `linux:${machine}:pid:[1]` });
  expect(await findings(home, "registry files")).toEqual([
    { level: "info", message: expect.stringContaining(`gone (pid ${gone})`), fix: `rm ${path}` },
    {
      level: "info",
      message: expect.stringContaining(`another process now (pid ${process.pid})`),
      fix: `rm ${reused}`,
    },
    { level: "info", message: expect.stringContaining("1 registry file of another machine"), fix: null },
  ]);
});

test("the standard folder is checked too if CLAUDE_CONFIG_DIR is set", async () => {
  const home = testHome();
  const standard = { ...home, claude: join(home.home, ".claude") };
  const path = registryFile(standard, deadPid(), { procStart: "1" });
  expect(await findings(home, "registry files")).toMatchObject([{ fix: `rm ${path}` }]);
});

test("a torn registry file is odd only after any write must be over", async () => {
  const home = testHome();
  const path = registryFile(home, 77, {});
  writeFileSync(path, "{");
  expect(await findings(home, "registry files")).toEqual(fine("no dead client left a registry file"));
  utimesSync(path, 1, 1);
  expect(await findings(home, "registry files")).toMatchObject([
    { message: expect.stringContaining("that are unreadable"), fix: `rm ${path}` },
  ]);
});

test("bad rows are reported with file and line, and stores that are not files with their type", async () => {
  const home = testHome();
  const roles = store(home, "hivemind.roles.env", "alpha:0.0|po|1\nDid you mean:\n");
  const teams = join(home.config, "hivemind.teams.env");
  symlinkSync(roles, teams);
  mkdirSync(join(home.config, "hivemind.sessions.env"));
  const found = await findings(home, "stores");
  expect(found).toMatchObject([
    { level: "problem", message: expect.stringContaining("sessions.env: refused: it is a folder") },
    {
      level: "problem",
      message: expect.stringContaining("teams.env: refused: it is a symbolic link"),
      fix: expect.stringContaining(`cp ${teams} ${teams}.copy && mv ${teams}.copy ${teams}`),
    },
    {
      level: "warning",
      message: expect.stringContaining(`${roles}:2: `),
      fix: expect.stringContaining(`vi +2 ${roles}`),
    },
  ]);
});

test("files and folders open to other users are reported with one command for all", async () => {
  const home = testHome();
  const roles = store(home, "hivemind.roles.env", "", 0o600);
  store(home, "hivemind.teams.env", "", 0o600);
  expect(await findings(home, "privacy")).toEqual(fine("no other user can read the stores"));
  chmodSync(home.config, 0o755);
  chmodSync(roles, 0o644);
  expect(await findings(home, "privacy")).toEqual([
    {
      level: "warning",
      message: `a folder open to other users: ${home.config} (755)`,
      fix: `chmod 700 ${home.config}`,
    },
    {
      level: "warning",
      message: `a file open to other users: ${roles} (644)`,
      fix: `chmod 600 ${roles}`,
    },
  ]);
});

test("an unwritable config folder, or a file in its place, is a problem; a missing one is not", async () => {
  const home = testHome();
  expect(await findings(home, "config folder")).toMatchObject([
    { level: "info", message: expect.stringContaining("does not exist yet") },
  ]);
  store(home, "file", "");
  expect(await findings(home, "config folder")).toEqual(fine("the config folder is writable"));
  home.env.HIVEMIND_CONFIG_DIR = join(home.config, "file");
  expect(await findings(home, "config folder")).toMatchObject([
    { level: "problem", message: expect.stringContaining("is not a folder") },
  ]);
  // Not even root may write there.
  home.env.HIVEMIND_CONFIG_DIR = "/proc/sys/hivemind";
  expect(await findings(home, "config folder")).toMatchObject([
    { level: "problem", message: expect.stringMatching(/\/proc\/sys is not writable \(E\w+\)/) },
  ]);
});

test("a file system without symbolic links is known by its type number", () => {
  const [ext4, vfat, exfat] = [0xef53, 0x4d44, 0x2011bab0];
  expect([ext4, vfat, exfat].map(hasNoLinks)).toEqual([false, true, true]);
});

test("an unwritable cache is a warning", async () => {
  const home = testHome();
  expect(await findings(home, "index cache")).toEqual(fine("the transcript index can be stored"));
  home.env.XDG_CACHE_HOME = "/proc/sys";
  expect(await findings(home, "index cache")).toMatchObject([
    { level: "warning", message: expect.stringContaining("reads all transcripts again") },
  ]);
});

test("a lock of a dead process needs nothing, an old one of a living or unknown process is reported", async () => {
  const home = testHome();
  const folder = join(home.config, "hivemind.queue");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = (name: string, identity: object) => {
    const path = join(home.config, name);
    symlinkSync(`${identityText({ ...ownIdentity(), ...identity })},abc`, path);
    return path;
  };
  const dead = lock("hivemind.roles.env.lock", { pid: deadPid() });
  const held = lock("hivemind.lock.alpha", {});
  const unseen = lock("hivemind.queue/alpha_0_0.queue.lock", { namespace: "pid:[1]" });
  const untouched = [
    { level: "info", message: expect.stringContaining(dead), fix: expect.stringContaining("nothing") },
  ];
  expect(await findings(home, "locks")).toEqual(untouched);

  // The time of a link cannot be set, so the clock is moved instead.
  const later = Date.now() + 11 * 60 * 1000;
  const world = openWorld({ env: home.env, nowMs: later });
  const look = await examine(
    checks.filter(({ id }) => id === "locks"),
    world,
  );
  expect(look.findings).toMatchObject([
    {
      level: "warning",
      message: expect.stringContaining(`${held} has been held by process ${process.pid} on ${hostname()}`),
    },
    { level: "warning", fix: `if that process is gone: rm ${unseen}` },
    { level: "info" },
  ]);
});

test("an active team that does not run is reported, with a running one to switch to (incident 4)", async () => {
  const home = testHome();
  store(home, "hivemind.active.team", "__test_gone\n");
  const anew = { level: "warning", fix: `tmux -S ${home.socket} new-session -d -s __test_gone` };
  expect(await findings(home, "active team")).toMatchObject([anew]);
  tmuxTeam(home, "$(touch pwned)");
  expect(await findings(home, "active team")).toMatchObject([anew]);
  tmuxTeam(home, "alpha");
  expect(await findings(home, "active team")).toMatchObject([
    {
      level: "warning",
      message: expect.stringContaining("__test_gone"),
      fix: "hivemind team switch alpha",
    },
  ]);
  store(home, "hivemind.active.team", "alpha\n");
  expect(await findings(home, "active team")).toEqual(fine("the active team runs, or none is chosen"));
});

test("two panes with one session are a problem with both addresses (incident 27)", async () => {
  const home = testHome();
  const first = startAgent(home, ["--session-id", idOf(1), "-n", "po"]);
  await first.becomes("idle");
  await first.say("hello");
  expect(await findings(home, "two panes")).toEqual(fine("no two panes hold one session"));
  expect(await findings(home, "registry")).toMatchObject([
    {
      level: "ok",
      message: expect.stringContaining("1 of 1 client in tmux keep the live registry; 1 report"),
    },
  ]);
  const second = startAgent(home, ["--resume", idOf(1)]);
  await second.becomes("idle");
  expect(await findings(home, "two panes")).toMatchObject([
    {
      level: "problem",
      message: expect.stringMatching(new RegExp(`session ${idOf(1)} runs in team\\d+:0.0 and team\\d+:0.0`)),
      fix: expect.stringContaining(`tmux -S ${home.socket} kill-pane -t ${second.pane}`),
    },
  ]);
});

test("one session with files in two folders is reported with both", async () => {
  const home = testHome();
  const paths = ["-a", "-b"].map((slug) =>
    writeTranscript(transcriptPath(home.claude, idOf(1), slug), user("one", { cwd: "/a" })),
  );
  writeTranscript(transcriptPath(home.claude, idOf(2), "-a"), user("two", { cwd: "/a" }));
  const found = await findings(home, "two folders");
  expect(found).toMatchObject([
    { level: "warning", message: expect.stringContaining(`session ${idOf(1)} has 2 files`) },
  ]);
  for (const path of paths) expect(found[0]!.fix).toContain(path);
});

test("transcripts that the client is about to delete are counted, by its own setting", async () => {
  const home = testHome();
  const path = writeTranscript(transcriptPath(home.claude, idOf(1), "-a"), user("one", { cwd: "/a" }));
  const days = (count: number) => Date.now() / 1000 - count * 24 * 60 * 60;
  utimesSync(path, days(26), days(26));
  expect(await findings(home, "cleanup")).toMatchObject([
    { level: "warning", message: expect.stringContaining("cleanupPeriodDays is 30") },
  ]);
  // People keep their settings elsewhere and link to them; the client follows links.
  writeFileSync(join(home.root, "kept.json"), JSON.stringify({ cleanupPeriodDays: 365 }));
  symlinkSync(join(home.root, "kept.json"), join(home.claude, "settings.json"));
  expect(await findings(home, "cleanup")).toEqual(
    fine("the client will delete no transcript in the next days"),
  );
});

test("homes of killed demos and probes are reported with the command that removes them", async () => {
  const home = testHome();
  const temporary = home.env.TMPDIR!;
  const mine = makeThrowAwayHome("demo", home.env, temporary);
  expect(await findings(home, "left homes")).toEqual(fine("no demo or probe left its home behind"));
  const dead = identityText({ ...ownIdentity(), pid: deadPid() });
  const left = makeThrowAwayHome("probe", home.env, temporary);
  for (const { root } of [mine, left]) writeFileSync(join(root, "owner"), dead);
  expect(await findings(home, "left homes")).toMatchObject([
    { message: expect.stringContaining(mine.root), fix: expect.stringContaining("hivemind demo --once") },
    { message: expect.stringContaining(left.root), fix: expect.stringContaining("hivemind doctor --probe") },
  ]);
});

test("hooks are absent, installed without their handler, or in invalid settings", async () => {
  const home = testHome();
  const settings = join(home.claude, "settings.json");
  expect(await findings(home, "hooks")).toMatchObject([{ level: "info", fix: "hivemind hooks install" }]);
  writeFileSync(settings, JSON.stringify(launchSettings(storePaths(home.env).hookFolder)));
  expect(await findings(home, "hooks")).toMatchObject([
    { level: "warning", message: expect.stringContaining("handler"), fix: "hivemind hooks install" },
    { level: "ok" },
  ]);
  writeFileSync(settings, "{");
  expect(await findings(home, "hooks")).toMatchObject([
    { level: "warning", message: expect.stringContaining("is not valid") },
  ]);
});

test("without HOME, checks that do not need it still run", async () => {
  const { socket, env } = testHome();
  const bare = { PATH: env.PATH!, HIVEMIND_TMUX_SOCKET: socket };
  const { findings, summary } = await examine(checks, openWorld({ env: bare, temporaryFolder: env.TMPDIR! }));
  expect(findings).toContainEqual({
    level: "problem",
    check: "hooks",
    message: expect.stringMatching(/^hooks: could not look: HOME is not set, .* \(also: .*\bstores\b/),
    fix: "set HOME, or set HIVEMIND_CONFIG_DIR to that folder",
  });
  expect(findings).toContainEqual({
    level: "ok",
    check: "node",
    message: `node ${process.versions.node}`,
    fix: null,
  });
  expect(exitCodeOf(summary)).toBe(1);
});
