// `watch install` and `watch remove`, under a stand-in for systemctl that really starts and stops the watcher.

import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { readLock } from "../../src/base/files/lock.js";
import { fateOf } from "../../src/base/system/process-identity.js";
import { findProcess } from "../../src/base/system/processes.js";
import { idleAgents, startAgents } from "../cli/agents.js";
import { hivemind, json, mainProgram, type Ran } from "../command.js";
import { readTranscript, texts } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";
import { killServer } from "../teams/fleets.js";
import { idOf } from "../transcripts/files.js";

const standIn = fileURLToPath(new URL("systemctl.mjs", import.meta.url));
const said = (home: TestHome) => texts(readTranscript(home, home.work, idOf(1)), "user");

interface Machine {
  home: TestHome;
  /** The folder of systemd's units. */
  units: string;
  run(...args: string[]): Ran;
  asked(): string[];
}

/** A home whose PATH begins with the stand-in. Its folders have blanks and signs that systemd reads in its own way. */
function machine(): Machine {
  const home = testHome();
  const odd = join(home.root, `con fig 100% $HOME "q" back\\slash`);
  mkdirSync(odd, { mode: 0o700 });
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  symlinkSync(standIn, join(bin, "systemctl"));
  chmodSync(standIn, 0o755);
  const xdg = join(home.root, "xdg");
  const [config, state] = [join(odd, "hive"), join(home.root, "manager")];
  Object.assign(home.env, {
    PATH: `${bin}:${home.env.PATH}`,
    XDG_CONFIG_HOME: xdg,
    HIVEMIND_CONFIG_DIR: config,
    HM_UNITS: state,
  });
  Object.assign(home, { config });
  const run = (...args: string[]) => hivemind(home, args);
  onTestFinished(() => {
    run("watch", "remove");
    run("watch", "--stop");
  });
  return {
    ...{ home, run, units: join(xdg, "systemd", "user") },
    asked: () => readFileSync(join(state, "asked"), "utf8").trim().split("\n"),
  };
}

async function teamOfOne(home: TestHome): Promise<void> {
  startAgents(home, "web", ["--session-id", idOf(1), "-n", "lead"]);
  await idleAgents(home, 1);
  hivemind(home, ["team", "register", "web"]);
  hivemind(home, ["registry", "refresh"]);
  expect(hivemind(home, ["save"]).code).toBe(0);
}

function watcher(home: TestHome): number | null {
  const holder = readLock(join(home.config, "hivemind.watching.lock"))?.holder ?? null;
  return holder === null || fateOf(holder) === "dead" ? null : holder.pid;
}

const install = (home: TestHome, ...options: string[]) =>
  json<{
    name: string;
    path: string;
    text: string;
    pid: number;
    isNew: boolean;
    replaced: { pid: number } | null;
  }>(home, ["watch", "install", "--yes", ...options]);

test("the unit runs the watcher, brings it back after kill -9, outlives tmux, and is removed without a trace", async () => {
  const { home, run, units, asked } = machine();
  await teamOfOne(home);
  const { name, path, text, pid, isNew } = install(home, "--every", "1");
  expect({ isNew, path }).toEqual({ isNew: true, path: join(units, `${name}.service`) });
  expect(name).toMatch(/^hivemind-watch-[0-9a-f]{16}$/);
  expect(readFileSync(path, "utf8")).toBe(text);
  expect(text).toContain(`"${realpathSync(mainProgram)}" "watch" "--every" "1"`);
  expect(text).not.toContain("--until-server-ends");
  expect(watcher(home)).toBe(pid);
  expect(json(home, ["watch", "install", "--yes", "--every", "1"])).toMatchObject({ isNew: false, pid });
  expect(json(home, ["watch", "--status"])).toMatchObject({
    watcher: { pid, how: "unit", options: ["--every", "1"] },
    unit: { name, state: "running", isEnabled: true, log: `journalctl --user -u ${name}.service -e` },
  });
  hivemind(home, ["queue", "append", "lead", "one"]);
  await until("the delivery", () => said(home).includes("one"));

  process.kill(pid, "SIGKILL");
  const second = await until("the next watcher", () => {
    const now = watcher(home);
    return now !== null && now !== pid ? now : null;
  });
  await killServer(home);
  hivemind(home, ["queue", "append", "lead", "two"]);
  const back = hivemind(home, ["restore", "--json"]);
  expect(JSON.parse(back.stdout)).toMatchObject({ watcher: { pid: second, isNew: false } });
  await until("the delivery", () => said(home).includes("two"));
  expect(watcher(home)).toBe(second);
  expect(run("watch", "--background").stdout).toContain(`a watcher runs already (process ${second})`);

  expect(run("watch", "remove")).toMatchObject({
    code: 0,
    stdout: `removed ${path}\n`,
    stderr: expect.stringContaining("nobody delivers messages or saves the teams now"),
  });
  await until("its end", () => findProcess(second) === null);
  expect(existsSync(join(home.root, "xdg"))).toBe(false);
  expect(asked().filter((line) => /^(?:daemon|enable|restart|disable)/.test(line))).toEqual([
    "daemon-reload",
    `enable --now ${name}.service`,
    `disable --now ${name}.service`,
    "daemon-reload",
  ]);
  expect(run("watch", "remove")).toMatchObject({ code: 0, stdout: `no systemd user unit at ${path}\n` });
});

