// Agents are started in panes of a real tmux, and looked at from outside.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import type { Role } from "../../src/names/gates.js";
import { startAgent } from "../../src/teams/start/start.js";
import { demoAgent } from "../command.js";
import { type TestHome, until } from "../home.js";
import { seatIn } from "../seat-in.js";
import { fakeClient, newId, starting, team, turnKnob } from "./starting.js";

const failure = (facts: object) => expect.objectContaining({ name: "StartFailure", ...facts });

describe("a start", () => {
  it("[TST4] resolves when the agent was seen alive with its session (incident 21)", async () => {
    const { world, start, hive, home } = starting();
    turnKnob(home, "DEMO_START_MS", "800");
    const wanted = start(1, { model: "sonnet", prompt: "-p is not an option\nsecond line" });
    const { pid, address, uuid, waitsFor } = await startAgent(world, wanted);
    expect({ address, uuid, waitsFor }).toEqual({
      address: "web:0.1",
      uuid: wanted.session.id,
      waitsFor: null,
    });
    const { panes } = await hive.panes();
    expect(panes[1]).toMatchObject({
      kind: "demo",
      process: { pid },
      live: { sessionId: uuid, name: "agent1" },
      agent: { address: "web:0.1", role: "agent1", session: uuid },
    });
    expect(panes[1]?.arguments?.model).toBe("sonnet");
    expect(hive.stores.sessions.read().rows).toEqual([{ pane: "web:0.1", uuid }]);
    await until("its prompt", () =>
      home.tmux("capture-pane", "-p", "-t", wanted.pane).includes("-p is not an option"),
    );
  });

  it("seats the agent at its pane's current address: a pane that closes after the look changes no agent's name", async () => {
    const { world, start, hive, home, panes } = starting(3);
    await seatIn(hive, "web:0.2", "x");
    const observe = async () => {
      const fleet = await world.observe();
      home.tmux("kill-pane", "-t", panes[0]!);
      return fleet;
    };
    const { address } = await startAgent({ ...world, observe }, start(1, { role: "y" as Role }));
    expect(address).toBe("web:0.0");
    const sitters = (await hive.panes()).panes.map(
      ({ id, agent }) => `${id} ${agent?.address} ${agent?.role}`,
    );
    expect(sitters).toEqual([`${panes[1]} web:0.0 y`, `${panes[2]} web:0.1 x`]);
    await hive.change();
    const rows = hive.stores.roles.read().rows.map(({ pane, role }) => `${pane} ${role}`);
    expect(rows.sort()).toEqual(["web:0.0 y", "web:0.1 x"]);
  });

  it("[TST4] of a client without a registry is confirmed by its arguments and screen", async () => {
    const { world, start, home } = starting();
    turnKnob(home, "DEMO_NO_REGISTRY", "1");
    const wanted = start(0);
    expect(await startAgent(world, wanted)).toMatchObject({ uuid: wanted.session.id, waitsFor: null });
  });

  it("[TST5] that ends is an error with its status and last output, and a dead pane (incident 21)", async () => {
    const { world, start, hive, home } = starting();
    turnKnob(home, "DEMO_CRASH_ON_START", "1");
    await expect(startAgent(world, start(0))).rejects.toThrow(
      /^agent0 did not start: it ended with status 1: .*crashed on start/,
    );
    const [pane] = (await hive.panes()).panes;
    expect(pane).toMatchObject({ dead: true, agent: null });
    expect(home.tmux("capture-pane", "-p", "-S", "-9", "-t", pane!.id)).toContain("crashed on start");
  });

  it("that fails is no event, and the agent is not in the roster", async () => {
    const { world, start, hive, home } = starting();
    turnKnob(home, "DEMO_CRASH_ON_START", "1");
    await expect(startAgent(world, start(0))).rejects.toThrow("did not start");
    expect(hive.stores.events.read().rows).toEqual([]);
    expect(hive.stores.roster.read().agents).toEqual([]);
  });

  it("[TST6] without a report in time is an error; the agent keeps running, and its rows stay", async () => {
    const interruption = new AbortController();
    const { world, start, hive, home } = starting(1, interruption.signal);
    turnKnob(home, "DEMO_START_MS", "60000");
    const wanted = start(0);
    const run = startAgent(world, wanted);
    run.catch(() => {});
    await until("its process", async () => (await hive.panes()).panes[0]?.process);
    interruption.abort();
    await expect(run).rejects.toThrow(failure({ reason: "silent", isRunning: true }));
    expect((await hive.panes()).panes[0]).toMatchObject({ dead: false, kind: "demo" });
    expect(hive.stores.sessions.read().rows).toEqual([{ pane: "web:0.0", uuid: wanted.session.id }]);
  });

  it("[TST6] that reports another session is an error with that session", async () => {
    const { start, home } = starting();
    const other = newId();
    const hive = openHive({ env: fakeClient(home, "", `--session-id ${other}`) });
    const world = hive.teamWorld({ progress: () => {}, note: () => {} });
    await expect(startAgent(world, start(0, { kind: "claude" }))).rejects.toThrow(
      failure({ reason: "other-session", message: expect.stringContaining(other) }),
    );
  });
});

