// `sessions fork`: a copy that goes its own way, with and without an agent.

import { mkdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { startAgent } from "../demo-agent/driver.js";
import { testHome, until } from "../home.js";
import { appendLine, idOf, user } from "../transcripts/files.js";
import { events, everything, forkRows, managed, saved, sessions } from "./saved.js";

const newId = /into ([0-9a-f-]{36})/;

interface Edge {
  parent: string;
  child: string;
  forkPoint: string | null;
  inferred: boolean;
}

describe("offline", () => {
  test("the parent is untouched, and the lineage shows the child at once", () => {
    const home = testHome();
    const parent = saved(home, 1);
    const before = readFileSync(parent.path);
    const ran = sessions(home, "fork", "latest", "--branch", "try two");
    expect(ran).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("named try two\n2 messages, up to a1"),
    });
    const child = newId.exec(ran.stdout)![1]!;
    expect(readFileSync(parent.path)).toEqual(before);
    expect(json<{ edges: Edge[] }>(home, ["lineage"]).edges).toEqual([
      expect.objectContaining({ parent: parent.id, child, forkPoint: "a1", inferred: false }),
    ]);
    // When the client has deleted its file, the record of forks still knows it.
    expect(forkRows(home)).toEqual([
      expect.stringMatching(`^[^|]+Z\\|\\|\\|${child}\\|stale\\|${parent.id}$`),
    ]);
    expect(events(home)).toEqual([`session.forked ${parent.id} ${child}`]);
    const [row] = json<{ sessions: { id: string; title: string; parent: string }[] }>(home, [
      "sessions",
    ]).sessions.filter(({ id }) => id === child);
    expect(row).toMatchObject({ title: "try two", parent: parent.id });
  });

  test("its id is printed even if its lineage cannot be written", () => {
    const home = testHome();
    const { id } = saved(home, 1);
    mkdirSync(join(home.config, "hivemind.events.log"), { recursive: true });
    const ran = sessions(home, "fork", id);
    expect(ran).toMatchObject({ code: 3, stderr: expect.stringContaining("hivemind.events.log") });
    const child = newId.exec(ran.stdout)![1]!;
    expect(
      json<{ sessions: { id: string }[] }>(home, ["sessions"]).sessions.map((each) => each.id),
    ).toContain(child);
  });

  test("each fork has its own name, and no unfinished turn", () => {
    const home = testHome();
    const parent = saved(home, 1);
    appendLine(parent.path, user("q2", { cwd: realpathSync(home.work) }));
    const names = [1, 2].map(() => {
      const { stdout, stderr } = sessions(home, "fork", parent.id);
      expect(stderr).toContain("left out 1 message of an unfinished turn");
      return /named (.*)/.exec(stdout)![1];
    });
    expect(names).toEqual(["talk 1 (branch)", "talk 1 (branch 2)"]);
  });

  test("a running session can be forked too", async () => {
    const home = testHome();
    const agent = startAgent(home, ["--session-id", idOf(7), "-n", "po"]);
    await agent.becomes("idle");
    expect(sessions(home, "fork", agent.pane)).toMatchObject({ code: 1, stdout: "" });
    await agent.say("hello");
    expect(sessions(home, "fork", agent.pane)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(newId),
    });
  });

  test("a claw fork stays in its partition, with its parent and its branch", async () => {
    const home = testHome();
    const parent = await managed(home);
    const before = readFileSync(parent.path);
    const { code, stdout } = sessions(home, "fork", parent.id, "--branch", "side");
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(`^forked ${parent.id} into session-\\d+-\\d+, named side\n1 messages\n$`),
    });
    expect(readFileSync(parent.path)).toEqual(before);
    const rows = json<{ sessions: Record<string, unknown>[] }>(home, ["sessions"]).sessions;
    expect(rows.map((row) => row.parent)).toContain(parent.id);
    expect(sessions(home, "fork", "--file", parent.path).stdout).toContain(`forked ${parent.id}`);
  });

  test.each([
    ["an unknown one", ["fork", "99999999"], 1, "no session"],
    ["neither a name nor a file", ["fork"], 2, "needs REF or --file PATH"],
    ["a name and a file", ["fork", "latest", "--file", "/x"], 2, "not both"],
    ["a file that is not there", ["fork", "--file", "/no/such"], 1, "there is no file /no/such"],
    ["a file that is no session", ["fork", "--file", "/etc/passwd"], 1, "passwd"],
    ["an empty branch", ["fork", "latest", "--branch", " "], 1, "a branch name has"],
    ["a branch like an option", ["fork", "latest", "--branch=-x"], 1, "does not start with -"],
    ["a role for nobody", ["fork", "latest", "--as", "po"], 2, "--into PANE"],
    ["a pane that is not there", ["fork", "latest", "--into", "%9"], 1, "%9"],
  ])("%s is refused, and nothing is written", (_, args, code, why) => {
    const home = testHome();
    saved(home, 1);
    const before = everything(home);
    expect(sessions(home, ...args)).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(why) });
    expect(everything(home)).toEqual(before);
  });
});

