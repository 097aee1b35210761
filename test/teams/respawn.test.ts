import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hivemind, json, tmuxTeam } from "../command.js";
import { contentsOf } from "../contents.js";
import { type TestHome, testHome, until } from "../home.js";
import { idOf } from "../transcripts/files.js";
import { killServer, panesOf, smallFleet, startFleet } from "./fleets.js";
import { fakeClient } from "./starting.js";

async function fleet(): Promise<TestHome> {
  const home = testHome();
  await startFleet(home, smallFleet);
  return home;
}

const pidOf = (home: TestHome, at: string) =>
  Number(home.tmux("display-message", "-p", "-t", `=web:${at}`, "#{pane_pid}"));

const at = (home: TestHome, pane: string) => panesOf(home).find((each) => each.pane === pane)!;

/** Its pane stays, as that of every agent that hivemind started. */
async function endAgent(home: TestHome, pane: string): Promise<void> {
  home.tmux("set-option", "-p", "-t", `=web:${pane}`, "remain-on-exit", "on");
  process.kill(pidOf(home, pane), "SIGKILL");
  await until("a dead pane", () => home.tmux("list-panes", "-a", "-F", "#{pane_dead}").includes("1"));
}

test("[RP1] a restart is the same conversation in the same pane, and is done at once to an agent that was named", async () => {
  const home = await fleet();
  const before = pidOf(home, "0.2");
  expect(hivemind(home, ["agent", "restart", "builder"])).toMatchObject({ code: 0, stderr: "" });
  expect(at(home, "web:0.2")).toMatchObject({ role: "builder", uuid: idOf(3), kind: "demo" });
  expect(pidOf(home, "0.2")).not.toBe(before);
});

test("[RP1] an ended agent is restarted without a question", async () => {
  const home = await fleet();
  await endAgent(home, "0.2");
  expect(hivemind(home, ["agent", "restart", "builder"])).toMatchObject({ code: 0, stderr: "" });
  expect(at(home, "web:0.2")).toMatchObject({ role: "builder", uuid: idOf(3), kind: "demo" });
});

test("[CL5] one that ended before its first word does not come back in the conversation of its namesake", async () => {
  const home = await fleet();
  expect(hivemind(home, ["agent", "kill", "builder", "--yes"]).code).toBe(0);
  expect(hivemind(home, ["agent", "spawn", "builder", "--team", "web", "--kind", "demo"]).code).toBe(0);
  const { pane, uuid } = panesOf(home).find(({ role }) => role === "builder")!;
  expect(uuid).not.toBe(idOf(3));
  await endAgent(home, pane.slice("web:".length));
  const { code, stdout } = hivemind(home, ["agent", "restart", "builder"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("begins anew") });
  expect(at(home, pane)).toMatchObject({ role: "builder", uuid });
});

test("[RP2] an ended agent comes back as a fork of its last session, or of the one that is named", async () => {
  const home = await fleet();
  expect(hivemind(home, ["agent", "respawn", "builder"]).stderr).toContain("an agent runs in web:0.2");
  await endAgent(home, "0.2");
  expect(hivemind(home, ["agent", "respawn", "builder"])).toMatchObject({ code: 0, stderr: "" });
  const first = at(home, "web:0.2");
  expect(first).toMatchObject({ role: "builder", kind: "demo" });
  expect(first.uuid).not.toBe(idOf(3));
  expect(parentOf(home, first.uuid!)).toBe(idOf(3));

  await endAgent(home, "0.2");
  expect(hivemind(home, ["agent", "respawn", "builder", "--from", "lead"]).code).toBe(0);
  expect(parentOf(home, at(home, "web:0.2").uuid!)).toBe(idOf(1));
  expect(at(home, "web:0.0").uuid).toBe(idOf(1));
});

test("[WS6] a fork that ended before its first word comes back as that fork, not as its origin (incident 15)", async () => {
  const home = testHome();
  const run = (...args: string[]) => hivemind(home, args);
  const scribe = () => at(home, "web:0.1").uuid!;
  const end = () => endAgent(home, "0.1");
  tmuxTeam(home, "web");
  run("team", "register", "web");
  run("agent", "spawn", "scribe", "--team", "web", "--kind", "demo");
  expect(run("send", "scribe", "--wait", "remember the plan")).toMatchObject({ code: 0 });
  const origin = scribe();
  await end();
  run("agent", "respawn", "scribe");
  const fork = scribe();
  await end();
  const again = `${fork}, a fork of ${origin} (it had no word yet`;
  expect(run("agent", "restart", "scribe").stdout).toContain(again);

  // What it said as another fork, in the same role, is not this one's either.
  expect(run("send", "scribe", "--wait", "another word")).toMatchObject({ code: 0 });
  await end();
  run("agent", "respawn", "scribe", "--from", origin);
  const second = scribe();
  expect([origin, fork]).not.toContain(second);
  await end();
  const { stdout } = run("team", "restart", "web", "--yes");
  expect(stdout).toContain(`${second}, a fork of ${origin} (it had no word yet`);

  // Saved when it had ended, nobody knows that it was silent: what is hinted then works as it stands.
  await end();
  run("teams", "save", "web");
  const { code, stderr, stdout: refused } = run("teams", "restore", "--team", "web");
  expect(code).toBe(1);
  const hint = /hivemind (sessions fork .*)/.exec(refused + stderr)![1]!;
  expect(run(...hint.split(" ")).stdout).toContain(`a fork of ${origin}`);
  expect(at(home, "web:0.1")).toMatchObject({ role: "scribe", kind: "demo", activity: "idle" });
});

