import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { allOptions } from "../../src/cli/command.js";
import { commands } from "../../src/cli/commands.js";
import { hivemind, mainProgram } from "../command.js";
import { paneVariables, type TestHome, testHome, until } from "../home.js";

/** A team of two demo agents, with a message that waits for `dev`. */
function team(): TestHome {
  const home = testHome();
  const setUp = hivemind(home, ["team", "setup", "web", "lead", "dev", "--kind", "demo", "--cwd", home.work]);
  expect(setUp).toMatchObject({ code: 0 });
  expect(hivemind(home, ["hold", "dev"]).code).toBe(0);
  expect(hivemind(home, ["send", "dev", "later"]).code).toBe(5);
  return home;
}

const hint = (command: string) => `\n  hivemind ${command} --yes\n`;

describe("commands that ask before they act", () => {
  test("a command that may ask takes --yes and says what it asks about", () => {
    const asking = commands.filter(({ asks }) => asks !== undefined);
    expect(asking.map(({ words }) => words).sort()).toEqual([
      "agent forget",
      "agent kill",
      "approve",
      "consistency fix",
      "down",
      "registry remove",
      "reload",
      "sessions rebind",
      "sessions rm",
      "snapshots prune",
      "team remove",
      "team restart",
      "watch install",
    ]);
    for (const command of asking) {
      const yes = allOptions(command).filter(({ name }) => name === "yes");
      expect(yes).toEqual([{ name: "yes", short: "y", about: `do not ask before it ${command.asks}` }]);
    }
  });

  test.each([
    [["agent", "kill", "dev", "--forget"], "discard 1 queued message for dev", "agent kill web:0.1 --forget"],
    [["agent", "forget", "dev"], "discard 1 queued message for dev", "agent forget @"],
    [["registry", "remove", "web:0.1"], "discard 1 queued message for dev", "registry remove @"],
    [["team", "restart", "web"], "end 2 running agents of web", "team restart web"],
    [["team", "remove", "web"], "forget 2 agents, 1 queued message of web", "team remove web"],
  ])("%j affects more than was named: refused without a terminal", (args, would, command) => {
    const home = team();
    const before = home.tmux("list-panes", "-s", "-t", "=web", "-F", "#{pane_pid}");
    const { code, stdout, stderr } = hivemind(home, args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(`this would ${would}`);
    expect(stderr.replace(/@[a-z2-7]{10}/, "@")).toContain(hint(command));
    expect(home.tmux("list-panes", "-s", "-t", "=web", "-F", "#{pane_pid}")).toBe(before);
    expect(hivemind(home, ["queue", "list", "web:0.1"]).stdout).toContain("later");
    expect(hivemind(home, [...args, "--yes"]).code).toBe(0);
  });

  test.each([
    ["agent", "kill", "lead"],
    ["agent", "kill", "dev"],
    ["agent", "forget", "lead"],
    ["agent", "restart", "lead"],
    ["registry", "remove", "web:0.0"],
    ["queue", "clear", "web:0.1"],
    ["hold", "lead"],
  ])("%s %s %s affects only what was named: no question", (...args) => {
    expect(hivemind(team(), args).code).toBe(0);
  });

  test("down asks before it ends agents that are not in the file; queued messages stay queued", () => {
    const home = testHome();
    const write = (...agents: string[]) =>
      writeFileSync(
        join(home.work, "hivemind.yaml"),
        `project: p\nsession: web\ndefaults:\n  kind: demo\nagents:\n${agents.map((each) => `  ${each}:\n`).join("")}`,
      );
    write("lead", "dev");
    expect(hivemind(home, ["up"]).code).toBe(0);
    write("lead");
    expect(hivemind(home, ["down"])).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(`end dev (not in the file)${hint("down")}`),
    });
    expect(hivemind(home, ["down", "dev"]).code).toBe(0);
    hivemind(home, ["hold", "lead"]);
    hivemind(home, ["send", "lead", "later"]);
    expect(hivemind(home, ["down"])).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("queued messages: 1"),
    });
  });

  test.each([
    ["n", "nothing was changed", true],
    ["y", "removed web", false],
  ])("at a terminal the answer decides: %s", async (answer, expected, isThere) => {
    const home = team();
    const words = [process.execPath, mainProgram, "team", "remove", "web"];
    home.tmux("new-session", "-d", "-s", "desk", ...paneVariables(home.env), "sh");
    home.tmux("set-option", "-t", "=desk:", "remain-on-exit", "on");
    home.tmux("respawn-pane", "-k", "-t", "=desk:", ...paneVariables(home.env), "--", ...words);
    const screen = () => home.tmux("capture-pane", "-p", "-J", "-t", "=desk:");
    await until("the question", () => /Go on\? \[y\/N\]/.test(screen()));
    home.tmux("send-keys", "-t", "=desk:", answer, "Enter");
    await until("its end", () => screen().includes(expected));
    expect(hivemind(home, ["registry", "list"]).stdout.includes("lead")).toBe(isThere);
  });
});

describe("teams restore TEAM", () => {
  const saved = () => {
    const home = testHome();
    for (const name of ["web", "api"])
      expect(
        hivemind(home, ["team", "setup", name, `${name}-po`, "--kind", "demo", "--cwd", home.work]).code,
      ).toBe(0);
    expect(hivemind(home, ["teams", "save"]).code).toBe(0);
    home.tmux("kill-server");
    return home;
  };

  test("means --team TEAM, unless a file has that name", () => {
    const home = saved();
    const plan = (...args: string[]) => hivemind(home, ["teams", "restore", ...args, "--dry-run"]);
    const wanted = plan("--team", "web");
    expect(wanted).toMatchObject({ code: 0 });
    expect(plan("web")).toEqual(wanted);
    expect(plan("web", "--team", "web")).toEqual(wanted);
    mkdirSync(join(home.work, "api"));
    expect(plan("api").stdout).toContain("api");
    const snapshot = readdirSync(home.config).find((name) => name.startsWith("hivemind.snapshot."))!;
    expect(plan(snapshot, "--team", "web")).toMatchObject({ code: 0, stdout: wanted.stdout });
    expect(plan("nosuch")).toMatchObject({ code: 1, stderr: expect.stringContaining("there are: api, web") });
    expect(plan("nosuch.env")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no such snapshot"),
    });
    expect(plan("./web")).toMatchObject({ code: 1, stderr: expect.stringContaining("no such snapshot") });
    expect(plan("web", "--team", "api")).toMatchObject({ code: 2 });
    expect(plan("a|b")).toMatchObject({ code: 1, stderr: expect.stringContaining("refused") });
    writeFileSync(join(home.work, "web"), "# version: 1\n");
    expect(plan("web")).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/web is a file here; for the team: hivemind restore --team web\n/),
    });
    expect(plan("--team", "web")).toEqual(wanted);
  });

  test("restores only that team", () => {
    const home = saved();
    expect(hivemind(home, ["teams", "restore", "web"])).toMatchObject({ code: 0 });
    expect(home.tmux("list-sessions", "-F", "#{session_name}").trim()).toBe("web");
  });
});
