import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { LockedError } from "../../src/base/lock.js";
import { openHive } from "../../src/hive.js";
import { drain } from "../../src/messages/drain.js";
import { enqueue, send } from "../../src/messages/send.js";
import type { PaneAddress, PaneId, TeamName } from "../../src/names/gates.js";
import { hivemind, json, mainProgram } from "../command.js";
import { texts } from "../demo-agent/driver.js";
import { type LoggedAgent, startLogged } from "../demo-agent/logged.js";
import { type TestHome, testHome, until } from "../home.js";

/** A demo agent that is registered as `lead`. */
async function lead(env: Record<string, string> = {}, columns = 100) {
  const logged = await startLogged(env, columns);
  hivemind(logged.home, ["registry", "set", logged.agent.pane, "lead"]);
  return logged;
}

const steps = (home: TestHome) =>
  openHive({ env: home.env })
    .stores.receipts.read()
    .rows.map(({ step }) => step);

async function enters({ keys }: LoggedAgent): Promise<number> {
  return (await keys()).filter((key) => key === "<enter>").length;
}

async function said({ agent }: LoggedAgent, count: number): Promise<string[]> {
  await until(`${count} messages`, () => texts(agent.transcript(), "user").length >= count);
  return texts(agent.transcript(), "user");
}

test.each([
  ["a line", ["run", "the tests"], "", "run the tests"],
  ["what stdin has, in several lines (incident 47)", ["-"], "one\ntwo\n\nthree\n", "one\ntwo\n\nthree"],
  ["a text that begins with -, behind --", ["--", "-rf is", "odd"], "", "-rf is odd"],
  ["a text that begins with a path", ["/etc/passwd", "is odd"], "", "/etc/passwd is odd"],
  ["100 kB", ["-"], `${"é".repeat(24)}\n`.repeat(2048), `${`${"é".repeat(24)}\n`.repeat(2048).trimEnd()}`],
])(
  "[MS1] send delivers %s once, with one Enter and its receipts (incident 38)",
  async (_, words, input, text) => {
    const logged = await lead();
    const ran = hivemind(logged.home, ["send", "lead", ...words], { input });
    expect(ran).toMatchObject({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^delivered \(team\d+:0\.0\)\n$/),
    });
    expect(await said(logged, 1)).toEqual([text]);
    expect(await enters(logged)).toBe(1);
    expect(steps(logged.home)).toEqual(["queued", "typing", "accepted"]);
    expect(hivemind(logged.home, ["queue", "list"]).stdout).toBe("Nothing is queued.\n");
  },
);

test.each([
  ["an unknown name", ["send", "nobody", "x"], /nobody has the role "nobody"/],
  ["an empty text (incident 35)", ["send", "lead", " "], /empty/],
  ["control characters", ["send", "lead", "a\u001b[201~b"], /control characters/],
  ["what nobody can see", ["send", "lead", "\u200b\u2060"], /no character that can be seen/],
  ["more than a queue holds of one", ["send", "lead", "-"], /at most/],
])("[MS2] send refuses %s, and writes nothing", async (_, args, why) => {
  const logged = await lead();
  const ran = hivemind(logged.home, args, { input: args[2] === "-" ? "x".repeat(300_000) : "" });
  expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(why) });
  expect(await logged.keys()).toEqual([]);
  expect(steps(logged.home)).toEqual([]);
});

test("send takes a text that begins with - for an option, and says so", async () => {
  const { home } = await lead();
  expect(hivemind(home, ["send", "lead", "-x"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/-x/),
  });
});

test("[MS2] send refuses a role that two teams have, a shell, and a pane whose program has ended", async () => {
  const { home, agent } = await lead();
  home.tmux("new-session", "-d", "-s", "other", "cat");
  hivemind(home, ["registry", "set", "other:0.0", "lead"]);
  expect(hivemind(home, ["send", "lead", "x"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/several/),
  });
  expect(hivemind(home, ["send", "lead", "--team", "other", "x"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no agent runs in it/),
  });
  process.kill(agent.pid, "SIGKILL");
  await until("a dead pane", () => {
    home.tmux("run-shell", "-b", "true");
    return home.tmux("display-message", "-p", "-t", agent.pane, "#{pane_dead}").trim() === "1";
  });
  expect(hivemind(home, ["send", agent.pane, "x"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/its program has ended/),
  });
  expect(home.tmux("capture-pane", "-p", "-t", "=other:0.0").trim()).toBe("");
  expect(steps(home)).toEqual([]);
});

