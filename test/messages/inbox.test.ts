// Messages through the inbox of an agent: no key is pressed, and the transcript proves each of them.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { identityOf, identityText } from "../../src/base/system/process-identity.js";
import { utcSeconds } from "../../src/base/text/utc.js";
import { type Hive, openHive } from "../../src/hive/hive.js";
import { limits } from "../../src/limits.js";
import { drain } from "../../src/messages/drain.js";
import { formatMark, markTranscript } from "../../src/messages/proof.js";
import { enqueue, type SendOptions, send } from "../../src/messages/send.js";
import type { Speaker } from "../../src/messages/speaker.js";
import type { PaneId } from "../../src/names/gates.js";
import { historyOf, receipt } from "../../src/stores/receipts.js";
import { hivemind } from "../command.js";
import { type AgentPane, ended, letters } from "../demo-agent/driver.js";
import { loggedSession, startLogged } from "../demo-agent/logged.js";
import { type TestHome, testHome, until } from "../home.js";
import { agentIn } from "./known.js";

const tester: Speaker = { kind: "agent", name: "tester", agent: null };
const other: Speaker = { kind: "agent", name: "other", agent: null };

/** An idle agent with the role `lead`, and what it takes to send to it. */
async function lead(env: Record<string, string> = {}) {
  const logged = await startLogged(env);
  hivemind(logged.home, ["registry", "set", logged.agent.pane, "lead"]);
  const hive = openHive({ env: logged.home.env });
  const { id } = await agentIn(hive, logged.agent.pane);
  const sends = (text: string, options: SendOptions = {}, world: Hive = hive) =>
    send(world, logged.agent.pane as PaneId, text, { speaker: tester, ...options });
  const steps = () => hive.stores.receipts.read().rows.map(({ step }) => step);
  const queued = () => hive.stores.queues.read(id).messages.map(({ text }) => text);
  return { ...logged, hive, id, sends, steps, queued, drains: () => drain(hive, id) };
}

const taken = (agent: AgentPane) => letters(agent.transcript());

const takes = (agent: AgentPane, count: number) =>
  until(`${count} letters`, () => (taken(agent).length >= count ? taken(agent) : null));

test("[DR1] an agent's words reach an idle agent without a key, and a draft stays as it is", async () => {
  const { agent, keys, sends, steps, queued, drains } = await lead();
  agent.type("half a senten");
  await agent.sees("half a senten");
  const sent = await sends("run it\nand report");
  expect(sent).toMatchObject({ outcome: "delivered", door: "inbox" });
  expect(await takes(agent, 1)).toEqual(["run it\nand report"]);
  await drains();
  expect(queued()).toEqual([]);
  expect(steps().filter((step) => step !== "enqueued")).toEqual(["queued", "posting", "accepted"]);
  expect(await keys()).toEqual(["half a senten"]);
  expect(agent.screen()).toContain("half a senten");
});

test("[PT4] a busy agent gets it at once, and takes it after its turn", async () => {
  const { agent, sends, steps, queued, drains } = await lead();
  agent.type("think [hold]\r");
  await agent.becomes("busy");
  expect(await sends("first")).toMatchObject({ outcome: "delivered", door: "inbox" });
  expect(await sends("second")).toMatchObject({ outcome: "delivered", door: "inbox" });
  expect(queued()).toEqual(["first", "second"]);
  expect(await drains()).toMatchObject({
    fates: [],
    stopped: { why: expect.stringMatching(/takes it later/) },
  });
  agent.press("Escape");
  expect(await takes(agent, 2)).toEqual(["first", "second"]);
  expect(await drains()).toMatchObject({
    fates: [{ step: "accepted" }, { step: "accepted" }],
    stopped: null,
  });
  expect(queued()).toEqual([]);
  expect(steps().filter((step) => step === "posting")).toHaveLength(2);
});

test("[MN6] a person's message that waits does not hold back an agent's", async () => {
  const { agent, home, sends, queued } = await lead();
  agent.type("think [hold]\r");
  await agent.becomes("busy");
  expect(hivemind(home, ["send", "lead", "from", "a", "person"])).toMatchObject({
    code: 4,
    stderr: expect.stringContaining("hivemind send --now"),
  });
  expect(await sends("from an agent")).toMatchObject({ outcome: "delivered" });
  expect(queued()).toEqual(["from a person", "from an agent"]);
  agent.press("Escape");
  expect(await takes(agent, 1)).toEqual(["from an agent"]);
});

