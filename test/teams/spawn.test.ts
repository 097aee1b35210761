// agent spawn, bootstrap, fork and kill, typed as a person types them.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { onPath } from "../../src/base/files/on-path.js";
import { findProcess } from "../../src/base/system/processes.js";
import { openHive } from "../../src/hive/hive.js";
import { hivemind, json, tmuxTeam } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { countFrom } from "./fleets.js";
import { newId, turnKnob } from "./starting.js";

const demo = ["--team", "web", "--kind", "demo"];

function agentsOf(home: TestHome): Record<string, unknown>[] {
  const { teams } = json<{ teams: { agents: Record<string, unknown>[] }[] }>(home, ["status"]);
  return teams.flatMap(({ agents }) => agents);
}

const named = (home: TestHome, role: string) => agentsOf(home).find((agent) => agent.role === role);

function web(home: TestHome, panes = 1): TestHome {
  tmuxTeam(home, "web", panes);
  return home;
}

/** An agent with a conversation, so that it can be forked. */
async function talking(home: TestHome, role: string, ...more: string[]): Promise<void> {
  const { code, stderr } = hivemind(home, ["agent", "bootstrap", role, ...demo, ...more]);
  if (code !== 0) throw new Error(stderr);
  const hive = openHive({ env: home.env });
  const uuid = hive.stores.sessions.read().rows.at(-1)!.uuid;
  await until("its transcript", async () => (await hive.observe()).index.byId.has(uuid));
}

describe("agent spawn", () => {
  it.each([0, 1])("starts an agent in its own pane, with base-index %i", (base) => {
    const home = testHome();
    countFrom(home, base);
    web(home);
    const session = newId();
    const { code, stdout } = hivemind(home, ["agent", "spawn", "po", ...demo, "--session", session]);
    expect([code, stdout]).toEqual([0, `started po in web:${base}.${base + 1}, session ${session}\n`]);
    expect(named(home, "po")).toMatchObject({
      pane: `web:${base}.${base + 1}`,
      uuid: session,
      activity: "idle",
    });
    const hive = openHive({ env: home.env });
    expect(hive.stores.teams.read().rows).toMatchObject([{ team: "web" }]);
    expect([...hive.stores.forks.scan()]).toMatchObject([{ role: "po", uuid: session, parent: null }]);
  });

  it("a role in use, and a team that does not run, are refused with a hint", () => {
    const home = web(testHome());
    hivemind(home, ["agent", "spawn", "po", ...demo]);
    const again = hivemind(home, ["agent", "spawn", "po", ...demo]);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining("web:0.1 is po already")]);
    const nowhere = hivemind(home, ["agent", "spawn", "po", "--team", "web2", "--kind", "demo"]);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      expect.stringContaining("hivemind team setup web2 po"),
    ]);
    expect(agentsOf(home)).toHaveLength(2);
  });

  it("a failed start removes its pane and its rows", () => {
    const home = web(testHome());
    turnKnob(home, "DEMO_CRASH_ON_START", "1");
    const { code, stdout, stderr } = hivemind(home, ["agent", "spawn", "po", ...demo]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/po did not start: it ended with status 1: .*crashed on start/);
    expect(agentsOf(home)).toHaveLength(1);
    const { roles, sessions, teams } = openHive({ env: home.env }).stores;
    expect([roles, sessions, teams].flatMap((store): unknown[] => [...store.read().rows])).toEqual([]);
  });

  it("uses the pane that an interrupted run kept open for it", () => {
    const home = web(testHome());
    for (const role of ["po", "ops"]) {
      const pane = home
        .tmux("split-window", "-d", "-P", "-F", "#{pane_id}", "-t", "=web:", "env", "cat")
        .trim();
      hivemind(home, ["registry", "set", pane, role]);
    }
    expect(hivemind(home, ["agent", "spawn", "po", ...demo]).code).toBe(0);
    expect(hivemind(home, ["agent", "spawn", "ops", "--team", "web", "--kind", "shell"]).code).toBe(0);
    expect(agentsOf(home)).toHaveLength(3);
    expect(named(home, "po")).toMatchObject({ kind: "demo", activity: "idle" });
    const { pane } = named(home, "ops")!;
    expect(home.tmux("display-message", "-p", "-t", `=${pane}`, "#{pane_current_command}")).toBe("sh\n");
  });

  it.each([
    [["--kind", "robot"], 2, /--kind is one of claude, codex, .*shell, not "robot"/],
    [["--kind", "demo", "--cwd", "/"], 1, /refused to start in \/: .*\n.*--allow-broad-cwd/],
    [["--kind", "demo", "--cwd", "/no/such"], 1, /there is no folder \/no\/such/],
    [["--kind", "demo", "--session", "12"], 1, /a session id is a UUID/],
    [["--kind", "demo", "--model", "--resume"], 1, /cannot be the value of --model/],
    [[], 1, /there is no claude in PATH\n.*npm install/],
  ])("refuses %j and changes nothing", (args, code, message) => {
    const home = web(testHome());
    const tmux = dirname(onPath("tmux", home.env)[0]!);
    const env = { PATH: `${tmux}:/usr/bin:/bin` };
    const ran = hivemind(home, ["agent", "spawn", "po", "--team", "web", ...args], { env });
    expect([ran.code, ran.stdout]).toEqual([code, ""]);
    expect(ran.stderr).toMatch(message);
    expect(agentsOf(home)).toHaveLength(1);
  });

  it("refuses the home folder, unless it is allowed", () => {
    const home = web(testHome());
    const inHome = ["agent", "spawn", "po", ...demo, "--cwd", home.home];
    expect(hivemind(home, inHome)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("your home folder"),
    });
    expect(hivemind(home, [...inHome, "--allow-broad-cwd"]).code).toBe(0);
  });

  it("goes to the active team by default, and asks for one if there is none", () => {
    const home = web(testHome());
    const typed = ["agent", "spawn", "po", "--kind", "demo"];
    expect(hivemind(home, typed)).toMatchObject({ code: 1, stderr: expect.stringContaining("which team?") });
    hivemind(home, ["team", "register", "web"]);
    hivemind(home, ["team", "switch", "web"]);
    expect(hivemind(home, typed).stdout).toContain("started po in web:0.1");
  });

  it("gives a shell a role, and its own window if panes would become too small", () => {
    const home = testHome();
    home.tmux("new-session", "-d", "-x", "80", "-y", "20", "-s", "web", "cat");
    const { stdout } = hivemind(home, ["agent", "spawn", "ops", "--team", "web", "--kind", "shell"]);
    expect(stdout).toBe("ops is a shell in web:1.0\n");
    expect(named(home, "ops")).toMatchObject({ kind: "shell", title: "ops" });
  });

  it("does not give the messages of a closed pane to the pane that gets its address (incident 45)", async () => {
    const home = web(testHome());
    for (const role of ["a", "b", "c"]) hivemind(home, ["agent", "spawn", role, ...demo]);
    for (const pane of ["web:0.1", "web:0.3"]) hivemind(home, ["queue", "append", pane, `for ${pane}`]);
    // b ends and c gets its address; the new agent gets c's old one.
    home.tmux("kill-pane", "-t", "=web:0.2");
    expect(hivemind(home, ["agent", "spawn", "d", ...demo]).stdout).toContain("started d in web:0.3");
    expect(agentsOf(home).map(({ role, queued }) => [role, queued])).toEqual([
      [null, 0],
      ["a", 1],
      ["c", 1],
      ["d", 0],
      ["b", 0],
    ]);
    // d ends, the last of its window, with a queued message: e gets its address but not its message.
    hivemind(home, ["queue", "append", "web:0.3", "for d"]);
    home.tmux("kill-pane", "-t", "=web:0.3");
    hivemind(home, ["agent", "spawn", "e", ...demo]);
    expect(named(home, "e")).toMatchObject({ pane: "web:0.3", queued: 0 });
  });
});