test("it waits for a tmux server, and finds the first one", async () => {
  const { home } = machine();
  const { pid } = install(home, "--every", "1");
  await teamOfOne(home);
  hivemind(home, ["queue", "append", "lead", "first"]);
  await until("the delivery", () => said(home).includes("first"));
  expect(watcher(home)).toBe(pid);
});

test("a watcher in the background is told about and replaced, its options stay, and nobody wants it any more", async () => {
  const { home, run, units } = machine();
  await teamOfOne(home);
  const { pid } = json<{ pid: number }>(home, ["watch", "--background", "--every", "2", "--quiet"]);
  const refused = run("watch", "install");
  expect(refused).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("[Service]"),
    stderr: expect.stringContaining(`and stop the watcher in the background (process ${pid})`),
  });
  expect(refused.stderr).toContain("hivemind watch install --yes");
  expect(watcher(home)).toBe(pid);
  expect(existsSync(units)).toBe(false);

  const done = install(home);
  expect(done).toMatchObject({ replaced: { pid } });
  expect(done.text).toContain('"watch" "--every" "2" "--quiet"');
  expect(watcher(home)).toBe(done.pid);
  expect(json(home, ["watch", "--status"])).toMatchObject({ wanted: null });
});

test("stopped, the unit is what everything names, and nothing starts a second watcher", async () => {
  const { home, run } = machine();
  await teamOfOne(home);
  const { name } = install(home);
  const start = `systemctl --user restart ${name}.service`;
  const stopped = run("watch", "--stop");
  expect(stopped).toMatchObject({ code: 0, stderr: expect.stringContaining("hivemind watch remove") });
  await until(
    "its end",
    () => JSON.parse(run("watch", "--status", "--json").stdout).unit.state === "stopped",
  );
  expect(run("watch", "--status")).toMatchObject({ code: 1, stdout: expect.stringContaining(start) });
  expect(run("status").stdout).toContain(start);
  const { findings } = JSON.parse(run("doctor", "--json").stdout);
  expect(findings.find(({ check }: { check: string }) => check === "watcher")).toMatchObject({
    level: "problem",
    fix: start,
  });
  expect(run("watch", "--background")).toMatchObject({ code: 1, stderr: expect.stringContaining(start) });
  const restored = run("restore");
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringContaining(start) });
  expect(watcher(home)).toBeNull();
});

test("[UN1] a file that is not ours stays; without a manager, and with --print, nothing is written", () => {
  const { home, run, units } = machine();
  const printed = run("watch", "install", "--print");
  expect(printed).toMatchObject({ code: 0, stdout: expect.stringContaining("ExecStart=") });
  expect(existsSync(join(home.root, "xdg"))).toBe(false);

  home.env.HM_NO_MANAGER = "1";
  expect(run("watch", "install", "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Failed to connect to bus: No medium found\n.*hivemind watch --background/),
  });
  expect(existsSync(join(home.root, "xdg"))).toBe(false);
  delete home.env.HM_NO_MANAGER;

  const { path } = json<{ path: string }>(home, ["watch", "install", "--print"]);
  mkdirSync(units, { recursive: true });
  writeFileSync(path, "[Service]\nExecStart=/bin/true\n");
  for (const words of [["install", "--yes"], ["install", "--print"], ["remove"]])
    expect(run("watch", ...words)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is not from hivemind"),
    });
  expect(readFileSync(path, "utf8")).toBe("[Service]\nExecStart=/bin/true\n");
  rmSync(path);
});

test("[UN2] an installation that the manager refuses leaves nothing, and keeps what was there", () => {
  const { home, run, units } = machine();
  const { path } = json<{ path: string }>(home, ["watch", "install", "--print"]);
  // The manager knows a unit after a daemon-reload only.
  const bin = join(home.root, "bin", "systemctl");
  rmSync(bin);
  writeFileSync(
    bin,
    `#!/bin/sh\n[ "$2" = enable ] && { echo "Failed to enable unit: no" >&2; exit 1; }\nexit 0\n`,
  );
  chmodSync(bin, 0o755);
  expect(run("watch", "install", "--yes")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Failed to enable unit: no"),
  });
  expect(existsSync(join(home.root, "xdg"))).toBe(false);

  mkdirSync(units, { recursive: true });
  writeFileSync(join(units, "mine.service"), "[Unit]\n");
  run("watch", "install", "--yes");
  expect({ units: readdirSync(units), isThere: existsSync(path) }).toEqual({
    units: ["mine.service"],
    isThere: false,
  });
});