describe("into a pane", () => {
  test("an idle shell is replaced, and its agent has the chosen id", async () => {
    const home = testHome();
    const parent = saved(home, 1);
    home.tmux("new-session", "-d", "-s", "web", "-x", "150", "-y", "40", "-c", home.work);
    const fork = (...more: string[]) =>
      sessions(home, "fork", parent.id, "--into", "web:0.0", "--kind", "demo", ...more);
    await until(
      "the shell",
      () => home.tmux("display-message", "-p", "-t", "=web:0.0", "#{pane_current_command}") === "sh\n",
    );
    const ran = fork("--as", "scout", "--branch", "side");
    const asks = "scout asks before what it does (permission mode default)";
    expect(ran).toMatchObject({
      code: 0,
      stderr: `${asks}: its parent's permission mode is unknown\nregistered web as a team\n`,
    });
    const child = /session ([0-9a-f-]{36})/.exec(ran.stdout)![1]!;
    expect(ran.stdout).toBe(`started scout in web:0.0, session ${child}\na fork of ${parent.id}\n`);
    const pane = json<{ uuid: string; title: string }>(home, ["session", "discover", "scout"]);
    expect(pane).toMatchObject({ uuid: child });
    expect(forkRows(home)[0]).toMatch(`|web:0.0|scout|${child}|stable|${parent.id}`);
    expect(events(home)[0]).toMatch(
      new RegExp(`^agent\\.forked web:0\\.0 scout ${parent.id} ${child} [a-z2-7]{10}$`),
    );

    // An agent that runs there is not replaced.
    const before = everything(home);
    expect(fork()).toMatchObject({ code: 1, stderr: expect.stringContaining("an agent runs in web:0.0") });
    expect(everything(home)).toEqual(before);
  });

  test("a running program stays, and no row is written", () => {
    const home = testHome();
    const parent = saved(home, 1);
    home.tmux("new-session", "-d", "-s", "web", "-c", home.work, "cat", "-");
    const before = everything(home);
    const ran = sessions(home, "fork", parent.id, "--into", "web:0.0", "--kind", "demo");
    expect(ran).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("web:0.0 runs cat, so it is left alone"),
    });
    expect(everything(home)).toEqual(before);
    expect(home.tmux("display-message", "-p", "-t", "=web:0.0", "#{pane_current_command}")).toBe("cat\n");
  });

  test("the fork runs in its parent's folder, wherever the shell was", async () => {
    const home = testHome();
    const parent = saved(home, 1);
    home.tmux("new-session", "-d", "-s", "web", "-x", "150", "-y", "40", "-c", "/");
    const command = () => home.tmux("display-message", "-p", "-t", "=web:0.0", "#{pane_current_command}");
    // For a moment the process of a new pane is still a copy of tmux.
    await until("the shell runs", () => command() !== "tmux\n");
    const ran = sessions(home, "fork", parent.id, "--into", "web:0.0", "--kind", "demo");
    // Without a role it is an agent all the same, and how to name it is said.
    expect(ran).toMatchObject({ code: 0, stderr: expect.stringContaining("agent adopt web:0.0") });
    const folder = home.tmux("display-message", "-p", "-t", "=web:0.0", "#{pane_current_path}");
    expect(folder).toBe(`${realpathSync(home.work)}\n`);
  });

  test("a role that another pane has is refused", () => {
    const home = testHome();
    const parent = saved(home, 1);
    tmuxTeam(home, "web");
    home.tmux("split-window", "-d", "-t", "=web:");
    hivemind(home, ["registry", "set", "web:0.0", "po"]);
    const before = everything(home);
    const ran = sessions(home, "fork", parent.id, "--into", "web:0.1", "--kind", "demo", "--as", "po");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("web:0.0 is po already") });
    expect(everything(home)).toEqual(before);
  });

  test("claw is not started, and no fork is left behind", async () => {
    const home = testHome();
    const parent = await managed(home);
    home.tmux("new-session", "-d", "-s", "web");
    const before = everything(home);
    expect(sessions(home, "fork", parent.id, "--into", "web:0.0")).toMatchObject({ code: 1 });
    expect(everything(home)).toEqual(before);
  });
});