describe("agent bootstrap", () => {
  it("sends the agent its role, from a file or the default text", async () => {
    const home = web(testHome());
    const file = join(home.root, "po.md");
    writeFileSync(file, "--- You own the backlog.\r\n\nSay hello.\n");
    expect(hivemind(home, ["agent", "bootstrap", "po", ...demo, "--prompt", file]).code).toBe(0);
    expect(hivemind(home, ["agent", "bootstrap", "dev", ...demo]).code).toBe(0);
    const screen = (pane: string) => home.tmux("capture-pane", "-p", "-J", "-t", `=web:0.${pane}`);
    await until("its prompt", () => screen("1").includes("--- You own the backlog."));
    await until("its prompt", () => screen("2").includes('You are "dev" in the team "web"'));
    writeFileSync(file, " \n");
    expect(hivemind(home, ["agent", "bootstrap", "x", ...demo, "--prompt", file]).stderr).toContain(
      "is empty",
    );
    expect(hivemind(home, ["agent", "bootstrap", "x", ...demo, "--prompt", home.root]).code).toBe(1);
  });
});

describe("agent fork", () => {
  it("the parent is not touched, and the child's parent is known from the start", async () => {
    const home = web(testHome());
    await talking(home, "po");
    const parent = named(home, "po")!;
    const { code, stdout } = hivemind(home, ["agent", "fork", "po", "--as", "scout"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining(`a fork of web:0.1, session ${parent.uuid}`)]);
    const child = named(home, "scout")!;
    expect(child.uuid).not.toBe(parent.uuid);
    expect(named(home, "po")).toEqual(parent);
    const rows = [...openHive({ env: home.env }).stores.forks.scan({ uuid: child.uuid as never })];
    expect(rows).toMatchObject([{ pane: child.pane, role: "scout", parent: parent.uuid }]);
  });

  it("a fork has its parent's kind, folder and model, and a role of its own", async () => {
    const home = web(testHome());
    await talking(home, "po");
    for (const role of ["po-2", "po-3"]) {
      expect(hivemind(home, ["agent", "fork", "po"], { cwd: home.root }).stdout).toContain(
        `started ${role} in`,
      );
      expect(named(home, role)).toMatchObject({
        kind: "demo",
        cwd: home.work,
        model: named(home, "po")!.model,
      });
    }
    const taken = hivemind(home, ["agent", "fork", "po", "--as", "po-2"]);
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining("is po-2 already")]);
  });

  it("in the home folder a fork starts only with permission, even if its parent works there", async () => {
    const home = web(testHome());
    await talking(home, "po", "--cwd", home.home, "--allow-broad-cwd");
    const refused = hivemind(home, ["agent", "fork", "po"]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("--allow-broad-cwd")]);
    expect(agentsOf(home)).toHaveLength(2);
    expect(hivemind(home, ["agent", "fork", "po", "--allow-broad-cwd"]).code).toBe(0);
  });

  it("an agent without a conversation, or that does not run, is not forked", () => {
    const home = web(testHome());
    hivemind(home, ["agent", "spawn", "po", ...demo]);
    expect(hivemind(home, ["agent", "fork", "po"]).stderr).toContain("has no conversation yet");
    expect(hivemind(home, ["agent", "fork", "web:0.0"]).stderr).toContain("no agent runs in web:0.0");
    expect(hivemind(home, ["agent", "fork", "nobody"]).stderr).toContain('no agent has the role "nobody"');
    expect(agentsOf(home)).toHaveLength(2);
  });
});

