// A client without a registry and without an id of ours: its session is known from its first message on.

import { spawn } from "node:child_process";
import { expect, test } from "vitest";
import { openStores } from "../../src/stores/stores.js";
import { startAgents } from "../cli/agents.js";
import { hivemind, mainProgram } from "../command.js";
import { type TestHome, testHome, until } from "../home.js";
import { panesOf } from "./fleets.js";

async function quietAgent(): Promise<TestHome> {
  const home = testHome();
  home.env.DEMO_NO_REGISTRY = "1";
  startAgents(home, "alpha", ["-n", "lead"]);
  await until("its box", () => home.tmux("capture-pane", "-p", "-t", "=alpha:").includes("❯\u00a0"));
  expect(panesOf(home)).toMatchObject([{ kind: "demo", uuid: null }]);
  return home;
}

interface Running {
  pid: number;
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

function run(home: TestHome, ...args: string[]): Running {
  const child = spawn(process.execPath, [mainProgram, ...args], { env: home.env, cwd: home.work });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name].setEncoding("utf8").on("data", (text: string) => {
      said[name] += text;
    });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return { pid: child.pid!, ended: ended.then((code) => ({ code, ...said })) };
}

const sessions = (home: TestHome) => openStores(home.env).sessions.read().rows;
const isAdopted = (home: TestHome) => openStores(home.env).roles.read().rows.length > 0;

test("adopt looks again until the agent has a conversation, and types nothing", async () => {
  const home = await quietAgent();
  const { ended } = run(home, "agent", "adopt", "alpha", "--yes", "--json");
  await until("its role", () => isAdopted(home));
  expect(sessions(home)).toEqual([]);
  // While it waits, other commands may use the team.
  expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
  home.tmux("send-keys", "-t", "=alpha:0.0", "-l", "hello");
  home.tmux("send-keys", "-t", "=alpha:0.0", "Enter");
  const { code, stdout, stderr } = await ended;
  const { uuid } = panesOf(home)[0]!;
  expect({ code, uuid }).toEqual({ code: 0, uuid: expect.any(String) });
  expect(stderr).not.toContain("not known");
  expect(JSON.parse(stdout)).toMatchObject({ done: true, agents: [{ role: "lead", uuid }] });
  expect(sessions(home)).toEqual([{ pane: "alpha:0.0", uuid }]);
});

test("Ctrl-C ends the wait; the rename is done, and the unknown session is reported", async () => {
  const home = await quietAgent();
  hivemind(home, ["team", "register", "alpha"]);
  hivemind(home, ["registry", "refresh"]);
  const { pid, ended } = run(home, "agent", "rename", "lead", "chief");
  await until("it is renamed", () =>
    home.tmux("display", "-p", "-t", "=alpha:", "#{pane_title}").includes("chief"),
  );
  process.kill(pid, "SIGINT");
  const { code, stdout, stderr } = await ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: "alpha:0.0 is chief now (was lead)\n" });
  expect(stderr).toMatch(
    /the session of alpha:0\.0 is not known yet\n.* registry refresh alpha\n.* session probe alpha:0\.0/,
  );
  expect(hivemind(home, ["registry", "refresh"]).code).toBe(0);
});
