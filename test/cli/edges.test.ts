import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";

function team(home: TestHome, name: string, ...roles: string[]): void {
  const made = hivemind(home, ["team", "setup", name, ...roles, "--kind", "demo", "--cwd", home.work]);
  expect(made).toMatchObject({ code: 0 });
}

test("sessions show ROLE works from any folder while the role runs; rm stays inside its folder", () => {
  const home = testHome();
  team(home, "web", "lead");
  expect(hivemind(home, ["send", "lead", "--wait", "hello"]).code).toBe(0);
  const other = join(home.root, "other");
  mkdirSync(other);
  const from = (...args: string[]) => hivemind(home, ["sessions", ...args], { cwd: other });
  for (const ref of ["lead", "web:0.0"])
    for (const verb of ["show", "export", "keep"])
      expect({ verb, ref, ...from(verb, ref) }).toMatchObject({ code: 0 });
  expect(from("show", "lead").stdout).toContain("hello");
  const { uuid } = json<{ teams: { agents: { uuid: string }[] }[] }>(home, ["status"]).teams[0]!.agents[0]!;
  expect(from("show", uuid)).toMatchObject({ code: 1, stderr: expect.stringContaining(other) });
  expect(from("rm", "lead")).toMatchObject({ code: 1, stderr: expect.stringContaining(other) });
});

test("agent monitor and agent rename take --team when two teams have the role", () => {
  const home = testHome();
  team(home, "web", "lead");
  team(home, "api", "lead");
  expect(hivemind(home, ["agent", "monitor", "lead"])).toMatchObject({ code: 1 });
  expect(json(home, ["agent", "monitor", "lead", "--team", "api"])).toMatchObject({ pane: "api:0.0" });
  expect(hivemind(home, ["agent", "monitor", "lead", "5", "--team", "web"])).toMatchObject({ code: 0 });
  expect(hivemind(home, ["agent", "monitor", "lead", "--team", "nope"])).toMatchObject({ code: 1 });
  expect(hivemind(home, ["agent", "rename", "lead", "boss", "--team", "api"]).stdout).toContain(
    "api:0.0 is boss",
  );
});

test("session discover --explain names a running agent that does not report its session", async () => {
  const home = testHome();
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  // A program of the client's name that says nothing of itself.
  copyFileSync("/bin/sleep", join(bin, "claude"));
  home.tmux("new-session", "-d", "-s", "web", join(bin, "claude"), "1000");
  const explain = () => hivemind(home, ["session", "discover", "web:0.0", "--explain"]).stderr;
  await until("the agent", () => explain().includes("claude runs"));
  expect(explain()).toMatch(/^no evidence: claude runs \(process \d+\) but does not report its session, /);
  home.tmux("new-session", "-d", "-s", "desk", "cat");
  expect(hivemind(home, ["session", "discover", "desk:0.0", "--explain"]).stderr).toMatch(
    /^no evidence: no agent, /,
  );
});

test("doctor without tmux reports the cause once", () => {
  const home = testHome();
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, "node"));
  const { code, stdout } = hivemind(home, ["doctor"], { env: { PATH: bin } });
  expect(code).toBe(1);
  expect(stdout.match(/no tmux in PATH/g)).toHaveLength(1);
  expect(stdout).toMatch(/no tmux in PATH.* \(not checked: tmux server, registry, two panes.*\)/);
});

test("demo agents without CLAUDE_CONFIG_DIR use their own folder, and are restored from it", () => {
  const home = testHome();
  const env = { CLAUDE_CONFIG_DIR: "" };
  const run = (...args: string[]) => hivemind(home, args, { env });
  expect(run("team", "setup", "web", "lead", "dev", "--kind", "demo", "--cwd", home.work)).toMatchObject({
    code: 0,
  });
  expect(run("send", "lead", "--wait", "hello")).toMatchObject({ code: 0, stdout: "Heard: hello\n" });
  expect(existsSync(join(home.home, ".claude"))).toBe(false);
  expect(readdirSync(join(home.config, "hivemind.demo")).sort()).toEqual(["projects", "sessions"]);
  expect(run("agent", "fork", "lead", "--as", "second")).toMatchObject({ code: 0 });
  expect(run("teams", "save").code).toBe(0);
  const uuids = () =>
    JSON.parse(run("status", "--json").stdout).teams[0].agents.map(({ uuid }: { uuid: string }) => uuid);
  const before = uuids();
  home.tmux("kill-server");
  expect(run("teams", "restore", "web")).toMatchObject({ code: 0 });
  expect(uuids()).toEqual(before);
  expect(run("doctor").stdout).not.toContain("Problems");
  rmSync(join(home.config, "hivemind.demo"), { recursive: true, force: true });
});
