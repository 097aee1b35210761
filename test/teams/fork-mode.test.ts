// A fork may do what its parent may do now, and nothing more.

import { expect, test } from "vitest";
import { hivemind } from "../command.js";
import { startAgent } from "../demo-agent/driver.js";
import { type TestHome, testHome, until } from "../home.js";
import { killServer, panesOf } from "./fleets.js";

/** Of a team that is registered. */
async function parentIn(mode: readonly string[]): Promise<TestHome> {
  const home = testHome();
  const agent = startAgent(home, ["-n", "po", ...mode]);
  await agent.becomes("idle");
  await agent.say("hello");
  const team = home.tmux("list-sessions", "-F", "#{session_name}").trim();
  for (const args of [
    ["team", "register", team],
    ["registry", "refresh"],
  ])
    expect(hivemind(home, args)).toMatchObject({ code: 0 });
  return home;
}

/** The permission mode in the arguments of the agent with this role. */
function modeOf(home: TestHome, role: string): string | undefined {
  const { pane } = panesOf(home).find((each) => each.role === role)!;
  const started = home.tmux("display-message", "-p", "-t", `=${pane}`, "#{pane_start_command}");
  return /--permission-mode (\w+)/.exec(started)?.[1];
}

test.each(["plan", "acceptEdits", "auto", "default"])(
  "a fork of an agent in %s is in it too",
  async (mode) => {
    const home = await parentIn(["--permission-mode", mode]);
    const { code, stdout, stderr } = hivemind(home, ["agent", "fork", "po", "--as", "scout"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).not.toContain("permission mode");
    expect(modeOf(home, "scout")).toBe(mode);
  },
);

test.each([[["--permission-mode", "bypassPermissions"]], [["--dangerously-skip-permissions"]]])(
  "a fork of an agent with %s asks, and the command says so",
  async (args) => {
    const home = await parentIn(args);
    const { code, stdout, stderr } = hivemind(home, ["agent", "fork", "po", "--as", "scout"]);
    expect(code).toBe(0);
    expect(stdout + stderr).toContain("scout asks before what it does (permission mode default): its parent");
    expect(modeOf(home, "scout")).toBe("default");
  },
);

test("a person may choose the mode of a fork, and it is one word", async () => {
  const home = await parentIn(["--permission-mode", "plan"]);
  const fork = (mode: string) =>
    hivemind(home, ["agent", "fork", "po", "--as", "scout", "--permission-mode", mode]);
  expect(fork("bypass it").code).toBe(2);
  expect(fork("--resume").code).toBe(2);
  expect(fork("acceptEdits")).toMatchObject({ code: 0, stderr: "" });
  expect(modeOf(home, "scout")).toBe("acceptEdits");
});

test("a team restored as forks, and a respawned agent, are in their parents' modes", async () => {
  const home = await parentIn(["--permission-mode", "plan"]);
  expect(hivemind(home, ["save"]).code).toBe(0);
  await killServer(home);
  expect(hivemind(home, ["restore", "--fork"])).toMatchObject({ code: 0 });
  expect(modeOf(home, "po")).toBe("plan");

  const { pane } = panesOf(home).find(({ role }) => role === "po")!;
  const pid = Number(home.tmux("display-message", "-p", "-t", `=${pane}`, "#{pane_pid}"));
  process.kill(pid, "SIGKILL");
  await until("its dead pane", () => home.tmux("list-panes", "-a", "-F", "#{pane_dead}").includes("1"));
  expect(hivemind(home, ["agent", "respawn", "po"])).toMatchObject({ code: 0 });
  expect(modeOf(home, "po")).toBe("plan");
});
