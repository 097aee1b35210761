import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { limits } from "../../src/limits.js";
import { demoAgent, hivemind } from "../command.js";
import { transcriptPath } from "../demo-agent/driver.js";
import { paneVariables, until } from "../home.js";
import { fakeClient } from "../teams/starting.js";
import { idFor, type Running, type WrittenTeam, writtenTeam } from "./written.js";

/** Resolves when this agent runs, while a command is still working. */
async function seen(team: WrittenTeam, role: string): Promise<number> {
  const { pid } = await until(`${role} runs`, () => {
    try {
      const found = team.agents()[role];
      return found?.uuid === idFor(role) && found.kind === "demo" ? found : null;
    } catch {
      return null;
    }
  });
  return pid;
}

/** A transcript with one message. */
function writeWords(path: string, cwd: string, agent: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const record = { type: "user", cwd, sessionId: idFor(agent), uuid: idFor("a message") };
  writeFileSync(path, `${JSON.stringify({ ...record, message: { role: "user", content: "hello" } })}\n`);
}

test("twice at once starts no agent twice (incident 22)", async () => {
  const team = writtenTeam({ lead: [], dev: [] });
  const both: Running[] = [team.begin("up"), team.begin("up")];
  const ran = await Promise.all(both.map(({ ended }) => ended));
  expect(ran.map(({ code }) => code)).toContain(0);
  for (const { code, stderr } of ran)
    if (code !== 0) expect(stderr).toMatch(/shop is being changed by process \d+/);
  expect(Object.keys(team.agents()).sort()).toEqual(["dev", "lead"]);
  expect(team.home.tmux("list-panes", "-a").trim().split("\n")).toHaveLength(2);
});

test("an interrupted run finishes the agents that start together, and the next run continues", async () => {
  const slow = "env: { DEMO_START_MS: '2000' }";
  const team = writtenTeam({ one: [], two: [slow], console: ["kind: shell"], three: [] });
  const { child, ended } = team.begin("up");
  const pid = await seen(team, "one");
  child.kill("SIGINT");
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([1, expect.stringContaining("run the same command again to continue")]);
  const { one, two, ...others } = team.agents();
  expect([one, two]).toMatchObject([{ pid }, { uuid: idFor("two") }]);
  expect(Object.keys(others)).toEqual([]);
  expect(team.run("up")).toMatchObject({ code: 0 });
  expect(team.agents()).toMatchObject({ one: { pid }, two: {}, three: { uuid: idFor("three") } });
});

test("panes and answers are in the order of the file, whichever agent is up first", () => {
  const roles = ["slow", "fast", "bad", "last"];
  const team = writtenTeam({
    slow: ["env: { DEMO_START_MS: '1500' }"],
    fast: [],
    bad: ["env: { DEMO_CRASH_ON_START: '1' }"],
    last: [],
  });
  const { code, stdout, stderr } = team.run("up");
  expect([code, stderr]).toEqual([1, expect.stringContaining("✗ bad: gave up")]);
  const begun = [...stdout.matchAll(/started (\w+) {2}(\S+)/g)].map(([, role, pane]) => [role, pane]);
  expect(begun).toEqual([
    ["slow", "shop:0.0"],
    ["fast", "shop:0.1"],
    ["last", "shop:0.3"],
  ]);
  const opened = team.home.tmux("list-panes", "-s", "-t", "=shop", "-F", "#{@hivemind}").trim().split("\n");
  expect(opened.map((option) => option.split("|")[2])).toEqual(roles);
});

test("an agent killed meanwhile is back when the command ends", async () => {
  const team = writtenTeam({ one: [], two: ["env: { DEMO_START_MS: '800' }"] });
  const { ended } = team.begin("up");
  const pid = await seen(team, "one");
  process.kill(pid, "SIGKILL");
  expect(await ended).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("one ended; retrying in 1 s"),
  });
  const { one } = team.agents();
  expect(one).toMatchObject({ uuid: idFor("one"), isDead: false });
  expect(one!.pid).not.toBe(pid);
});

test("a crash loop is given up with its last output, and the others run (incident 21)", () => {
  const crash = "env: { DEMO_CRASH_ON_START: '1' }";
  const team = writtenTeam({ soon: ["env: { DEMO_CRASH_AFTER_MS: '200' }"], bad: [crash], good: [] });
  const { code, stdout, stderr } = team.run("up");
  expect(code).toBe(1);
  expect(stderr).toContain("soon, bad ended; retrying in 2 s");
  expect(stderr).toMatch(/✗ bad: gave up after 3 tries: bad did not start: it ended with status 1/);
  expect(stderr).toMatch(/✗ soon: gave up after 3 tries: /);
  expect(stdout).toContain("shop: 1 started, 2 failed");
  expect(team.agents()).toMatchObject({ good: { uuid: idFor("good"), isDead: false } });
  // Its last output stays in its pane, and the next run uses that pane.
  const panes = () => team.home.tmux("list-panes", "-a", "-F", "#{pane_id}");
  const before = panes();
  team.write({ bad: [], good: [] });
  expect(team.run("up", "bad")).toMatchObject({ code: 0 });
  expect(panes()).toBe(before);
  expect(team.agents()).toMatchObject({ bad: { uuid: idFor("bad"), isDead: false } });
});

