// hivemind starts real Gemini CLIs, knows which session each of them is in, and really ends them.

import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { hasEnded } from "../../client/end-all.js";
import { until } from "../../home.js";
import { geminiTeam } from "./team.js";

it("spawns with a chosen id, tells what it does, answers its question by keys, and counts its context", async () => {
  const { api, ok, run, agent, becomes, processes } = await geminiTeam();
  const id = randomUUID();
  await ok("team", "setup", "web", "po", "--kind", "gemini");
  expect(await ok("agent", "spawn", "dev", "--team", "web", "--kind", "gemini", "--session", id)).toMatch(
    new RegExp(`^started dev in web:0\\.1, session ${id}$`, "m"),
  );
  expect(await becomes("dev", "idle")).toMatchObject({ kind: "gemini", uuid: id });

  api.next({ tool: "run_shell_command", input: { command: "touch made", description: "Make it" } });
  api.next({ text: "made it", usage: { promptTokenCount: 4321 }, held: true });
  await ok("send", "dev", "make it");
  await becomes("dev", "waiting");
  expect(await ok("inbox")).toMatch(/dev/);
  await ok("approve", "dev");
  await becomes("dev", "busy");
  await api.release();
  await becomes("dev", "idle");
  const context = JSON.parse(await ok("context", "dev", "--json"));
  expect(JSON.stringify(context)).toContain("4321");

  const before = processes();
  expect(await run("agent", "rename", "dev", "maker")).toMatchObject({ code: 0 });
  expect(await agent("maker")).toMatchObject({ uuid: id });
  await ok("agent", "kill", "maker", "--yes");
  const gone = before.filter(hasEnded);
  expect(gone).toHaveLength(2);
});

it("a session that another process has open at a terminal elsewhere is not opened again", async () => {
  const { home, env, ok, run, agent, becomes, processes } = await geminiTeam();
  await ok("team", "setup", "web", "a", "b", "--kind", "gemini");
  const { uuid } = await becomes("a", "idle");
  await ok("send", "a", "you are a");
  await becomes("a", "idle");
  await ok("agent", "kill", "a", "--yes");
  const elsewhere = ["-S", join(home.root, "other.sock"), "-f", "/dev/null"];
  const tmux = (...args: string[]) =>
    execFileSync("tmux", [...elsewhere, ...args], { env: { ...home.env, ...env }, cwd: home.work });
  onTestFinished(() => void tmux("kill-server"));
  const before = processes();
  tmux("new-session", "-d", "-x", "120", "-y", "40", "gemini", "--resume", uuid!);
  await until("its two processes", () => processes().length === before.length + 2);
  expect(await run("agent", "restart", "a", "--team", "web")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is open already: outside this tmux, process \d+/),
  });
  expect(processes()).toHaveLength(before.length + 2);
  expect(await agent("b")).toMatchObject({ kind: "gemini" });
});

it("two in one folder stay themselves when one is killed, and a new session is followed once it is told something", async () => {
  const { ok, agent, becomes, type, home, agents, screen } = await geminiTeam();
  await ok("team", "setup", "web", "a", "b", "--kind", "gemini");
  await becomes("a", "idle");
  await becomes("b", "idle");
  const [first, second] = [(await agent("a")).uuid, (await agent("b")).uuid];
  expect(first).not.toBe(second);
  for (const role of ["a", "b"]) await ok("send", role, `you are ${role}`);
  await becomes("a", "idle");
  await ok("agent", "kill", "a", "--yes");
  expect((await agents()).filter(({ uuid }) => uuid === second)).toMatchObject([{ role: "b" }]);

  await type("b", "/clear");
  await until("an unknown session", async () => (await agent("b")).uuid === null);
  // It loses keys that come while it draws the empty screen.
  await until("an empty screen", async () => !(await screen("b")).includes("you are b"));
  await type("b", "what now");
  const moved = await until("its new session", async () => (await agent("b")).uuid);
  expect([first, second]).not.toContain(moved);
  await ok("agent", "restart", "a", "--team", "web");
  await becomes("a", "idle");
  expect((await agent("a")).uuid).toBe(first);
  expect((await agent("b")).uuid).toBe(moved);
  expect(home.tmux("list-panes", "-a").trim().split("\n")).toHaveLength(2);
});