describe("agent kill", () => {
  it("ends the process, and the agent is away", async () => {
    const home = web(testHome());
    hivemind(home, ["agent", "spawn", "po", ...demo]);
    const { panes } = await openHive({ env: home.env }).panes();
    expect(hivemind(home, ["agent", "kill", "po"]).stdout).toBe("ended po (demo) in web:0.1\n");
    expect(findProcess(panes[1]!.process!.pid)).toBeNull();
    expect(readdirSync(join(home.claude, "sessions"))).toEqual([]);
    expect(agentsOf(home).map(({ role, standing }) => [role, standing])).toEqual([
      [null, null],
      ["po", "away"],
    ]);
  });

  it("the agents after it keep roles, sessions and messages at their new addresses (incident 45)", () => {
    const home = web(testHome());
    for (const role of ["a", "b", "c"]) hivemind(home, ["agent", "spawn", role, ...demo]);
    hivemind(home, ["queue", "append", "web:0.3", "for c"]);
    const before = named(home, "c")!;
    hivemind(home, ["agent", "kill", "a", "-y"]);
    expect(agentsOf(home).map(({ role, pane }) => [role, pane])).toEqual([
      [null, "web:0.0"],
      ["b", "web:0.1"],
      ["c", "web:0.2"],
      ["a", "web:0.1"],
    ]);
    expect(named(home, "c")).toMatchObject({ uuid: before.uuid, queued: 1 });
    const { events } = JSON.parse(hivemind(home, ["registry", "refresh", "web", "--json"]).stdout);
    expect(events).toEqual([]);
  });

  it("its messages stay queued; if it is forgotten, they go to dead/", () => {
    const home = testHome();
    web(home);
    hivemind(home, ["agent", "spawn", "po", ...demo]);
    hivemind(home, ["queue", "append", "po", "wait for me"]);
    expect(hivemind(home, ["agent", "kill", "po"]).stderr).toContain("po is away with 1 queued message");
    expect(hivemind(home, ["agent", "restart", "po"]).code).toBe(0);
    expect(named(home, "po")).toMatchObject({ standing: "present", queued: 1 });
    const { stderr } = hivemind(home, ["agent", "kill", "po", "--forget", "--yes"]);
    expect(stderr).toContain("moved 1 queued message to");
    expect(named(home, "po")).toBeUndefined();
    const dead = join(home.config, "hivemind.queue", "dead");
    expect(readFileSync(join(dead, readdirSync(dead)[0]!), "utf8")).toContain("wait for me");
    expect(hivemind(home, ["agent", "kill", "web:0.0", "--yes"]).stderr).toContain(
      "so the tmux session web has ended",
    );
  });
});

it("env lists every variable and path that is used", () => {
  const home = testHome();
  const { variables, paths } = json<Record<string, Record<string, string | null>>>(home, ["env"]);
  expect(variables).toMatchObject({ HIVEMIND_CONFIG_DIR: home.config, HIVEMIND_FORKS: null, NO_COLOR: null });
  expect(paths).toMatchObject({ folder: home.config, tmuxSocket: home.socket, claude: home.claude });
  const forks = join(home.config, "hivemind.forks.env");
  const { stdout } = hivemind(home, ["env"], { env: { XDG_CACHE_HOME: "" } });
  expect(stdout).toMatch(new RegExp(`^\\(HIVEMIND_FORKS\\) +${forks}$`, "m"));
  // The value shown for an unset variable can be set, and changes nothing.
  expect(stdout).toMatch(new RegExp(`^\\(XDG_CACHE_HOME\\) +${join(home.home, ".cache")}$`, "m"));
  expect(stdout).toMatch(/^\(CLAUDE_MAX_TOKENS_DEFAULT\) +200000$/m);
  expect(stdout).toMatch(/^\(CLAUDE_MAX_TOKENS_1M\) +1000000$/m);
});
