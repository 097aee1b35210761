// The watcher that a person started in the background comes back with the team: after a crash of tmux, and after a reboot.

import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { acquireLock, readLock } from "../../src/base/files/lock.js";
import { onPath } from "../../src/base/files/on-path.js";
import { fateOf } from "../../src/base/system/process-identity.js";
import { findProcess } from "../../src/base/system/processes.js";
import { openStores } from "../../src/stores/stores.js";
import { startWanted } from "../../src/watch/process/watcher.js";
import { idleAgents } from "../cli/agents.js";
import { hivemind, json, mainProgram } from "../command.js";
import { readTranscript, texts } from "../demo-agent/driver.js";
import { type TestHome, until } from "../home.js";
import { killServer } from "../teams/fleets.js";
import { idOf } from "../transcripts/files.js";
import { idFor, writtenTeam } from "../up/written.js";
import { teamOfOne } from "./team-of-one.js";
import { startWatching } from "./watching.js";

interface Shown {
  runs: boolean;
  watcher: { pid: number; how: string; options: string[]; since: string; tmux: string } | null;
  wanted: { options: string[] } | null;
  cure: string | null;
}

const again = /^the watcher runs again \(process \d+\)$/m;
const hint = "nobody delivers messages or saves the team: hivemind watch --background";
const said = (home: TestHome, id: string) => texts(readTranscript(home, home.work, id), "user");
const shown = (home: TestHome): Shown => JSON.parse(hivemind(home, ["watch", "--status", "--json"]).stdout);
const beginnings = (home: TestHome) =>
  readFileSync(join(home.config, "hivemind.watch.log"), "utf8").match(/ began .*/g) ?? [];

/** The process of the watcher; null without one. */
function watcher(home: TestHome): number | null {
  const holder = readLock(join(home.config, "hivemind.watching.lock"))?.holder ?? null;
  return holder === null || fateOf(holder) === "dead" ? null : holder.pid;
}

async function savedTeam(): Promise<TestHome> {
  const home = await teamOfOne();
  expect(hivemind(home, ["save"]).code).toBe(0);
  return home;
}

function start(home: TestHome, ...options: string[]): number {
  return json<{ pid: number }>(home, ["watch", "--background", ...options]).pid;
}

test("restore brings the watcher back with its options, and it delivers to the agent that was away", async () => {
  const home = await savedTeam();
  const first = start(home, "--every", "1", "--quiet");
  await killServer(home);
  await until("the end of the watcher", () => watcher(home) === null);
  expect(hivemind(home, ["queue", "append", "lead", "are you back?"]).code).toBe(0);
  expect(hivemind(home, []).stdout).toContain("The watcher has ended; restore and up start it again.");

  const { code, stdout } = hivemind(home, ["restore"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(again) });
  expect(stdout).not.toContain(hint);
  await until("the delivery", () => said(home, idOf(1)).includes("are you back?"));
  const { watcher: now, wanted } = shown(home);
  expect(now).toMatchObject({ how: "background", options: ["--every", "1", "--quiet"] });
  expect(now!.pid).not.toBe(first);
  expect(wanted).toEqual({ options: ["--every", "1", "--quiet"] });
  expect(json(home, ["restore"])).toMatchObject({ watcher: { pid: now!.pid, isNew: false } });
});

test("a watcher that has not noticed the end of its server stays for the next one", async () => {
  const home = await savedTeam();
  // It looks only when something changes.
  const pid = start(home, "--every", "3600");
  await killServer(home);
  hivemind(home, ["queue", "append", "lead", "one"]);
  expect(hivemind(home, ["restore"])).toMatchObject({ code: 0 });
  await until(
    "a watcher and the delivery",
    () => watcher(home) !== null && said(home, idOf(1)).includes("one"),
  );
  hivemind(home, ["queue", "append", "lead", "two"]);
  await until("the second delivery", () => said(home, idOf(1)).includes("two"));
  expect(said(home, idOf(1))).toEqual(["one", "two"]);
  // It is the first one, or it has ended in order and restore started another.
  if (findProcess(pid) === null) expect(beginnings(home)).toHaveLength(2);
  else expect(watcher(home)).toBe(pid);
});