describe("before a start", () => {
  it("[TST3] role, session, option and environment are there when the program begins", async () => {
    const { start, home } = starting();
    const seen = join(home.root, "seen");
    const env = fakeClient(
      home,
      [
        `cat "$HIVEMIND_CONFIG_DIR"/hivemind.roles.env "$HIVEMIND_CONFIG_DIR"/hivemind.sessions.env > ${seen}`,
        `tmux show-options -p -v -t "$TMUX_PANE" @hivemind >> ${seen}`,
        `echo "$HIVEMIND_ROLE $HIVEMIND_TEAM $CLAUDE_CONFIG_DIR $HIVEMIND_TMUX_SOCKET" >> ${seen}`,
      ].join("\n"),
    );
    const world = openHive({ env }).teamWorld({ progress: () => {}, note: () => {} });
    const wanted = start(1, { kind: "claude" });
    await startAgent(world, wanted);
    const lines = readFileSync(seen, "utf8").split("\n");
    expect(lines[0]).toMatch(/^web:0\.1\|agent1\|\d+$/);
    expect(lines.slice(1)).toEqual([
      `web:0.1|${wanted.session.id}`,
      `${wanted.pane}|web:0.1|agent1`,
      `agent1 web ${home.claude} ${home.socket}`,
      "",
    ]);
  });

  it("[TST3] a failed start leaves the rows unchanged, and a failed fork is recorded as broken", async () => {
    const { world, start, hive, home } = starting(3);
    const old = newId();
    const its = await seatIn(hive, "web:0.1", "old", old);
    await seatIn(hive, "web:0.2", "empty");
    await hive.stores.queues.append(its, "inform", "wait for me");
    const parent = start(0, { prompt: "hello" });
    await startAgent(world, parent);
    const rows = () => [hive.stores.roles.read().rows, hive.stores.sessions.read().rows];
    await until("its transcript", async () => (await hive.observe()).index.byId.has(parent.session.id));
    const before = rows();
    turnKnob(home, "DEMO_CRASH_ON_START", "1");
    const session = { how: "fork", id: newId(), parent: parent.session.id } as const;
    await expect(startAgent(world, start(1, { role: "old" as Role, session }))).rejects.toThrow(
      /did not start/,
    );
    await expect(startAgent(world, start(2, { role: "empty" as Role }))).rejects.toThrow(/did not start/);
    expect(rows().map((each) => [...each].sort(byPane))).toEqual(
      before.map((each) => [...each].sort(byPane)),
    );
    expect(hive.stores.queues.read(its).messages).toHaveLength(1);
    expect([...hive.stores.forks.scan({ uuid: session.id })].map(({ state }) => state)).toEqual([
      "stable",
      "broken",
    ]);
  });

  it("[TST1] a session of an agent in another pane is refused, and nothing changes (incident 22)", async () => {
    const { world, start, hive } = starting();
    const first = start(0, { prompt: "hello" });
    await startAgent(world, first);
    const rows = hive.stores.roles.read().rows;
    const again = start(1, { session: { how: "resume", id: first.session.id } });
    await expect(startAgent(world, again)).rejects.toThrow(/is open already: web:0\.0, process \d+/);
    expect((await hive.panes()).panes[1]).toMatchObject({ kind: "shell", agent: null });
    expect(hive.stores.roles.read().rows).toEqual(rows);
  });

  it("[TST1] a session open on another tmux server is refused too (incident 22)", async () => {
    const { world, start, home } = starting();
    const other = (...args: string[]) =>
      execFileSync("tmux", ["-S", join(home.root, "other"), "-f", "/dev/null", ...args], { env: home.env });
    const { session } = start(0);
    other("new-session", "-d", "-c", home.work, process.execPath, demoAgent, "--session-id", session.id);
    onTestFinished(() => void other("kill-server"));
    await until("its registry", () => registryHas(home, session.id));
    await expect(startAgent(world, start(0, { session }))).rejects.toThrow(
      /is open already: outside this tmux, process \d+/,
    );
  });

  it("[TST1] a missing folder, or a folder of another session, is refused", async () => {
    const { world, start, hive, home } = starting();
    await expect(startAgent(world, start(0, { cwd: join(home.root, "nowhere") }))).rejects.toThrow(
      /no folder/,
    );
    const first = start(0, { prompt: "hello" });
    await startAgent(world, first);
    await until("its transcript", async () => (await hive.observe()).index.byId.has(first.session.id));
    const elsewhere = join(home.root, "elsewhere");
    mkdirSync(elsewhere);
    const session = { how: "fork", id: newId(), parent: first.session.id } as const;
    await expect(startAgent(world, start(1, { session, cwd: elsewhere }))).rejects.toThrow(
      new RegExp(`belongs to ${home.work}, not to ${elsewhere}`),
    );
  });

  it("[TST2] an agent in the pane is ended only for a restart; its session continues", async () => {
    const { world, start, hive, home } = starting(1);
    const first = start(0, { prompt: "hello" });
    const { pid } = await startAgent(world, first);
    await until("its transcript", async () => (await hive.observe()).index.byId.has(first.session.id));
    await expect(startAgent(world, start(0))).rejects.toThrow(/an agent runs in web:0\.0/);
    const session = { how: "resume", id: first.session.id } as const;
    const elsewhere = start(0, { session, cwd: home.root, isRestart: true });
    await expect(startAgent(world, elsewhere)).rejects.toThrow(/belongs to/);
    expect((await hive.panes()).panes[0]?.process?.pid).toBe(pid);
    const again = await startAgent(world, start(0, { session, isRestart: true }));
    expect(again.uuid).toBe(first.session.id);
    expect(again.pid).not.toBe(pid);
    expect((await hive.panes()).panes).toMatchObject([
      { sessionName: team, live: { sessionId: again.uuid } },
    ]);
  });
});

function registryHas({ claude }: TestHome, id: string): boolean {
  const folder = join(claude, "sessions");
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".json")) : [];
  return files.some((name) => readFileSync(join(folder, name), "utf8").includes(`"${id}"`));
}

function byPane(a: { pane: string }, b: { pane: string }): number {
  return a.pane < b.pane ? -1 : 1;
}