test("[MT5] an agent that asks something gets it too, and the dialog stays", async () => {
  const { agent, sends } = await lead();
  agent.type("[ask] it\r");
  await agent.becomes("waiting");
  const dialog = agent.screen();
  expect(await sends("meanwhile")).toMatchObject({ outcome: "delivered", door: "inbox" });
  expect(agent.registry()?.status).toBe("waiting");
  expect(dialog).toContain("1. Yes");
  agent.press("Enter");
  expect(await takes(agent, 1)).toEqual(["meanwhile"]);
});

test("[MT5] an agent on hold gets nothing until it is released", async () => {
  const { agent, home, sends, drains } = await lead();
  hivemind(home, ["hold", "lead"]);
  expect(await sends("later")).toMatchObject({ outcome: "held" });
  expect(taken(agent)).toEqual([]);
  hivemind(home, ["release", "lead"]);
  expect((await drains()).fates).toHaveLength(1);
  expect(await takes(agent, 1)).toEqual(["later"]);
});

test("[PT2] a conversation that changes in that moment does not get it; the next drain delivers it", async () => {
  const { agent, hive, sends, steps, drains } = await lead();
  let looks = 0;
  const panes = async () => {
    const seen = await hive.panes();
    // The look that the delivery relies on, then a person clears the conversation.
    if (++looks === 2) {
      agent.type("/clear\r");
      await until("another session", () => agent.registry()?.sessionId !== loggedSession);
    }
    return seen;
  };
  expect(await sends("once", {}, { ...hive, panes })).toMatchObject({
    outcome: "queued",
    why: expect.stringMatching(/conversation changed/),
  });
  expect(steps()).toEqual(["queued", "posting", "returned"]);
  expect((await drains()).fates).toHaveLength(1);
  expect(await takes(agent, 1)).toEqual(["once"]);
});

test("[PT1] a client that ends before its agent took it gives it back, and it is delivered once", async () => {
  const { agent, home, hive, id, sends, steps, queued, drains } = await lead();
  agent.type("think [hold]\r");
  await agent.becomes("busy");
  expect(await sends("once")).toMatchObject({ outcome: "delivered" });
  process.kill(agent.pid, "SIGKILL");
  await until("its end", async () => {
    home.tmux("run-shell", "true");
    return (await hive.panes()).panes[0]?.dead;
  });
  expect(await drains()).toMatchObject({ fates: [] });
  expect(steps()).toEqual(["queued", "posting", "enqueued", "returned"]);
  expect(queued()).toEqual(["once"]);
  const [message] = hive.stores.queues.read(id).messages;
  expect(historyOf(hive.stores.receipts.read().rows, message!.id).at(-1)?.detail).toMatch(/client ended/);
  expect(hivemind(home, ["agent", "restart", "lead"])).toMatchObject({ code: 0 });
  await until("an empty queue", async () => {
    await drains();
    return queued().length === 0;
  });
  expect(taken(agent)).toEqual(["once"]);
});

/** As a sender leaves it that was killed, an hour ago, between its receipt and the first byte. */
async function leftPosting({ hive, agent, id: receiver }: Awaited<ReturnType<typeof lead>>) {
  const row = await agentIn(hive, agent.pane);
  const pane = (await hive.panes()).panes.find((each) => each.agent?.id === receiver)!;
  const id = await enqueue(hive, row, "inform", "run it", tester);
  const conversation = { kind: pane.kind, folder: pane.folder!, session: pane.live!.sessionId };
  const handed = { id, from: tester.name, client: identityText(identityOf(agent.pid)!) };
  const mark = markTranscript(conversation, "inbox", { text: "run it", isCommand: false }, handed);
  return async (agoMs: number) => {
    const at = utcSeconds(Date.now() - agoMs);
    await hive.stores.receipts.append([{ ...receipt(id, null, "posting", formatMark(mark)), at }]);
  };
}

test("[PT1] a message of a killed sender is queued again if its client has ended, however late that is seen", async () => {
  const on = await lead();
  const leave = await leftPosting(on);
  await leave(3_600_000);
  process.kill(on.agent.pid, "SIGKILL");
  await ended(on.agent.pid);
  expect(await on.drains()).toMatchObject({ fates: [] });
  expect(on.steps()).toEqual(["queued", "posting", "returned"]);
});

test("[PT3] a message of a killed sender stays open if the drain is interrupted, and is uncertain later", async () => {
  const on = await lead();
  const leave = await leftPosting(on);
  await leave(0);
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 300);
  await drain(on.hive, on.id, { interrupted: stop.signal });
  expect(on.steps()).toEqual(["queued", "posting"]);
  await leave(3_600_000);
  expect(await on.drains()).toMatchObject({ fates: [{ step: "uncertain" }] });
});

