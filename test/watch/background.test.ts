// The watcher in the background: who starts it, what ends it, and who learns that there is none.

import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProcess } from "../../src/base/system/processes.js";
import { hivemind, json, mainProgram } from "../command.js";
import { readTranscript, texts } from "../demo-agent/driver.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { teamOfOne } from "./team-of-one.js";

const nobody = "Nobody is delivering: hivemind watch --background";
const saidIn = (home: TestHome, id: string) => texts(readTranscript(home, home.work, id), "user");
const lockOf = (home: TestHome) =>
  lstatSync(join(home.config, "hivemind.watching.lock"), { throwIfNoEntry: false });
const logOf = (home: TestHome) => readFileSync(join(home.config, "hivemind.watch.log"), "utf8");

function start(home: TestHome): number {
  const { pid, isNew } = json<{ pid: number; isNew: boolean }>(home, [
    "watch",
    "--background",
    "--every",
    "1",
  ]);
  expect(isNew).toBe(true);
  return pid;
}

test("it starts once, delivers queued messages, and stops on request", async () => {
  const home = await teamOfOne();
  const queued = hivemind(home, ["queue", "append", "lead", "hello"]);
  expect(queued).toMatchObject({ code: 0, stderr: `${nobody}\n` });
  const pid = start(home);
  await until("the delivery", () => saidIn(home, idOf(1)).includes("hello"));
  const again = hivemind(home, ["watch", "--background"]);
  expect(again).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`a watcher runs already (process ${pid})`),
  });
  expect(hivemind(home, ["watch", "--once"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("hivemind watch --stop"),
  });
  expect(hivemind(home, ["watch", "--stop"])).toMatchObject({
    code: 0,
    stdout: `stopped the watcher (process ${pid})\n`,
  });
  expect(lockOf(home)).toBeUndefined();
  expect(hivemind(home, ["watch", "--stop"])).toMatchObject({ code: 0, stdout: "no watcher runs\n" });
  expect(logOf(home)).toMatch(/^20\S+Z began watching .*; hivemind watch --stop ends it\n/);
});

test("closing the terminal that started it does not end it; the end of its tmux server does", async () => {
  const home = await teamOfOne();
  const typed = [process.execPath, mainProgram, "watch", "--background", "--every", "1"];
  const pane = ["split-window", "-d", "-P", "-F", "#{pane_id}", "-t", "=web:0.0", ...paneVariables(home.env)];
  const id = home.tmux(...pane, "sh", "-c", `"$@"; exec cat`, "sh", ...typed).trim();
  await until("the watcher", () => lockOf(home) !== undefined);
  const { pid } = json<{ pid: number }>(home, ["watch", "--background"]);
  await until("its words", () =>
    home.tmux("capture-pane", "-p", "-t", id).includes("watching in the background"),
  );
  home.tmux("kill-pane", "-t", id);
  hivemind(home, ["queue", "append", "lead", "still there"]);
  await until("the delivery", () => saidIn(home, idOf(1)).includes("still there"));
  expect(findProcess(pid)).not.toBeNull();
  home.tmux("kill-server");
  await until("its end", () => lockOf(home) === undefined);
  expect(logOf(home)).toContain("the watcher ends with its tmux server");
});

test("send, queue list and status say that nobody delivers, also after the watcher was killed", async () => {
  const home = await teamOfOne();
  hivemind(home, ["hold", "lead"]);
  const notes = () => ({
    send: hivemind(home, ["send", "lead", "later"]).stderr,
    list: hivemind(home, ["queue", "list"]).stderr,
    status: hivemind(home, ["status"]).stdout.includes(nobody),
    glance: hivemind(home, []).stdout.includes(nobody),
  });
  const said = { send: `${nobody}\n`, list: `${nobody}\n`, status: true, glance: true };
  const silent = { send: "", list: "", status: false, glance: false };
  expect(notes()).toEqual(said);
  const pid = start(home);
  expect(notes()).toEqual(silent);
  process.kill(pid, "SIGKILL");
  await until("its end", () => findProcess(pid) === null);
  expect(notes()).toEqual(said);
  start(home);
  expect(notes()).toEqual(silent);
});

test("without a tmux server it does not start, and a start that fails says why", async () => {
  const home = testHome();
  expect(hivemind(home, ["watch", "--background"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("no tmux server runs: there is nothing to watch"),
  });
  expect(hivemind(home, ["watch", "--background", "--once"])).toMatchObject({ code: 2 });
});
