// What is refused before anything happens: broad folders, sessions that cannot be taken up, and those that are taken.

import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openManagedSessions } from "../../src/agents/claw/managed-store.js";
import { hivemind } from "../command.js";
import { startAgent } from "../demo-agent/driver.js";
import { type TestHome, testHome } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { everything, managed, saved } from "./saved.js";

/** A team of one shell and one other program, and stores that exist. */
function team(): TestHome {
  const home = testHome();
  home.tmux("new-session", "-d", "-s", "web", "-x", "150", "-y", "40", "-c", home.work);
  home.tmux("split-window", "-d", "-t", "=web:", "-c", home.work, "cat", "-");
  expect(hivemind(home, ["team", "register", "web", "a team"]).code).toBe(0);
  return home;
}

function trace(home: TestHome): unknown[] {
  return [...everything(home), home.tmux("list-panes", "-a", "-F", "#{pane_id} #{pane_dead} #{@hivemind}")];
}

const into = ["--into", "web:0.0", "--kind", "demo"];

describe("in / and in the home folder", () => {
  test.each<[string, (home: TestHome) => string[]]>([
    [
      "an agent begins",
      ({ home }) => ["agent", "spawn", "po", "--team", "web", "--kind", "demo", "--cwd", home],
    ],
    [
      "an agent begins at the root",
      () => ["agent", "spawn", "po", "--team", "web", "--kind", "demo", "--cwd", "/"],
    ],
    [
      "a role prompt is given",
      ({ home }) => ["agent", "bootstrap", "po", "--team", "web", "--kind", "demo", "--cwd", home],
    ],
    ["a team begins", ({ home }) => ["team", "setup", "new", "po", "--kind", "demo", "--cwd", home]],
    ["a fork goes on", (home) => ["sessions", "fork", saved(home, 1, home.home).id, "--all", ...into]],
  ])("%s only with --allow-broad-cwd", (_, argsOf) => {
    const home = team();
    const args = argsOf(home);
    const before = trace(home);
    expect(hivemind(home, args)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("--allow-broad-cwd"),
    });
    expect(trace(home)).toEqual(before);
  });

  test("a fork runs there with --allow-broad-cwd, and looking needs no permission", () => {
    const home = team();
    const { id } = saved(home, 1, home.home);
    const inHome = { cwd: home.home };
    expect(hivemind(home, ["sessions", "--json"], inHome)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(id),
    });
    expect(hivemind(home, ["sessions", "show", id], inHome)).toMatchObject({ code: 0 });
    expect(hivemind(home, ["sessions", "fork", id, ...into, "--allow-broad-cwd"], inHome)).toMatchObject({
      code: 0,
    });
  });

  test("claw's sessions are created and resumed only with permission", async () => {
    const home = testHome();
    const { create, resume, list } = openManagedSessions({ folder: home.home, env: home.env });
    await expect(create()).rejects.toThrow(/your home folder/);
    expect(everything(home)).toEqual([{}, {}, {}]);
    const handle = await create({ isBroadAllowed: true });
    handle.close();
    await expect(resume(handle.id)).rejects.toThrow(/your home folder/);
    (await resume(handle.id, { isBroadAllowed: true })).close();
    expect(list().sessions).toHaveLength(1);
  });
});

describe("a resume that fails leaves no trace", () => {
  test.each<[string, (home: TestHome) => string[], string]>([
    ["of an unknown id", () => ["agent", "respawn", "web:0.1", "--from", idOf(9)], idOf(9)],
    ["in a pane that runs something else", () => ["agent", "restart", "web:0.1"], "web:0.1"],
    [
      "of a session whose folder is gone",
      (home) => ["sessions", "fork", goneFolder(home), "--all", ...into],
      "there is no folder",
    ],
    [
      "without a program",
      (home) => ["sessions", "fork", saved(home, 1).id, "--into", "web:0.0"],
      "no claude in PATH",
    ],
    [
      "in a pane that is not there",
      (home) => ["sessions", "fork", saved(home, 1).id, "--into", "web:0.9"],
      "web:0.9",
    ],
    [
      "over another program",
      (home) => ["sessions", "fork", saved(home, 1).id, "--into", "web:0.1", "--kind", "demo"],
      "runs cat",
    ],
    ["of another folder's", (home) => ["sessions", "fork", elsewhere(home), ...into], "belongs to"],
  ])("%s", (_, argsOf, why) => {
    const home = team();
    const args = argsOf(home);
    const before = trace(home);
    const bare = {
      PATH: process.env
        .PATH!.split(":")
        .filter((each) => !each.includes("node_modules"))
        .join(":"),
    };
    expect(hivemind(home, args, { env: bare })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(why),
    });
    expect(trace(home)).toEqual(before);
  });

  test.each(["session-1-0", "latest", "../../../etc/passwd", ".hidden", "-x", ""])(
    "of a claw session called %j",
    async (ref) => {
      const home = testHome();
      writeFileSync(join(home.work, "canary"), "x");
      const before = everything(home);
      await expect(openManagedSessions({ folder: home.work, env: home.env }).resume(ref)).rejects.toThrow();
      expect(everything(home)).toEqual(before);
    },
  );
});

describe("two processes on one session", () => {
  test("are refused, and the holder is named", async () => {
    const home = team();
    const agent = startAgent(home, ["--session-id", idOf(4)]);
    await agent.becomes("idle");
    await agent.say("hello");
    const before = trace(home);
    const args = ["agent", "spawn", "two", "--team", "web", "--kind", "demo", "--session", idOf(4)];
    expect(hivemind(home, args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(`session ${idOf(4)} is open already: .*process ${agent.pid}`),
    });
    expect(trace(home)).toEqual(before);
  });

  test("are refused for a claw session, and the holder is named", async () => {
    const home = testHome();
    const { id } = await managed(home);
    const store = openManagedSessions({ folder: home.work, env: home.env });
    const held = await store.resume(id);
    const ran = hivemind(home, ["sessions", "rm", id, "--yes"], { limits: { managedHeldMs: 300 } });
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`in use by process ${process.pid}`),
    });
    expect(store.exists(id)).toBe(true);
    held.close();
  });
});

function goneFolder(home: TestHome): string {
  const folder = join(home.root, "gone");
  mkdirSync(folder);
  const { id } = saved(home, 1, folder);
  rmSync(folder, { recursive: true });
  return id;
}

function elsewhere(home: TestHome): string {
  const folder = join(home.root, "other");
  mkdirSync(folder);
  return saved(home, 1, folder).id;
}