test("[MS2] send refuses an agent that asks something, and names the commands that answer (incident 39)", async () => {
  const { home, agent, keys } = await lead();
  agent.type("go [ask]\r");
  await agent.becomes("waiting");
  const ran = hivemind(home, ["send", "lead", "x"]);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/Do you want to proceed/) });
  expect(ran.stderr).toMatch(/hivemind approve team\d+:0\.0 \(or reject, option\), or there: hivemind go /);
  expect(await keys()).toEqual(["go [ask]", "<enter>"]);
});

test.each([
  ["copy mode", (pane: string) => ["copy-mode", "-t", pane], /copy mode/],
  [
    "synchronized panes",
    (pane: string) => ["set-option", "-w", "-t", pane, "synchronize-panes", "on"],
    /synchronized/,
  ],
])("[MT3] in %s a message is held, exit 5", async (_, command, why) => {
  const { home, agent } = await lead();
  home.tmux(...command(agent.pane));
  const ran = hivemind(home, ["send", "lead", "x"]);
  expect(ran).toMatchObject({ code: 5, stderr: "", stdout: expect.stringMatching(/^held at position 1: /) });
  expect(ran.stdout).toMatch(why);
  expect(agent.transcript()).toBeNull();
});

test("[MT3] beside a person's draft of two lines a message is held, and the draft stays (incident 46)", async () => {
  const { home, agent, keys } = await lead();
  agent.paste("my first line\nmy second");
  await agent.sees("my second");
  expect(hivemind(home, ["send", "lead", "x"])).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/draft/),
  });
  expect(agent.screen()).toMatch(/my first line\n.*my second/);
  expect(await keys()).toEqual(["my first line\nmy second"]);
});

test("[MS1] what somebody else's drain said meanwhile is told as delivered", async () => {
  const logged = await lead();
  const hive = openHive({ env: logged.home.env });
  const { stores } = hive;
  const receipts: typeof stores.receipts = {
    ...stores.receipts,
    async append(rows) {
      await stores.receipts.append(rows);
      await drain(hive, rows[0]!.pane);
    },
  };
  const sent = await send(
    { ...hive, stores: { ...stores, receipts } },
    logged.agent.pane as PaneId,
    "run it",
  );
  expect(sent).toMatchObject({ outcome: "delivered", position: null });
  expect(await said(logged, 1)).toEqual(["run it"]);
  expect(await enters(logged)).toBe(1);
});

test("[MS3] what waits for a busy agent is told with its place, and said in order (incident 42)", async () => {
  const logged = await lead();
  const { home, agent } = logged;
  agent.type("go [hold]\r");
  await agent.becomes("busy");
  expect(hivemind(home, ["send", "lead", "first"])).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/^queued at position 1: its agent is busy/),
  });
  expect(hivemind(home, ["send", "lead", "second"]).stdout).toMatch(/^queued at position 2/);
  expect(hivemind(home, ["queue", "list"]).stdout).toMatch(/1\. first .*\n.*2\. second/);
  process.kill(agent.pid, "SIGUSR2");
  await agent.becomes("idle");
  await until("an empty queue", () => hivemind(home, ["queue", "drain"]).code === 0);
  expect(await said(logged, 3)).toEqual(["go [hold]", "first", "second"]);
  expect(await enters(logged)).toBe(3);
});

