// Real clients come back after their tmux server was killed: the same conversations, or forks of them.

import { mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { readProcStat } from "../../src/base/system/proc-stat.js";
import type { SessionId } from "../../src/names/gates.js";
import { hivemind } from "../command.js";
import { type TestHome, until } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { type ClientVersion, clientVersions, installClient } from "./install.js";
import { testWorld } from "./world.js";

/** Two named clients that have each said something, saved. */
async function savedTeam(version: ClientVersion) {
  const { home, api, start } = await testWorld();
  const bin = join(home.root, "bin");
  mkdirSync(bin);
  symlinkSync(await installClient(version), join(bin, "claude"));
  const env = {
    PATH: `${bin}:${home.env.PATH}`,
    // The stores lie outside the home, which is the canary for what clients write.
    HIVEMIND_CONFIG_DIR: join(home.root, "stores"),
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_AUTH_TOKEN: "stand-in",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_AUTOUPDATER: "1",
    CLAUDE_CODE_MAX_RETRIES: "0",
  };
  const run = (...args: string[]) => hivemind(home, args, { env });
  onTestFinished(() => endAll(home));

  for (const [at, word] of ["aardvark", "bandicoot"].entries()) {
    const id = idOf(at + 1);
    api.when(new RegExp(`\\b${word}$`), { text: `answer to ${word}` });
    const client = await start(version, { team: "web", args: ["--session-id", id, "-n", `role${at}`] });
    await client.submit(word);
    await until(`the answer to ${word} on disk`, () =>
      JSON.stringify(client.transcript(id)).includes(`answer to ${word}`),
    );
    await client.waitForStatus("idle");
  }
  expect(run("team", "register", "web").code).toBe(0);
  expect(run("registry", "refresh")).toMatchObject({ code: 0, stdout: "updated=2 broken=0\n" });
  expect(run("teams", "save")).toMatchObject({ code: 0, stderr: "" });
  return { home, api, run };
}

type Run = Awaited<ReturnType<typeof savedTeam>>["run"];

function agents(run: Run): { pane: string; role: string; uuid: SessionId }[] {
  const { stdout } = run("status", "--json");
  return JSON.parse(stdout).teams.flatMap((team: { agents: object[] }) => team.agents);
}

const pids = (home: TestHome) =>
  home.tmux("list-panes", "-a", "-F", "#{pane_pid}").trim().split("\n").map(Number);

function isAlive(pid: number): boolean {
  const stat = readProcStat(pid);
  return stat !== null && stat.state !== "Z";
}

async function killServer(home: TestHome): Promise<void> {
  const running = pids(home);
  process.kill(Number(home.tmux("display-message", "-p", "#{pid}")), "SIGKILL");
  await until("the end of the clients", () => !running.some(isAlive), 30_000);
}

/** Before their folders are taken away. */
async function endAll(home: TestHome): Promise<void> {
  try {
    await killServer(home);
  } catch {
    // The test ended it.
  }
}

function parentIn(run: Run, uuid: SessionId): SessionId | null {
  return JSON.parse(run("forks", "list", "--uuid", uuid, "--json").stdout).rows[0]?.parent ?? null;
}

it.each(clientVersions)("the client %s goes on where it was after the server was killed", async (version) => {
  const { home, api, run } = await savedTeam(version);
  const before = agents(run).map(({ pane, role, uuid }) => ({ pane, role, uuid }));
  expect(before.map(({ uuid }) => uuid)).toEqual([idOf(1), idOf(2)]);
  await killServer(home);

  expect(run("teams", "restore")).toMatchObject({ code: 0, stderr: "" });
  expect(agents(run)).toMatchObject(before);
  expect(run("teams", "restore").stdout).toBe("web: nothing to do\n");

  const pane = home.tmux("list-panes", "-a", "-F", "#{pane_id}").split("\n")[0]!;
  const screen = () => home.tmux("capture-pane", "-p", "-J", "-t", pane);
  await until("the old words", () => screen().includes("answer to aardvark"), 30_000);
  await until("its box", () => /^❯\u00a0/m.test(screen()));
  home.tmux("send-keys", "-t", pane, "-l", "capybara");
  await until("the word in it", () => /❯.capybara/.test(screen()), 30_000);
  home.tmux("send-keys", "-t", pane, "Enter");
  const turn = await until("the turn", () =>
    api.requests.find(({ isTurn, lastText }) => isTurn && lastText.endsWith("capybara")),
  );
  expect(JSON.stringify(turn.body)).toContain("answer to aardvark");
});

it.each(clientVersions)(
  "forks of the client %s have their parents, restored or respawned",
  async (version) => {
    const { home, run } = await savedTeam(version);
    await killServer(home);
    expect(run("teams", "restore", "--fork")).toMatchObject({ code: 0, stderr: "" });
    const forked = agents(run);
    expect(forked.map(({ role }) => role)).toEqual(["role0", "role1"]);
    expect(forked.map(({ uuid }) => parentIn(run, uuid))).toEqual([idOf(1), idOf(2)]);

    const [first] = pids(home);
    process.kill(first!, "SIGTERM");
    await until(
      "its dead pane",
      () => {
        // tmux now and then misses the end of a child until another one ends.
        home.tmux("run-shell", "-b", "true");
        return (
          !isAlive(first!) &&
          home.tmux("list-panes", "-a", "-F", "#{pane_pid} #{pane_dead}").includes(`${first} 1`)
        );
      },
      30_000,
    );
    expect(run("agent", "respawn", "role0", "--from", idOf(1))).toMatchObject({ code: 0 });
    const [again] = agents(run);
    expect([idOf(1), forked[0]!.uuid]).not.toContain(again!.uuid);
    expect(parentIn(run, again!.uuid)).toBe(idOf(1));

    expect(run("agent", "restart", "role1", "--yes")).toMatchObject({ code: 0 });
    expect(agents(run)[1]!.uuid).toBe(forked[1]!.uuid);
  },
);

it.each(clientVersions)(
  "the client %s that said nothing and was killed stays silent in the autosave, and comes back",
  async (version) => {
    const { home, run } = await savedTeam(version);
    const spawn = (role: string) =>
      expect(run("agent", "spawn", role, "--team", "web", "--model", "opus")).toMatchObject({ code: 0 });
    const autosave = () => expect(run("watch", "--once").stdout).toMatch(/saved.*web/);
    spawn("quiet");
    autosave();
    const quiet = agents(run).find(({ role }) => role === "quiet")!;
    process.kill(
      Number(home.tmux("display-message", "-p", "-t", `=${quiet.pane}`, "#{pane_pid}")),
      "SIGKILL",
    );
    await until("its end", () => {
      home.tmux("run-shell", "true");
      return home.tmux("display-message", "-p", "-t", `=${quiet.pane}`, "#{pane_dead}").trim() === "1";
    });
    spawn("other");
    autosave();
    const newest = readdirSync(join(home.root, "stores"))
      .filter((name) => /^hivemind\.snapshot\..*\.env$/.test(name))
      .sort()
      .at(-1)!;
    const text = readFileSync(join(home.root, "stores", newest), "utf8");
    expect(text).toContain(`# no word yet ${quiet.uuid}\n`);
    expect(text).toMatch(new RegExp(`quiet\\|${quiet.uuid}\\|.*\\|opus\\|claude`));
    await killServer(home);
    const { code, stdout, stderr } = run("teams", "restore");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain(`${quiet.uuid.slice(0, 8)} (it had no conversation yet: starts fresh)`);
    expect(agents(run).find(({ role }) => role === "quiet")).toMatchObject({ uuid: quiet.uuid });
  },
);