test("a watcher ends only where no command starts one: it waits, finds the next server and stays", async () => {
  const home = await savedTeam();
  const calls = join(home.root, "calls");
  const real = onPath("tmux", home.env)[0];
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "tmux"), `#!/bin/sh\necho call >> '${calls}'\nexec '${real}' "$@"\n`);
  chmodSync(join(bin, "tmux"), 0o755);
  const env = { PATH: `${bin}:${home.env.PATH}` };
  const started = hivemind(home, ["watch", "--background", "--every", "1", "--json"], { env });
  const { pid } = JSON.parse(started.stdout);
  const lock = await acquireLock(join(home.config, "hivemind.watch.starting.lock"));
  onTestFinished(() => lock.release());
  await killServer(home);
  writeFileSync(calls, "");
  // Several turns without a server: each of them would have ended it.
  await until("its looks", () => readFileSync(calls, "utf8").length > 4 * "call\n".length);
  expect(watcher(home)).toBe(pid);
  home.tmux("new-session", "-d", "-s", "beside", "cat");
  lock.release();
  expect(hivemind(home, ["restore"])).toMatchObject({ code: 0 });
  hivemind(home, ["queue", "append", "lead", "still you?"]);
  await until("the delivery", () => said(home, idOf(1)).includes("still you?"));
  expect(watcher(home)).toBe(pid);
});

test("after a power cut `up` brings it back, and says so as JSON", async () => {
  const { home, run } = writtenTeam({ lead: [] });
  onTestFinished(() => void hivemind(home, ["watch", "--stop"]));
  expect(run("up")).toMatchObject({ code: 0, stdout: expect.stringContaining(hint) });
  const pid = start(home, "--every", "1");
  process.kill(pid, "SIGKILL");
  await killServer(home);
  await until("its end", () => findProcess(pid) === null);
  hivemind(home, ["queue", "append", "lead", "hello"]);
  const { watcher: back } = json<{ watcher: { pid: number; isNew: boolean } }>(home, ["up"]);
  expect(back).toMatchObject({ pid: watcher(home), isNew: true });
  await until("the delivery", () => said(home, idFor("lead")).includes("hello"));
});

test("after `watch --stop` nothing starts it: restore only says what to type", async () => {
  const home = await savedTeam();
  start(home);
  expect(hivemind(home, ["watch", "--stop"]).code).toBe(0);
  await killServer(home);
  expect(hivemind(home, ["restore"]).stdout).toContain(hint);
  expect(watcher(home)).toBeNull();
  expect(shown(home)).toMatchObject({ runs: false, wanted: null, cure: "hivemind watch --background" });
  expect(json(home, ["restore"])).toMatchObject({ watcher: null });
});

test("of two restores at once one starts it", async () => {
  const home = await savedTeam();
  const first = start(home, "--every", "1");
  process.kill(first, "SIGKILL");
  await killServer(home);
  await until("its end", () => findProcess(first) === null);
  const before = beginnings(home).length;
  const { spawn } = await import("node:child_process");
  const restores = [1, 2].map(
    () =>
      new Promise<string>((resolve) => {
        const child = spawn(process.execPath, [mainProgram, "restore"], { env: home.env, cwd: home.work });
        let out = "";
        child.stdout.on("data", (text) => (out += text));
        child.on("close", () => resolve(out));
      }),
  );
  const outs = await Promise.all(restores);
  expect(outs.filter((out) => again.test(out))).toHaveLength(1);
  expect(beginnings(home).slice(before)).toEqual([expect.stringContaining("watching ")]);
});

test("of two starts at one moment one makes a process", async () => {
  const home = await savedTeam();
  process.kill(start(home), "SIGKILL");
  await until("its end", () => watcher(home) === null);
  const before = beginnings(home).length;
  const stores = openStores(home.env);
  const options = { program: [process.execPath, mainProgram] as const, env: home.env };
  const both = await Promise.all([startWanted(stores, options), startWanted(stores, options)]);
  expect(both.map((each) => each?.isNew).toSorted()).toEqual([false, true]);
  expect(both.map((each) => each?.watcher.pid)).toEqual([watcher(home), watcher(home)]);
  expect(beginnings(home).slice(before)).toEqual([expect.stringContaining("watching ")]);
});

test("a watcher at a terminal counts: restore starts no second one", async () => {
  const home = await savedTeam();
  start(home);
  process.kill(watcher(home)!, "SIGKILL");
  const own = await startWatching(home);
  await until("its post", () => watcher(home) === own.pid);
  await killServer(home);
  expect(json(home, ["restore"])).toMatchObject({ watcher: { pid: own.pid, isNew: false } });
  expect(shown(home).watcher).toMatchObject({ pid: own.pid, how: "program" });
});