test("[AW2] send --wait says what waits as soon as the agent listens, and ends with its answer", async () => {
  const { home, agent } = await lead();
  agent.type("go [hold]\r");
  await agent.becomes("busy");
  const child = spawn(process.execPath, [mainProgram, "send", "lead", "--wait", "and now?"], {
    env: home.env,
  });
  const ended = once(child, "exit");
  await until("its receipt", () => steps(home).includes("queued"));
  process.kill(agent.pid, "SIGUSR2");
  expect(await ended).toEqual([0, null]);
  expect(texts(agent.transcript(), "assistant").at(-1)).toBe("Heard: and now?");
  expect(steps(home)).toEqual(["queued", "typing", "accepted", "answered"]);
});

test("send --wait --timeout ends with 124, and what was taken stays taken", async () => {
  const { home } = await lead();
  expect(hivemind(home, ["send", "lead", "--wait", "--timeout", "0.2", "go [hold]"])).toMatchObject({
    code: 124,
    stderr: expect.stringMatching(/time is up/),
  });
  expect(steps(home)).toEqual(["queued", "typing", "accepted"]);
});

test("[MN4] what was queued for a pane without a name is never said to another (incident 45)", async () => {
  const logged = await startLogged();
  const { home, agent } = logged;
  const team = home.tmux("display-message", "-p", "-t", agent.pane, "#{session_name}").trim() as TeamName;
  home.tmux("split-window", "-d", "-t", agent.pane, "cat");
  const hive = openHive({ env: home.env });
  const seen = await hive.panes();
  const second = seen.panes.find(({ address }) => address === `${team}:0.1`)!;
  await enqueue(hive, seen, second, "inform", "for the second pane");
  home.tmux("swap-pane", "-d", "-s", `=${team}:0.0`, "-t", `=${team}:0.1`);
  const ran = hivemind(home, ["queue", "drain"]);
  expect(ran).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/:0\.0: 1 waits: no agent runs in it/),
  });
  home.tmux("kill-pane", "-t", `=${team}:0.0`);
  expect(hivemind(home, ["queue", "drain"])).toMatchObject({ code: 0 });
  expect(await logged.keys()).toEqual([]);
  const dead = join(home.config, "hivemind.queue", "dead");
  expect(readFileSync(join(dead, readdirSync(dead)[0]!), "utf8")).toMatch(/for the second pane/);
});

test("[MN4] a message follows a pane that moves away while it is queued (incident 45)", async () => {
  const { home, agent, keys } = await startLogged();
  home.tmux("split-window", "-d", "-t", agent.pane, "cat");
  const hive = openHive({ env: home.env });
  let looks = 0;
  const panes = async () => {
    const seen = await hive.panes();
    if (looks++ === 0) home.tmux("swap-pane", "-d", "-D", "-t", agent.pane);
    return seen;
  };
  const sent = await send({ ...hive, panes }, agent.pane as PaneId, "for the agent");
  expect(sent).toMatchObject({ outcome: "delivered" });
  expect(await keys()).toEqual(["for the agent", "<enter>"]);
});

test("[MN2] a drain that says nothing removes nothing (incident 43)", async () => {
  const { home, agent } = await lead();
  hivemind(home, ["queue", "append", "lead", "keep", "me"]);
  agent.paste("a draft");
  await agent.sees("a draft");
  expect(hivemind(home, ["queue", "drain"])).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/1 waits/),
  });
  expect(hivemind(home, ["queue", "list"]).stdout).toMatch(/1\. keep me/);
});

test("[MN5] a queue whose pane has moved follows it first, and its message arrives there (incident 45)", async () => {
  const logged = await lead();
  const { home, agent } = logged;
  const place = () =>
    home.tmux("display-message", "-p", "-t", agent.pane, "#{session_name}:0.#{pane_index}").trim();
  hivemind(home, ["queue", "append", "lead", "for lead"]);
  const before = place() as PaneAddress;
  home.tmux("split-window", "-d", "-b", "-t", agent.pane, "cat");
  expect(place()).not.toBe(before);
  const hive = openHive({ env: home.env });
  expect(await drain(hive, before)).toMatchObject({
    fates: [],
    stopped: { why: expect.stringMatching(/moved/) },
  });
  expect(hivemind(home, ["queue", "drain"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ delivered\n/),
  });
  expect(await said(logged, 1)).toEqual(["for lead"]);
  expect(steps(home)).toEqual(["queued", "moved", "typing", "accepted"]);
});

