// The stores stay right in normal use of real clients, and are put right after damage.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import { hivemind } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, until } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { type ClientVersion, clientVersions, installClient } from "./install.js";
import { testWorld } from "./world.js";

/** A registered team with one client that a person started and talked to. */
async function teamOf(version: ClientVersion) {
  const { home, api, start } = await testWorld();
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  symlinkSync(await installClient(version), join(bin, "claude"));
  const stores = join(home.root, "stores");
  const env = {
    PATH: `${bin}:${home.env.PATH}`,
    // The stores lie outside the home, which is the canary for what clients write.
    HIVEMIND_CONFIG_DIR: stores,
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_AUTH_TOKEN: "stand-in",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
  };
  const run = (...args: string[]) => hivemind(home, args, { env });
  onTestFinished(() => endAll(home));
  const client = await start(version, { team: "web", args: ["--session-id", idOf(1), "-n", "po"] });
  const say = async (word: string) => {
    const id = client.registryFile()!.sessionId!;
    api.when(new RegExp(`\\b${word}$`), { text: `answer to ${word}` });
    await client.settled();
    await client.submit(word);
    await until(`${word} on disk`, () => JSON.stringify(client.transcript(id)).includes(word), 30_000);
    await client.waitForScreen(new RegExp(`answer to ${word}`));
    await client.waitForStatus("idle");
  };
  await say("aardvark");
  expect(run("team", "register", "web").code).toBe(0);
  return { home, run, client, say, stores };
}

type Run = Awaited<ReturnType<typeof teamOf>>["run"];

/** `I2 update web:0.0`. */
function wrong(run: Run): string[] {
  const { violations } = JSON.parse(run("consistency", "audit", "--json").stdout);
  return violations.map(({ invariant, op, key }: Record<string, string>) => `${invariant} ${op} ${key}`);
}

const pids = (home: TestHome) =>
  home.tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n").map(Number);

async function endAll(home: TestHome): Promise<void> {
  let running: number[];
  try {
    running = pids(home);
    process.kill(Number(home.tmux("display-message", "-p", "#{pid}")), "SIGKILL");
  } catch {
    // The test ended it.
    return;
  }
  const isAlive = (pid: number) => (readProcStat(pid)?.state ?? "Z") !== "Z";
  await until("the end of the clients", () => !running.some(isAlive), 30_000);
}

it.each(clientVersions)("with the client %s nothing is wrong through a day's work", async (version) => {
  const { home, run, client, say } = await teamOf(version);
  const refreshed = () => {
    expect(run("registry", "refresh").code).toBe(0);
    return wrong(run);
  };
  /** Until a refresh has followed it, a new session is all that is wrong. */
  const moveOn = async (command: string) => {
    const from = client.registryFile()!.sessionId;
    await client.settled();
    await client.submit(command);
    await until(`another session after ${command}`, () => client.registryFile()?.sessionId !== from, 30_000);
    expect(wrong(run)).toEqual(["I2 update web:0.0"]);
    expect(refreshed()).toEqual([]);
  };
  expect(refreshed()).toEqual([]);
  expect(run("agent", "spawn", "dev", "--team", "web")).toMatchObject({ code: 0 });
  expect(wrong(run)).toEqual([]);
  expect(run("agent", "fork", "po", "--as", "scout")).toMatchObject({ code: 0 });
  expect(wrong(run)).toEqual([]);
  await moveOn("/clear");
  await say("bandicoot");
  expect(wrong(run)).toEqual([]);
  await moveOn("/branch");
  expect(run("agent", "kill", "scout", "--yes")).toMatchObject({ code: 0 });
  expect(wrong(run)).toEqual([]);
  await say("capybara");
  expect(run("teams", "save").code).toBe(0);
  await endAll(home);
  // One of them never said a word: there is nothing of it on disk, and nothing is missed.
  expect(wrong(run)).toEqual([]);
  run("teams", "restore");
  expect(wrong(run)).toEqual([]);
});

it.each(clientVersions)("with the client %s `fix` puts damaged stores right, once", async (version) => {
  const { run, stores } = await teamOf(version);
  expect(run("registry", "refresh").code).toBe(0);
  expect(run("agent", "spawn", "dev", "--team", "web")).toMatchObject({ code: 0 });
  const edit = (name: string, change: (text: string) => string) => {
    const path = join(stores, name);
    writeFileSync(path, change(readFileSync(path, "utf8")));
  };
  const rows = () => contentsOf(stores)["hivemind.sessions.env"]!.split("\n").sort();
  const before = rows();
  edit("hivemind.roles.env", (text) => `${text.replace(/^web:0\.1.*\n/m, "")}web:0.7|ghost\n`);
  edit("hivemind.sessions.env", (text) => text.replace(idOf(1), idOf(9)).replace(/^web:0\.1.*\n/m, ""));
  expect(wrong(run)).toEqual(["I1 remove web:0.7", "I2 update web:0.0", "I8 add web:0.1", "I10 add web:0.1"]);
  expect(run("consistency", "fix", "--yes")).toMatchObject({ code: 0 });
  expect(wrong(run)).toEqual([]);
  expect(rows()).toEqual(before);
  const clean = contentsOf(stores);
  expect(run("consistency", "fix", "--yes")).toMatchObject({ code: 0, stdout: "nothing is wrong\n" });
  expect(contentsOf(stores)).toEqual(clean);
});
