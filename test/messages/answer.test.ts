import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { awaitAnswer } from "../../src/messages/answered.js";
import { answer } from "../../src/messages/dialog/answer.js";
import type { PaneId } from "../../src/names/gates.js";
import type { MessageId } from "../../src/stores/queue/queue-rows.js";
import type { Tmux } from "../../src/tmux/tmux.js";
import { hivemind, json } from "../command.js";
import { texts } from "../demo-agent/driver.js";
import { startDeaf, startLogged } from "../demo-agent/logged.js";
import { until } from "../home.js";
import { agentIn } from "./known.js";

async function asking() {
  const logged = await startLogged();
  hivemind(logged.home, ["registry", "set", logged.agent.pane, "lead"]);
  logged.agent.type("go [ask]\r");
  await logged.agent.becomes("waiting");
  return logged;
}

test.each([
  [["approve", "lead"], ["<enter>"], /1\. Yes/],
  [["reject", "lead"], ["<down>", "<down>", "<enter>"], /3\. No/],
  [["option", "lead", "2"], ["<down>", "<enter>"], /2\. Yes, and/],
  [["dismiss", "lead"], ["<escape>"], /dismissed/],
])("%j presses %s into the dialog, and Enter once", async (args, pressed, told) => {
  const { home, agent, keys } = await asking();
  expect(hivemind(home, args)).toMatchObject({ code: 0, stderr: "", stdout: expect.stringMatching(told) });
  await agent.becomes("idle");
  expect(await keys()).toEqual(["go [ask]", "<enter>", ...pressed]);
});

test("an unknown option is refused with the existing ones", async () => {
  const { home, keys } = await asking();
  expect(hivemind(home, ["option", "lead", "7"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no option 7.*\n.*1\. Yes/),
  });
  expect(hivemind(home, ["option", "lead", "0"]).code).toBe(2);
  expect(await keys()).toEqual(["go [ask]", "<enter>"]);
});

test.each(["approve", "reject", "dismiss"])(
  "%s presses nothing if no dialog is open (incident 40)",
  async (verb) => {
    const { home, agent, keys } = await startLogged();
    expect(hivemind(home, [verb, agent.pane])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/idle/),
    });
    agent.type("go [busy 60000]\r");
    await agent.becomes("busy");
    expect(hivemind(home, [verb, agent.pane])).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/busy/),
    });
    expect(await keys()).toEqual(["go [busy 60000]", "<enter>"]);
  },
);

test("a changing dialog is answered after two looks showed it alike", async () => {
  const { home, agent, keys } = await asking();
  const hive = openHive({ env: home.env });
  const { tmux } = hive;
  let looks = 0;
  const changing: Tmux = {
    ...tmux,
    async attempt(commands, input) {
      const seen = await tmux.attempt(commands, input);
      if (commands[0]?.[0] !== "source-file") return seen;
      return { ...seen, stdout: looks++ === 0 ? seen.stdout.replace("proceed", "go on") : seen.stdout };
    },
    async run(...commands) {
      if (commands[0]?.[0] === "send-keys") expect(looks).toBe(3);
      return tmux.run(...commands);
    },
  };
  await answer({ ...hive, tmux: changing }, agent.pane as PaneId, "approve");
  await agent.becomes("idle");
  expect(await keys()).toEqual(["go [ask]", "<enter>", "<enter>"]);
});

test.each([
  [
    "synchronized panes",
    /synchronized/,
    ["set-option", "-w", "synchronize-panes", "on"],
    ["set-option", "-wu", "synchronize-panes"],
  ],
  ["copy mode", /copy mode/, ["copy-mode"], ["send-keys", "-X", "cancel"]],
])("nothing is pressed into %s", async (_, why, begin, end) => {
  const { home, agent, keys } = await asking();
  const inPane = ([verb, ...args]: string[]) => home.tmux(verb!, "-t", agent.pane, ...args);
  inPane(begin);
  expect(hivemind(home, ["approve", "lead"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(why),
  });
  inPane(end);
  expect(await keys()).toEqual(["go [ask]", "<enter>"]);
});

test("nothing is pressed while another process types into the agent", async () => {
  const { home, agent, keys } = await asking();
  const hive = openHive({ env: home.env });
  const { id } = await agentIn(hive, agent.pane);
  await hive.stores.queues.whileDraining(id, async () => {
    expect(hivemind(home, ["approve", "lead"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`held by process ${process.pid}`),
    });
  });
  expect(await keys()).toEqual(["go [ask]", "<enter>"]);
});

test("a key without effect is not pressed again, and the error says so", async () => {
  const dialog = "────\\r\\nDo you want to proceed?\\r\\n❯ 1. Yes\\r\\n  2. No\\r\\n\\r\\nEsc to cancel";
  const { home, pane, received } = await startDeaf("waiting", dialog);
  expect(hivemind(home, ["approve", pane])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/pressed .+ once; the dialog is still open/),
  });
  expect(received()).toBe("\r");
});

test("[MT3] a message to a held agent stays queued until a release", async () => {
  const { home, agent } = await startLogged();
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  const env = { USER: "pat" };
  expect(hivemind(home, ["hold", "lead"], { env })).toMatchObject({ code: 0, stderr: "" });
  expect(hivemind(home, ["hold", "lead"]).stdout).toMatch(/already on hold, by pat/);
  expect(hivemind(home, ["send", "lead", "x"])).toMatchObject({
    code: 5,
    stdout: expect.stringMatching(/pat put it on hold/),
  });
  expect(hivemind(home, ["queue", "drain"]).code).toBe(5);
  expect(hivemind(home, ["release", "lead"])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/1 queued message; to deliver now: hivemind queue drain/),
  });
  expect(hivemind(home, ["release", "lead"]).stdout).toMatch(/was not on hold/);
  expect(hivemind(home, ["queue", "drain"]).code).toBe(0);
  await until("the message", () => texts(agent.transcript(), "user").includes("x"));
});