function parentOf(home: TestHome, uuid: string): string | null {
  return json<{ rows: { parent: string | null }[] }>(home, ["forks", "list", "--uuid", uuid]).rows[0]!.parent;
}

test("[RP3] a shell is never replaced, and nothing is written", async () => {
  const home = await fleet();
  const before = pidOf(home, "0.1");
  const stored = contentsOf(home.config);
  for (const args of [
    ["agent", "restart", "web:0.1"],
    ["agent", "respawn", "web:0.1"],
    ["agent", "respawn", "web:0.1", "--from", idOf(1)],
    ["agent", "restart", "nobody"],
    ["agent", "respawn", "builder", "--from", "ffffffff"],
  ]) {
    expect(hivemind(home, args)).toMatchObject({ code: 1, stdout: "" });
  }
  expect(pidOf(home, "0.1")).toBe(before);
  expect(contentsOf(home.config)).toEqual(stored);
});

test("[RP1] a running team is restarted agent by agent; its shells go on", async () => {
  const home = await fleet();
  const shell = pidOf(home, "0.1");
  expect(hivemind(home, ["team", "restart", "web"]).stderr).toContain("3 running agents of web");
  await endAgent(home, "0.3");
  const { code, stdout } = hivemind(home, ["team", "restart", "web", "--yes"]);
  expect(code).toBe(0);
  expect(stdout).toContain("web: 3 of 3 agents restarted");
  expect(panesOf(home).map(({ uuid }) => uuid)).toEqual([idOf(1), null, idOf(3), idOf(4)]);
  expect(pidOf(home, "0.1")).toBe(shell);
});

test("a team that does not run comes back from its newest snapshot", async () => {
  const home = await fleet();
  hivemind(home, ["teams", "save"]);
  await killServer(home);
  expect(hivemind(home, ["team", "restart", "web"])).toMatchObject({ code: 0, stderr: "" });
  expect(panesOf(home).map(({ uuid }) => uuid)).toEqual([idOf(1), null, idOf(3), idOf(4)]);
  const { stderr } = hivemind(home, ["team", "restart", "nothing"]);
  expect(stderr).toContain('nothing is stored of a team "nothing"');
});

test("a team that was never saved comes back from its roles and sessions", async () => {
  const home = await fleet();
  await killServer(home);
  const { stderr, stdout } = hivemind(home, ["teams", "restore"]);
  expect({ stdout, stderr }).toMatchObject({
    stdout: "",
    stderr: expect.stringContaining("nothing was saved yet"),
  });
  const env = fakeClaude(home);
  const ran = hivemind(home, ["team", "restart", "web"], { env });
  expect(ran.code).toBe(0);
  expect(ran.stderr).toMatch(
    /^web: no snapshot or layout tells .* so they are claude: lead, builder, scout\n$/,
  );
  const back = panesOf(home).filter(({ role }) => role !== null);
  expect(back.map(({ role, uuid }) => [role, uuid])).toEqual([
    ["lead", idOf(1)],
    ["builder", idOf(3)],
    ["scout", idOf(4)],
  ]);
  expect(readFileSync(join(home.config, "hivemind.sessions.env"), "utf8").trim().split("\n")).toHaveLength(3);
});

test("[SF4] a team that was renamed since it was saved comes back with the agents it had", async () => {
  const home = await fleet();
  hivemind(home, ["teams", "save"]);
  hivemind(home, ["team", "rename", "web", "net"]);
  await killServer(home);
  expect(hivemind(home, ["team", "restart", "net"])).toMatchObject({ code: 0, stderr: "" });
  expect(panesOf(home).filter(({ role }) => role !== null)).toMatchObject(
    [1, 3, 4].map((at) => ({ uuid: idOf(at), kind: "demo" })),
  );
});

/** Rows of roles and sessions do not say which agent it was: it is the client, here one that becomes a demo agent. */
function fakeClaude(home: TestHome): Record<string, string> {
  return { PATH: fakeClient(home, "").PATH! };
}