describe("with a client that the test controls", () => {
  const claude = ["kind: claude"];
  // tmux drops what a program writes just before it ends.
  const login = `echo "Invalid API key · Please run /login"; sleep 0.5`;

  test("a resume without a conversation starts fresh in the next round", () => {
    const team = writtenTeam({ lead: claude });
    const path = transcriptPath(team.home, team.home.work, idFor("lead"));
    const lost = `case "$*" in *--resume*) rm "${path}"; echo "No conversation found"; exit 1;; esac`;
    const env = fakeClient(team.home, lost);
    writeWords(path, team.home.work, "lead");
    const { code, stdout, stderr } = hivemind(team.home, ["up"], { env });
    expect([code, stderr]).toEqual([0, "lead ended; retrying in 1 s\n"]);
    expect(stdout).toContain("(it crashed: its program ended with exit code 1; starts a new conversation)");
    expect(existsSync(path)).toBe(false);
  });

  test("the first agent that cannot log in stops the run (incident 23)", () => {
    const team = writtenTeam({ lead: claude, dev: claude });
    const env = fakeClient(team.home, `${login}; exit 1`);
    const { code, stdout, stderr } = hivemind(team.home, ["up"], { env });
    expect([code, stdout]).toEqual([1, expect.stringContaining("1 failed, 1 not reached")]);
    expect(stderr).toContain("Please run /login");
  });

  test("the last one stops it too, and no other is tried again", () => {
    const team = writtenTeam({ lead: claude, dev: claude });
    const env = fakeClient(team.home, `case "$*" in *${idFor("dev")}*) ${login};; esac; exit 1`);
    const { code, stdout, stderr } = hivemind(team.home, ["up"], { env });
    expect([code, stdout]).toEqual([1, expect.stringMatching(/2 failed\n$/)]);
    expect(stderr).not.toContain("retrying in");
  });
});

test("a conversation that is open elsewhere, or belongs to another folder, is refused once with the reason", () => {
  const team = writtenTeam({ lead: [], dev: [], good: ["kind: shell"] });
  const { home } = team;
  const program = [process.execPath, demoAgent, "--session-id", idFor("lead")];
  home.tmux("new-session", "-d", "-s", "mine", "-c", home.work, ...paneVariables(home.env), ...program);
  const elsewhere = transcriptPath(home, home.home, idFor("dev"));
  writeWords(elsewhere, home.home, "dev");
  const { code, stderr } = team.run("up");
  expect(code).toBe(1);
  expect(stderr).toContain(`✗ lead: session ${idFor("lead")} is open already: mine:0.0`);
  expect(stderr).toContain(
    `! dev: its conversation ${idFor("dev")} belongs to ${home.home}, not to ${home.work}`,
  );
  expect(stderr).not.toContain("retrying in");
  expect(home.tmux("list-panes", "-s", "-t", "=shop").trim().split("\n")).toHaveLength(1);
  expect(team.run("up", "dev", "--fresh")).toMatchObject({ code: 0 });
  expect([existsSync(elsewhere), existsSync(`${elsewhere}.bak`)]).toEqual([false, true]);
});

test("a new pane in which nothing started closes again, and no open conversation is archived", async () => {
  const team = writtenTeam({ lead: [] });
  const { home } = team;
  const program = [process.execPath, demoAgent, "--session-id", idFor("lead"), "hello"];
  home.tmux("new-session", "-d", "-s", "mine", "-c", home.work, ...paneVariables(home.env), ...program);
  const path = transcriptPath(home, home.work, idFor("lead"));
  await until("its transcript", () => existsSync(path));
  for (const args of [["up"], ["up", "--fresh"]])
    expect(team.run(...args)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is open already: mine:0.0"),
    });
  expect([existsSync(path), existsSync(`${path}.bak`)]).toEqual([true, false]);
  expect(home.tmux("list-sessions", "-F", "#{session_name}")).toBe("mine\n");
});

test("a role prompt must be a plain file of limited size, or a link to one", () => {
  const odd = ["/dev/zero", "pipe", "large.md", "folder", "gone.md"];
  const settings = odd.map((path, at) => [`odd${at}`, [`prompt: ${path}`]] as const);
  const team = writtenTeam({ ...Object.fromEntries(settings), good: ["prompt: link.md"] });
  const at = (name: string) => join(team.home.work, name);
  execFileSync("mkfifo", [at("pipe")]);
  writeFileSync(at("large.md"), "x".repeat(limits.upPromptBytes + 1));
  mkdirSync(at("folder"));
  writeFileSync(at("good.md"), "You are good.");
  symlinkSync("good.md", at("link.md"));
  const { code, stdout } = team.run("plan");
  expect([code, stdout.match(/(?:there is no|the) role prompt /g)]).toEqual([
    1,
    odd.map(() => expect.anything()),
  ]);
  expect(stdout).toContain("+ add good: starts a new conversation");
});

test("a pane that a killed command had just opened is used by the next one, and closed by down", async () => {
  const team = writtenTeam({ sh: ["kind: shell"] });
  const { home, run } = team;
  const leave = () => home.tmux("new-session", "-d", "-s", "shop", "--", "env", "PATH=/usr/bin:/bin", "cat");
  const panes = () => home.tmux("list-panes", "-a", "-F", "#{pane_id} #{pane_current_command}");
  leave();
  expect(run("up")).toMatchObject({ code: 0 });
  await until("its shell", () => panes() === "%0 sh\n");
  expect(run("down").stdout).toContain("so its tmux session has ended");
  leave();
  expect(run("down")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("so its tmux session has ended"),
  });
  expect(panes).toThrow();
});
