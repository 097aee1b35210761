import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { HiveError } from "../../src/base/errors.js";
import { LockedError } from "../../src/base/files/lock.js";
import { openHive } from "../../src/hive/hive.js";
import { drain } from "../../src/messages/drain.js";
import { send } from "../../src/messages/send.js";
import type { AgentId } from "../../src/names/agent-id.js";
import type { PaneId } from "../../src/names/gates.js";
import { receipt } from "../../src/stores/receipts.js";
import { hivemind, mainProgram } from "../command.js";
import { texts } from "../demo-agent/driver.js";
import { type LoggedAgent, startLogged } from "../demo-agent/logged.js";
import { type TestHome, testHome, until } from "../home.js";
import { agentIn } from "./known.js";

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
  ["several lines from stdin (incident 47)", ["-"], "one\ntwo\n\nthree\n", "one\ntwo\n\nthree"],
  ["a text that begins with -, after --", ["--", "-rf is", "odd"], "", "-rf is odd"],
  ["a text that begins with a path", ["/etc/passwd", "is odd"], "", "/etc/passwd is odd"],
  ["100 kB", ["-"], `${"é".repeat(24)}\n`.repeat(2048), `${`${"é".repeat(24)}\n`.repeat(2048).trimEnd()}`],
])("send delivers %s once, with one Enter and its receipts (incident 38)", async (_, words, input, text) => {
  const logged = await lead();
  const ran = hivemind(logged.home, ["send", "lead", ...words], { input });
  expect(ran).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^delivered to lead\n$/),
  });
  expect(await said(logged, 1)).toEqual([text]);
  expect(await enters(logged)).toBe(1);
  expect(steps(logged.home)).toEqual(["queued", "typing", "accepted"]);
  expect(hivemind(logged.home, ["queue", "list"]).stdout).toBe("Nothing is queued.\n");
});

test.each([
  ["an unknown name", ["send", "nobody", "x"], /no agent has the role "nobody"/],
  ["an empty text (incident 35)", ["send", "lead", " "], /empty/],
  ["control characters", ["send", "lead", "a\u001b[201~b"], /control characters/],
  ["invisible characters", ["send", "lead", "\u200b\u2060"], /no visible character/],
  ["a text that is too long", ["send", "lead", "-"], /at most/],
])("send refuses %s, and writes nothing", async (_, args, why) => {
  const logged = await lead();
  const ran = hivemind(logged.home, args, { input: args[2] === "-" ? "x".repeat(300_000) : "" });
  expect(ran).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(why) });
  expect(await logged.keys()).toEqual([]);
  expect(steps(logged.home)).toEqual([]);
});

test("send treats a text that begins with - as an option, and says so", async () => {
  const { home } = await lead();
  expect(hivemind(home, ["send", "lead", "-x"])).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/-x/),
  });
});

test("send refuses a role that two teams have, a shell, and a pane whose program has ended", async () => {
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

test("send refuses an agent at a dialog, and prints the commands that answer (incident 39)", async () => {
  const { home, agent, keys } = await lead();
  agent.type("go [ask]\r");
  await agent.becomes("waiting");
  const ran = hivemind(home, ["send", "lead", "x"]);
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringMatching(/Do you want to proceed/) });
  expect(ran.stderr).toMatch(
    /hivemind approve team\d+:0\.0 \(or reject, option\), or go there: hivemind go /,
  );
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
  expect(ran).toMatchObject({ code: 5, stdout: expect.stringMatching(/; held \(1st\)\n$/) });
  expect(ran.stdout).toMatch(why);
  expect(agent.transcript()).toBeNull();
});