test("wait ends when the agent is idle, asks or has answered, and with 124 on timeout", async () => {
  const { home, agent } = await startLogged();
  const waits = (...args: string[]) => hivemind(home, ["wait", agent.pane, ...args]).code;
  expect(waits()).toBe(0);
  expect(waits("--until", "waiting", "--timeout", "0.1")).toBe(124);
  expect(waits("--until", "answered")).toBe(1);
  expect(waits("--until", "sunset")).toBe(2);
  expect(waits("--timeout", "soon")).toBe(2);
  agent.type("go [ask]\r");
  expect(waits("--until", "waiting")).toBe(0);
  expect(hivemind(home, ["approve", agent.pane]).code).toBe(0);
  expect(waits("--until", "idle")).toBe(0);
});

test("a message is answered when the agent spoke after it, and a receipt records it", async () => {
  const { home, agent } = await startLogged({ DEMO_ANSWER_MS: "600" });
  expect(hivemind(home, ["send", agent.pane, "hello"]).code).toBe(0);
  expect(hivemind(home, ["wait", agent.pane, "--until", "answered"])).toMatchObject({ code: 0 });
  expect(texts(agent.transcript(), "assistant")).toEqual(["Heard: hello"]);
  expect(hivemind(home, ["wait", agent.pane, "--until", "answered"])).toMatchObject({ code: 0 });
});

test("an interrupted turn has no answer, and the wait ends", async () => {
  const { home, agent } = await startLogged();
  expect(hivemind(home, ["send", agent.pane, "go [hold]"]).code).toBe(0);
  agent.press("Escape");
  await agent.becomes("idle");
  expect(hivemind(home, ["wait", agent.pane, "--until", "answered", "--timeout", "60"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("its turn was interrupted"),
  });
});

test("waiting for an answer follows a moved agent (incident 45)", async () => {
  const { home, agent } = await startLogged();
  home.tmux("split-window", "-d", "-t", agent.pane, "cat");
  const sent = json<{ id: MessageId }>(home, ["send", agent.pane, "go [hold]"]);
  home.tmux("swap-pane", "-d", "-D", "-t", agent.pane);
  const hive = openHive({ env: home.env });
  const interrupted = new AbortController().signal;
  const awaited = (timeoutMs: number | null) => awaitAnswer(hive, sent.id, { timeoutMs, interrupted });
  expect(await awaited(0)).toEqual({ outcome: "timeout" });
  process.kill(agent.pid, "SIGUSR2");
  expect(await awaited(null)).toEqual({ outcome: "answered" });
  expect(hivemind(home, ["wait", agent.pane, "--until", "answered"])).toMatchObject({ code: 0, stderr: "" });
});

test("the wait ends when the agent ends", async () => {
  const { home, agent } = await startLogged();
  expect(hivemind(home, ["send", agent.pane, "--wait", "go [crash]"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no answer will come/),
  });
  await agent.exitCode();
  const comeback = /bring it back: hivemind agent restart team\d+:0\.0\n$/;
  const waited = hivemind(home, ["wait", agent.pane, "--json"]);
  expect(waited).toMatchObject({ code: 1, stderr: expect.stringMatching(comeback) });
  expect(JSON.parse(waited.stdout)).toMatchObject({ version: 1, until: "idle", outcome: "ended" });
  expect(hivemind(home, ["send", agent.pane, "x"]).stderr).toMatch(comeback);
});

test("go and next select the pane, and print how to attach outside tmux", async () => {
  const { home, agent } = await asking();
  home.tmux("split-window", "-t", agent.pane, "cat");
  const active = () => home.tmux("display-message", "-p", "-t", agent.pane, "#{pane_active}").trim();
  expect(active()).toBe("0");
  expect(hivemind(home, ["go", "lead"]).stdout).toMatch(/^tmux -S \S+ attach -t '=team\d+'\n$/);
  expect(active()).toBe("1");
  home.tmux("last-pane", "-t", agent.pane);
  expect(hivemind(home, ["next"])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/Bash: touch demo/),
  });
  expect(active()).toBe("1");
  hivemind(home, ["reject", "lead"]);
  await agent.becomes("idle");
  expect(hivemind(home, ["next"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/no agent waits for you/),
  });
});

test("go switches a person inside tmux to the pane, and prints how to attach otherwise", async () => {
  const { home, agent } = await startLogged();
  const { mainProgram } = await import("../command.js");
  const desk = home.tmux("new-session", "-d", "-P", "-F", "#{socket_path},#{pid},0", "-s", "desk", "sh");
  const inside = { env: { TMUX: desk.trim() } };
  expect(hivemind(home, ["go", agent.pane], inside)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^tmux -S \S+ attach -t '=team\d+'\n$/),
  });
  // An attached person: a client of this server, in a pane of another one.
  home.tmux(
    "-S",
    `${home.root}/outer.sock`,
    "new-session",
    "-d",
    `TMUX= tmux -S ${home.socket} attach -t =desk`,
  );
  const looksAt = () => home.tmux("list-clients", "-F", "#{pane_id}").trim();
  await until("a client", () => looksAt() !== "");
  home.tmux("send-keys", "-t", "=desk:0.0", `${process.execPath} ${mainProgram} go ${agent.pane}`, "Enter");
  await until("the pane", () => looksAt() === agent.pane);
  home.tmux("-S", `${home.root}/outer.sock`, "kill-server");
});