test("[PT1] messages of two senders, each in order, all once", async () => {
  const { agent, sends, drains, queued } = await lead();
  const texts = Array.from({ length: 6 }, (_, at) => `same words ${at % 2}`);
  await Promise.all(texts.map((text, at) => sends(text, { speaker: at % 3 === 0 ? tester : other })));
  await until("all", async () => {
    await drains();
    return queued().length === 0;
  });
  expect((await takes(agent, 6)).sort()).toEqual([...texts].sort());
});

test("a person's words go by --now as a colleague's; commands and keys do not", async () => {
  const { agent, home } = await lead();
  agent.type("think [hold]\r");
  await agent.becomes("busy");
  expect(hivemind(home, ["send", "lead", "later"]).code).toBe(4);
  expect(hivemind(home, ["send", "lead", "--now", "stop", "after", "this"])).toMatchObject({
    code: 0,
    stdout: "delivered to the inbox of lead\n",
  });
  expect(hivemind(home, ["send", "lead", "--now", "/clear"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/--now takes words only/),
  });
  agent.press("Escape");
  expect(await takes(agent, 1)).toEqual(["stop after this"]);
});

test("without an inbox an agent's words are typed, and --now is refused", async () => {
  const { agent, home, sends } = await lead({ DEMO_NO_INBOX: "1" });
  expect(await sends("typed")).toMatchObject({ outcome: "delivered", door: "keys" });
  await agent.becomes("idle");
  expect(hivemind(home, ["send", "lead", "--now", "x"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/has no inbox/),
  });
});

/** A program with the client's registry file that names this socket. It listens there itself if `isListening`. */
async function strange(home: TestHome, socket: string, { isListening }: { isListening: boolean }) {
  const script = `#!${process.execPath}
const { mkdirSync, readFileSync, writeFileSync } = require("node:fs");
const folder = process.env.CLAUDE_CONFIG_DIR + "/sessions";
mkdirSync(folder, { recursive: true });
const ticks = readFileSync("/proc/self/stat", "utf8").split(") ")[1].split(" ")[19];
const session = { pid: process.pid, procStart: ticks, sessionId: "${loggedSession}", status: "idle", messagingSocketPath: "${socket}" };
const begin = () => {
  writeFileSync(folder + "/" + process.pid + ".json", JSON.stringify(session));
  process.stdout.write("────\\r\\n❯\\u00a0\\r\\n────\\r\\n  ? for shortcuts");
};
if (${isListening}) require("node:net").createServer({ pauseOnConnect: true }).listen("${socket}", begin);
else begin();
setInterval(() => {}, 1000);
`;
  const program = join(home.work, "claude");
  writeFileSync(program, script, { mode: 0o755 });
  home.tmux("new-session", "-d", "-s", "strange", "-x", "80", "-y", "24", "env", program);
  await until("its box", () => home.tmux("capture-pane", "-p", "-t", "=strange:0.0").includes("shortcuts"));
  const pane = home.tmux("display-message", "-p", "-t", "=strange:0.0", "#{pane_id}").trim() as PaneId;
  return { pane, hive: openHive({ env: home.env }) };
}

test("[PT3] an inbox that accepts and never reads is uncertain, and never tried again", async () => {
  const own = limits.inboxProofMs;
  Object.assign(limits, { inboxProofMs: 1_500 });
  onTestFinished(() => void Object.assign(limits, { inboxProofMs: own }));
  const home = testHome();
  const { pane, hive } = await strange(home, join(home.root, "deaf.sock"), { isListening: true });
  const sent = await send(hive, pane, "hello", { speaker: tester });
  expect(sent).toMatchObject({ outcome: "uncertain", why: expect.stringMatching(/nothing shows/) });
  const { id } = await agentIn(hive, pane);
  expect(await drain(hive, id)).toEqual({ fates: [], stopped: null });
});

test("[PT1] a registry file that names somebody else's socket delivers nothing there", async () => {
  const home = testHome();
  const socket = join(home.root, "mine.sock");
  const { createServer } = await import("node:net");
  let heard = 0;
  const server = createServer(() => void heard++);
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  onTestFinished(() => void server.close());
  const { pane, hive } = await strange(home, socket, { isListening: false });
  expect(await send(hive, pane, "hello", { speaker: tester })).toMatchObject({
    outcome: "queued",
    why: "its client does not listen at its inbox",
  });
  expect(heard).toBe(0);
});