test("[MT3] a message is held while the box has a draft of two lines, and the draft stays (incident 46)", async () => {
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

test("a message that another drain delivered is reported as delivered", async () => {
  const logged = await lead();
  const hive = openHive({ env: logged.home.env });
  const { stores } = hive;
  const { id } = await agentIn(hive, logged.agent.pane);
  let letGo = () => {};
  const held = stores.queues.whileDraining(id, () => new Promise<void>((resolve) => (letGo = resolve)));
  const queues: typeof stores.queues = {
    ...stores.queues,
    async append(...row) {
      const appended = await stores.queues.append(...row);
      letGo();
      await held;
      await drain(hive, id);
      return appended;
    },
  };
  const world = { ...hive, stores: { ...stores, queues } };
  expect(await send(world, logged.agent.pane as PaneId, "run it")).toMatchObject({
    outcome: "delivered",
    position: null,
  });
  expect(await said(logged, 1)).toEqual(["run it"]);
  expect(await enters(logged)).toBe(1);
});

test("an idle agent is checked under the queue lock, and the typing relies on that look", async () => {
  const logged = await lead();
  const hive = openHive({ env: logged.home.env });
  const { id } = await agentIn(hive, logged.agent.pane);
  const seen = await hive.panes();
  const isHeld: boolean[] = [];
  const panes = async () => {
    const trying = hive.stores.queues.whileDraining(id, async () => false, 0);
    isHeld.push(await trying.catch((error) => error instanceof LockedError));
    return hive.panes();
  };
  const sent = await send({ ...hive, panes }, logged.agent.pane as PaneId, "run it", { seen });
  expect(sent).toMatchObject({ outcome: "delivered" });
  expect([...new Set(isHeld)]).toEqual([true]);
});

test("messages for a busy agent are reported with their position and delivered in order (incident 42)", async () => {
  const logged = await lead();
  const { home, agent } = logged;
  agent.type("go [hold]\r");
  await agent.becomes("busy");
  expect(hivemind(home, ["send", "lead", "first"])).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/^lead is busy; queued \(1st\)\n$/),
  });
  expect(hivemind(home, ["send", "lead", "second"]).stdout).toMatch(/queued \(2nd\)/);
  expect(hivemind(home, ["queue", "list"]).stdout).toMatch(/1\. first .*\n.*2\. second/);
  process.kill(agent.pid, "SIGUSR2");
  await agent.becomes("idle");
  await until("an empty queue", () => hivemind(home, ["queue", "drain"]).code === 0);
  expect(await said(logged, 3)).toEqual(["go [hold]", "first", "second"]);
  expect(await enters(logged)).toBe(3);
});

test("send --wait delivers queued messages as soon as the agent listens, and ends with its answer", async () => {
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

test("send --wait --timeout ends with 124, and an accepted message stays accepted", async () => {
  const { home } = await lead();
  expect(hivemind(home, ["send", "lead", "--wait", "--timeout", "0.2", "go [hold]"])).toMatchObject({
    code: 124,
    stderr: expect.stringMatching(/time is up/),
  });
  expect(steps(home)).toEqual(["queued", "typing", "accepted"]);
});

test("[MN2] a drain that delivers nothing removes nothing (incident 43)", async () => {
  const { home, agent } = await lead();
  hivemind(home, ["queue", "append", "lead", "keep", "me"]);
  agent.paste("a draft");
  await agent.sees("a draft");
  expect(hivemind(home, ["queue", "drain"])).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/1 message queued/),
  });
  expect(hivemind(home, ["queue", "list"]).stdout).toMatch(/1\. keep me/);
});

test("[MN2] a message that was queued for too long expires with a receipt, and is kept", async () => {
  const logged = await lead();
  const { home } = logged;
  const hive = openHive({ env: home.env });
  const { id } = await agentIn(hive, logged.agent.pane);
  await hive.change(({ agents }) => ({ agents: agents.map((agent) => ({ ...agent, epoch: 1000 })) }));
  writeFileSync(hive.stores.queues.fileOf(id), "1000|inform|long ago\n");
  expect(hivemind(home, ["queue", "drain", "lead"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/expired/),
  });
  expect(await logged.keys()).toEqual([]);
  expect(steps(home)).toEqual(["expired"]);
});

test("[MN2] the time before its agent was seated does not count for the expiry of a message", async () => {
  const logged = await lead();
  const { home } = logged;
  const hive = openHive({ env: home.env });
  const { id } = await agentIn(hive, logged.agent.pane);
  writeFileSync(hive.stores.queues.fileOf(id), "1000|inform|long ago\n");
  expect(hivemind(home, ["queue", "list"]).stdout).not.toContain("expired");
  expect(hivemind(home, ["queue", "drain", "lead"])).toMatchObject({ code: 0 });
  expect(await said(logged, 1)).toEqual(["long ago"]);
});

