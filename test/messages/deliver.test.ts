import { expect, onTestFinished, test, vi } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { type Delivery, deliver } from "../../src/messages/deliver.js";
import type { PaneId } from "../../src/names/gates.js";
import type { Tmux } from "../../src/tmux/tmux.js";
import { startAgent, texts } from "../demo-agent/driver.js";
import { startDeaf, startLogged } from "../demo-agent/logged.js";
import { type TestHome, testHome, until } from "../home.js";
import { hurry } from "../hurried.js";

async function started(env: Record<string, string> = {}, columns = 100) {
  const logged = await startLogged(env, columns);
  return { ...logged, send: (text: string) => deliverTo(logged.home, logged.agent.pane, text) };
}

function deliverTo(home: TestHome, pane: string, text: string): Promise<Delivery> {
  const hive = openHive({ env: home.env });
  return deliver(hive, pane as PaneId, text);
}

test.each([
  ["a line (incident 38)", "run the tests", {}, 100],
  ["lines, as one message (incident 47)", "one\ntwo\n\nthree", {}, 100],
  ["past a suggestion", "run the tests", { DEMO_SUGGESTION: "do something else" }, 100],
  ["in a narrow pane, where it is wrapped", "a message that is longer than its pane is wide", {}, 27],
  [
    "with a swallowed Enter right behind a paste (incident 48)",
    "run the tests",
    { DEMO_SWALLOW_ENTER: "120" },
    100,
  ],
  ["to an agent that works on it for long", "run the tests", { DEMO_ANSWER_MS: "60000" }, 100],
  ["that looks like an option", "-rf is what it says", {}, 100],
  ["that begins with a path", "/etc/passwd is odd", {}, 100],
])("[DY3] %s arrives once, with one Enter", async (_, text, env, columns) => {
  const { agent, send, keys } = await started(env as Record<string, string>, columns);
  expect(await send(text)).toMatchObject({ outcome: "accepted" });
  await until("its record", () => texts(agent.transcript(), "user").length > 0);
  expect(texts(agent.transcript(), "user")).toEqual([text]);
  expect(await keys()).toEqual([text, "<enter>"]);
});

test("[DY3] 100 kB arrive whole", async () => {
  const { agent, send, keys } = await started();
  const text = Array.from({ length: 2000 }, (_, index) => `line ${index} ${"é".repeat(20)}`).join("\n");
  expect(await send(text)).toMatchObject({ outcome: "accepted" });
  await until("its record", () => texts(agent.transcript(), "user").length > 0);
  expect(texts(agent.transcript(), "user")).toEqual([text]);
  expect((await keys()).filter((key) => key === "<enter>")).toHaveLength(1);
});

test("[DY3] a slash command is run, before and after the first word", async () => {
  const { agent, send, keys } = await started();
  expect(await send("/rename chief")).toMatchObject({ outcome: "accepted" });
  await until("its name", () => agent.registry()?.name === "chief");
  await agent.say("hello");
  expect(await send("/rename boss")).toMatchObject({ outcome: "accepted" });
  await until("its name", () => agent.registry()?.name === "boss");
  expect(texts(agent.transcript(), "assistant")).toHaveLength(1);
  expect((await keys()).filter((key) => key === "<enter>")).toHaveLength(3);
});

test.each([
  ["a draft is in its box (incident 46)", "my words", "idle", /draft/],
  ["it is busy (incident 40)", "go [busy 60000]\r", "busy", /busy/],
  [
    "it asks something (incident 39)",
    "go [ask]\r",
    "waiting",
    /waiting for an answer: Do you want to proceed/,
  ],
])("[DY1] nothing is typed while %s", async (_, typed, status, why) => {
  const { agent, send, keys } = await started();
  agent.type(typed);
  await agent.sees(typed.slice(0, 2));
  await agent.becomes(status);
  expect(await send("run the tests")).toMatchObject({ outcome: "refused", why: expect.stringMatching(why) });
  expect(await keys()).toEqual(typed.endsWith("\r") ? [typed.slice(0, -1), "<enter>"] : [typed]);
});

test("[DY1] nothing is typed into an agent that does not report its activity (incident 41)", async () => {
  const home = testHome();
  const agent = startAgent(home, [], { env: { DEMO_NO_REGISTRY: "1" } });
  await agent.sees("❯\u00a0");
  expect(await deliverTo(home, agent.pane, "run")).toMatchObject({ outcome: "refused" });
  expect(agent.screen()).not.toContain("run");
});