test("[MN2] a message that waited for too long expires with a receipt, and is kept", async () => {
  const logged = await lead();
  const { home } = logged;
  const pane = json<{ pane: string }>(home, ["send", "lead", "hello"]).pane as PaneAddress;
  await logged.agent.becomes("idle");
  const { stores } = openHive({ env: home.env });
  writeFileSync(stores.queues.fileOf(pane), "1000|inform|long ago\n");
  expect(hivemind(home, ["queue", "drain", "lead"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/expired/),
  });
  expect(await said(logged, 1)).toEqual(["hello"]);
  expect(steps(home).at(-1)).toBe("expired");
});

test("[MN3] a second drain is told who drains (incident 44)", async () => {
  const { home, agent } = await lead();
  const { stores } = openHive({ env: home.env });
  const pane = home
    .tmux("display-message", "-p", "-t", agent.pane, "#{session_name}:0.0")
    .trim() as PaneAddress;
  await stores.queues.append(pane, "inform", "wait");
  await stores.queues.whileDraining(pane, async () => {
    expect(hivemind(home, ["queue", "drain", "lead"])).toMatchObject({
      code: 4,
      stdout: expect.stringContaining(`process ${process.pid} is draining it`),
    });
  });
});

test("[MN3] what became of a message is told, also when somebody else drains the next", async () => {
  const hive = openHive({ env: testHome().env });
  const { stores } = hive;
  const pane = "web:0.0" as PaneAddress;
  await stores.queues.append(pane, "inform", "first");
  writeFileSync(stores.queues.fileOf(pane), "1000|inform|first\n1001|inform|second\n");
  let turns = 0;
  const queues: typeof stores.queues = {
    ...stores.queues,
    whileDraining: (...args) =>
      turns++ === 0 ? stores.queues.whileDraining(...args) : Promise.reject(new LockedError("x", null)),
  };
  expect(await drain({ ...hive, stores: { ...stores, queues } }, pane)).toMatchObject({
    fates: [{ step: "expired" }],
    stopped: { kind: "working", why: "something else is draining it" },
  });
});

test("[MN1] an Enter that was swallowed leaves the message uncertain, shown, and never typed again (incident 37)", async () => {
  const logged = await lead({ DEMO_SWALLOW_ENTER: "60000" });
  const { home } = logged;
  expect(hivemind(home, ["send", "lead", "run it"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/not confirmed.*\n.*not typed again/),
  });
  hivemind(home, ["queue", "drain"]);
  expect(await logged.keys()).toEqual(["run it", "<enter>"]);
  expect(hivemind(home, ["queue", "list"]).stdout).toMatch(/Uncertain.*\n.*run it/);
  expect(hivemind(home, ["queue", "clear", "lead"]).code).toBe(0);
  expect(hivemind(home, ["queue", "list"]).stdout).toBe("Nothing is queued.\n");
});

test("[MK1] a queued key is pressed once, and Enter or Escape never", async () => {
  const { home, keys } = await lead();
  for (const key of ["Enter", "Escape", "C-c", "y"])
    expect(hivemind(home, ["queue", "append", "lead", "--intent", `remote-control:${key}`, "x"]).code).toBe(
      1,
    );
  expect(hivemind(home, ["queue", "append", "lead", "--intent", "remote-control:C-u", "tidy up"]).code).toBe(
    0,
  );
  expect(hivemind(home, ["queue", "drain"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ delivered\n/),
  });
  expect(await keys()).toEqual(["<ctrl-u>"]);
});

test("[MK2] a queued key waits while the agent works", async () => {
  const { home, agent, keys } = await lead();
  agent.type("go [hold]\r");
  await agent.becomes("busy");
  hivemind(home, ["queue", "append", "lead", "--intent", "remote-control:C-u", "tidy up"]);
  expect(hivemind(home, ["queue", "drain"])).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/busy/),
  });
  expect(await keys()).toEqual(["go [hold]", "<enter>"]);
});