test.each([
  ["team restart", ["team", "restart", "web"]],
  ["agent restart", ["agent", "restart", "lead", "--team", "web"]],
  ["team setup", ["team", "setup", "other", "scout", "--kind", "demo"]],
])("%s brings it back, too", async (_, words) => {
  const home = await savedTeam();
  start(home, "--every", "1");
  await killServer(home);
  await until("the end of the watcher", () => watcher(home) === null);
  expect(hivemind(home, words)).toMatchObject({ code: 0, stdout: expect.stringMatching(again) });
  expect(shown(home).watcher).toMatchObject({ how: "background", options: ["--every", "1"] });
});

test("`watch --background` without options has those of the watcher before", async () => {
  const home = await savedTeam();
  process.kill(start(home, "--every", "1", "--quiet"), "SIGKILL");
  await until("the end of the watcher", () => watcher(home) === null);
  expect(hivemind(home, ["watch", "--background"]).stdout).toContain("  as before: --every 1 --quiet\n");
  expect(shown(home).watcher).toMatchObject({ options: ["--every", "1", "--quiet"] });
  expect(hivemind(home, ["watch", "--stop"]).code).toBe(0);
  start(home);
  expect(shown(home).watcher).toMatchObject({ options: [] });
});

test("a watcher that cannot start is a warning with its words, and the agents are back", async () => {
  const home = await savedTeam();
  const notify = join(home.root, "note it");
  writeFileSync(notify, "#!/bin/sh\n");
  chmodSync(notify, 0o755);
  start(home, "--every", "1", "--notify", notify);
  expect(shown(home).wanted).toEqual({ options: ["--notify", notify, "--every", "1"] });
  await killServer(home);
  await until("the end of the watcher", () => watcher(home) === null);
  rmSync(notify);
  const { code, stderr } = hivemind(home, ["restore"]);
  expect(code).toBe(0);
  expect(stderr).toContain(`the watcher did not start: hivemind: there is no program "${notify}"`);
  expect(stderr).toContain("its log: ");
  expect(await idleAgents(home, 1)).toHaveLength(1);
  expect(hivemind(home, ["status"]).stdout).toContain(
    "The watcher that you started does not run: hivemind watch --background",
  );
});

test("watch --status and doctor say whether one runs, was wanted, or is needed", async () => {
  const home = await savedTeam();
  const doctor = () =>
    JSON.parse(hivemind(home, ["doctor", "--json"]).stdout).findings.find(
      ({ check }: { check: string }) => check === "watcher",
    );
  const none = hivemind(home, ["watch", "--status"]);
  expect(none).toMatchObject({ code: 1, stdout: expect.stringMatching(/^watcher +none runs$/m) });
  expect(none.stdout).toContain("To start one: hivemind watch --background");
  expect(doctor()).toMatchObject({ level: "info", fix: "hivemind watch --background" });
  hivemind(home, ["hold", "lead"]);
  hivemind(home, ["send", "lead", "later"]);
  expect(doctor()).toMatchObject({
    level: "warning",
    message: "no watcher runs, and 1 message waits",
    fix: "hivemind watch --background",
  });

  const pid = start(home, "--every", "5");
  const runs = hivemind(home, ["watch", "--status"]);
  expect(runs.code).toBe(0);
  expect(runs.stdout).toMatch(
    new RegExp(`^watcher +runs since 20\\S+Z \\(\\d+ s\\): process ${pid} on `, "m"),
  );
  expect(runs.stdout).toMatch(/^started +in the background$/m);
  expect(runs.stdout).toMatch(/^options +--every 5$/m);
  expect(runs.stdout).toContain(`${home.config}, tmux -S ${home.socket}`);
  expect(doctor()).toMatchObject({ level: "ok" });

  process.kill(pid, "SIGKILL");
  await until("its end", () => findProcess(pid) === null);
  expect(doctor()).toMatchObject({
    level: "warning",
    message: "the watcher that you started does not run, and 1 message waits",
  });
  expect(hivemind(home, ["watch", "--status"]).code).toBe(1);
  expect(hivemind(home, ["watch", "--status", "--stop"]).code).toBe(2);
  expect(existsSync(join(home.config, "hivemind.watch.starting.lock"))).toBe(false);
});