test("[MN3] a second drain reports which process drains (incident 44)", async () => {
  const { home, agent } = await lead();
  const hive = openHive({ env: home.env });
  const { id } = await agentIn(hive, agent.pane);
  const { queues } = hive.stores;
  await queues.append(id, "inform", "wait");
  await queues.whileDraining(id, async () => {
    expect(hivemind(home, ["queue", "drain", "lead"])).toMatchObject({
      code: 4,
      stdout: expect.stringContaining(`process ${process.pid} is delivering its messages`),
    });
  });
});

test("[MN3] the outcome of a message is reported, even if another process drains the next", async () => {
  const hive = openHive({ env: testHome().env });
  const { stores } = hive;
  const agent = "aaaaaaaaaa" as AgentId;
  const { message } = await stores.queues.append(agent, "inform", "first");
  await stores.queues.append(agent, "inform", "second");
  await stores.receipts.append([receipt(message.id, null, "expired")]);
  let turns = 0;
  const queues: typeof stores.queues = {
    ...stores.queues,
    whileDraining: (...args) =>
      turns++ === 0 ? stores.queues.whileDraining(...args) : Promise.reject(new LockedError("x", null)),
  };
  expect(await drain({ ...hive, stores: { ...stores, queues } }, agent)).toMatchObject({
    fates: [{ step: "expired" }],
    stopped: { kind: "working", why: "another process is delivering its messages" },
  });
});

test("[MN1] a swallowed Enter leaves the message uncertain, visible, and never typed again (incident 37)", async () => {
  const logged = await lead({ DEMO_SWALLOW_ENTER: "60000" });
  const { home } = logged;
  const limits = { deliverProofMs: 1_500 };
  expect(hivemind(home, ["send", "lead", "run it"], { limits })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/not confirmed.*\n.*never sends it again/),
  });
  hivemind(home, ["queue", "drain"]);
  expect(await logged.keys()).toEqual(["run it", "<enter>"]);
  expect(hivemind(home, ["queue", "list"]).stdout).toMatch(/Uncertain.*\n.*run it/);
  expect(hivemind(home, ["queue", "clear", "lead"]).code).toBe(0);
  expect(hivemind(home, ["queue", "list"]).stdout).toBe("Nothing is queued.\n");
});

test("a queued key is pressed once, and Enter or Escape never", async () => {
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
    stdout: expect.stringMatching(/ delivered 1 message\n/),
  });
  expect(await keys()).toEqual(["<ctrl-u>"]);
});

test("a queued key waits while the agent works", async () => {
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

test.each([
  ["send", "lead", "hello"],
  ["queue", "append", "lead", "hello"],
])("`%s %s %s` leaves nothing queued if its receipt cannot be written", async (...command) => {
  const { home } = await lead();
  rmSync(join(home.config, "hivemind.receipts.log"), { force: true });
  mkdirSync(join(home.config, "hivemind.receipts.log"));
  expect(hivemind(home, command)).toMatchObject({ code: 3, stdout: "" });
  rmSync(join(home.config, "hivemind.receipts.log"), { recursive: true });
  expect(hivemind(home, ["queue", "list"]).stdout).toBe("Nothing is queued.\n");
});

test("a message whose delivery fails with an error is queued, with the reason", async () => {
  const { home, agent, keys } = await lead();
  const hive = openHive({ env: home.env });
  const { receipts } = hive.stores;
  const append: typeof receipts.append = async (rows) => {
    if (rows.some(({ step }) => step === "typing")) throw new HiveError("no space left");
    await receipts.append(rows);
  };
  const world = { ...hive, stores: { ...hive.stores, receipts: { ...receipts, append } } };
  expect(await send(world, agent.pane as PaneId, "hello")).toMatchObject({
    outcome: "queued",
    why: "no space left",
  });
  expect(hive.stores.queues.ids()).toHaveLength(1);
  expect(await keys()).toEqual([]);
});