test.each([
  ["copy mode", (pane: string) => ["copy-mode", "-t", pane], /copy mode/],
  [
    "synchronized panes",
    (pane: string) => ["set-option", "-w", "-t", pane, "synchronize-panes", "on"],
    /synchronized/,
  ],
])("[DY1] nothing is typed into %s", async (_, command, why) => {
  const { home, agent, send, keys } = await started();
  home.tmux(...command(agent.pane));
  expect(await send("run")).toMatchObject({ outcome: "refused", why: expect.stringMatching(why) });
  if (command("")[0] === "copy-mode") home.tmux("send-keys", "-t", agent.pane, "-X", "cancel");
  expect(await keys()).toEqual([]);
});

test("[DY1] nothing is typed into a shell, a dead pane or a closed pane", async () => {
  const { home, agent, send } = await started();
  home.tmux("new-session", "-d", "-s", "other", "cat");
  const shell = home.tmux("display-message", "-p", "-t", "=other:0.0", "#{pane_id}").trim();
  expect(await deliverTo(home, shell, "run")).toMatchObject({
    outcome: "refused",
    why: "no agent runs in it",
  });
  expect(await deliverTo(home, "%99", "run")).toMatchObject({ outcome: "refused", why: "its pane is gone" });
  process.kill(agent.pid, "SIGKILL");
  await until("a dead pane", () => {
    home.tmux("run-shell", "-b", "true");
    return home.tmux("display-message", "-p", "-t", agent.pane, "#{pane_dead}").trim() === "1";
  });
  expect(await send("run")).toMatchObject({ outcome: "refused", why: "its program has ended" });
  expect(home.tmux("capture-pane", "-p", "-t", shell).trim()).toBe("");
});

test("[DY5] a swallowed Enter is not repeated, and the text is left alone (incident 37)", async () => {
  hurry({ deliverProofMs: 1_500 });
  const { agent, send, keys } = await started({ DEMO_SWALLOW_ENTER: "60000" });
  expect(await send("run the tests")).toEqual({
    outcome: "unconfirmed",
    isEntered: true,
    why: "the message is still in the input box",
  });
  expect(agent.transcript()).toBeNull();
  expect(await keys()).toEqual(["run the tests", "<enter>"]);
});

test("[DY4] text that is not visible in the box is neither entered nor cleared", async () => {
  const { home, pane, received } = await startDeaf();
  expect(await deliverTo(home, pane, "run")).toEqual({
    outcome: "unconfirmed",
    isEntered: false,
    why: "its input box does not show the message",
  });
  expect(received()).toBe("run");
});

test("[DY6] words that a person types meanwhile are neither entered nor cleared (incident 46)", async () => {
  const { home, agent, keys } = await started();
  const hive = openHive({ env: home.env });
  const tmux: Tmux = {
    ...hive.tmux,
    attempt(commands, input) {
      // Between the look at the empty box and the paste.
      if (commands[0]?.[0] === "load-buffer") agent.type("mine ");
      return hive.tmux.attempt(commands, input);
    },
  };
  const delivery = await deliver({ tmux, panes: hive.panes }, agent.pane as PaneId, "run the tests");
  expect(delivery).toEqual({
    outcome: "unconfirmed",
    isEntered: false,
    why: "its input box shows something else",
  });
  expect(await keys()).not.toContain("<enter>");
  expect(agent.screen()).toContain("❯\u00a0mine run the tests");
});

test("[DY4] setting the clock back does not extend the wait for the box", async () => {
  const { home, pane } = await startDeaf();
  const hive = openHive({ env: home.env });
  const clock = Date.now;
  let hours = 0;
  vi.spyOn(Date, "now").mockImplementation(() => clock() - hours * 60 * 60 * 1000);
  onTestFinished(() => void vi.restoreAllMocks());
  const look = () => {
    hours++;
    return hive.panes();
  };
  expect(await deliver({ tmux: hive.tmux, panes: look }, pane as PaneId, "run")).toMatchObject({
    outcome: "unconfirmed",
  });
});

test("[DY2] text that may go into no box is refused before any look", async () => {
  const hive = openHive({ env: testHome().env });
  const look = () => Promise.reject(new Error("looked"));
  expect(await deliver({ tmux: hive.tmux, panes: look }, "%0", "a\u001bb")).toMatchObject({
    outcome: "refused",
  });
});
