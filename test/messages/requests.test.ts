// Permission requests of demo agents, answered through the hook that waits beside the dialog: no key is pressed.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Attention } from "../../src/hive/attention.js";
import type { RequestFile } from "../../src/stores/hooks/requests.js";
import { openStores } from "../../src/stores/stores.js";
import { hivemind, json } from "../command.js";
import { type AgentPane, startAgent } from "../demo-agent/driver.js";
import { startLogged } from "../demo-agent/logged.js";
import { type TestHome, testHome, until } from "../home.js";

type Item = Extract<Attention, { kind: "request" }>;
const itemsIn = (home: TestHome) => json<{ items: Attention[] }>(home, ["inbox"]).items;
const requestsIn = (home: TestHome) => itemsIn(home).filter((item): item is Item => item.kind === "request");
const records = (agent: AgentPane) => JSON.stringify(agent.transcript());
const eventsOf = (home: TestHome) =>
  hivemind(home, ["events"])
    .stdout.split("\n")
    .filter((line) => line.includes("request.decided"));

/** An agent with hooks, called `lead`. */
async function hooked() {
  const home = testHome();
  hivemind(home, ["hooks", "install"]);
  const keylog = join(home.root, "keys");
  const agent = startAgent(home, ["-n", "lead"], { env: { DEMO_KEYLOG: keylog } });
  await agent.becomes("idle");
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  const asks = async (text = "go [ask]") => {
    agent.type(`${text}\r`);
    await agent.becomes("waiting");
    return until("its request", () => requestsIn(home)[0]);
  };
  /** What was typed since the last question. */
  const typed = () => readFileSync(keylog, "utf8").split("\n").length;
  return { home, agent, asks, typed, folder: join(home.config, "hivemind.hooks", "requests") };
}

test.each([
  [["approve", "lead"], "lead: approved Bash: touch demo\n", '"decision":"allow"', "approved"],
  [["reject", "lead"], "lead: rejected Bash: touch demo\n", '"decision":"deny"', "rejected"],
  [["reject", "lead", "use", "another"], "lead: rejected Bash: touch demo\n", "use another", "rejected"],
  [
    ["approve", "lead", "--always"],
    "adds a rule: allow Bash(touch demo) in .claude/settings.local.json of its folder\nlead: always Bash: touch demo\n",
    '"decision":"allow"',
    "always",
  ],
])("%j is proved by the conversation, without a key", async (args, said, proof, word) => {
  const { home, agent, asks, typed } = await hooked();
  const { request } = await asks();
  const keys = typed();
  expect(hivemind(home, args)).toMatchObject({ code: 0, stderr: "", stdout: said });
  expect(records(agent)).toContain(proof);
  await agent.becomes("idle");
  expect(typed()).toBe(keys);
  expect(itemsIn(home)).toEqual([]);
  expect(eventsOf(home)).toEqual([
    expect.stringMatching(new RegExp(`request\\.decided ${word} ${request.id} \\S+ .*Bash: touch demo`)),
  ]);
});

test.each([
  [["answer", "lead", "2"], "Blue"],
  [["answer", "lead", "a pale green"], "a pale green"],
])("a question is answered by %j", async (args, answer) => {
  const { home, agent, asks, typed } = await hooked();
  const { request } = await asks("go [choose Which colour? | Red | Blue]");
  const keys = typed();
  expect(request.questions).toMatchObject([{ text: "Which colour?", options: ["Red", "Blue"] }]);
  expect(hivemind(home, args)).toMatchObject({ code: 0, stderr: "" });
  await agent.becomes("idle");
  expect(records(agent)).toContain(`\\"Which colour?\\"=\\"${answer}\\"`);
  expect(typed()).toBe(keys);
});

test("status, next and the inbox show the request itself", async () => {
  const { home, asks, agent } = await hooked();
  const { request, who } = await asks();
  expect(who).toBe("lead");
  expect(request).toMatchObject({ tool: "Bash", line: "touch demo", lines: ["touch demo"], isPlain: true });
  expect(hivemind(home, ["status"]).stdout).toContain("waiting: Bash: touch demo");
  expect(hivemind(home, ["next"]).stderr).toContain("Bash: touch demo");
  expect(hivemind(home, ["inbox", "nosuch"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/there is no team "nosuch"/),
  });
  expect(hivemind(home, ["inbox"]).stdout).toMatch(
    new RegExp(`lead.*asks to use Bash[\\s\\S]*│ touch demo\\n.*hivemind approve ${request.id}`),
  );
  expect(hivemind(home, ["approve", request.id]).code).toBe(0);
  await agent.becomes("idle");
});

test("without hooks the conversation still says what the dialog is about, and keys answer it", async () => {
  const { home, agent } = await startLogged();
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  agent.type("go [ask]\r");
  await agent.becomes("waiting");
  expect(hivemind(home, ["status"]).stdout).toContain("waiting: Bash: touch demo");
  expect(itemsIn(home)).toMatchObject([{ kind: "dialog", who: "lead", about: "Bash: touch demo" }]);
  expect(hivemind(home, ["inbox"]).stdout).toMatch(/Do you want to proceed\?[\s\S]*hivemind approve %0/);
  for (const words of [
    ["approve", "lead", "--always"],
    ["reject", "lead", "why"],
    ["answer", "lead", "blue"],
  ])
    expect(hivemind(home, words)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("hooks install"),
    });
  expect(hivemind(home, ["answer", "lead", "1"])).toMatchObject({ code: 0 });
  await agent.becomes("idle");
  expect(eventsOf(home)).toEqual([expect.stringMatching(/request\.decided chosen - \S+ .*1\. Yes/)]);
});

test("[DC1] the person at the terminal can answer first; the request is gone then, and its hook is ended", async () => {
  const { home, agent, asks, folder } = await hooked();
  const { request } = await asks();
  agent.press("1");
  await agent.becomes("idle");
  expect(itemsIn(home)).toEqual([]);
  expect(hivemind(home, ["approve", request.id])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is gone/),
  });
  expect(hivemind(home, ["approve", "lead"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/idle/),
  });
  expect(eventsOf(home)).toEqual([]);
  agent.type("once more [ask]\r");
  await until("another request", () => {
    const [only, ...more] = requestsIn(home);
    return more.length === 0 && only !== undefined && only.request.id !== request.id;
  });
  expect(hivemind(home, ["reject", "lead"]).code).toBe(0);
  // A hook that waits for nobody is ended by the watcher, once it is a few seconds old.
  await until("the end of the first hook", () => {
    hivemind(home, ["watch", "--once"]);
    return readdirSync(folder).length === 0;
  });
});

test("[DC1] a request that was replaced after it was shown is refused, and nothing is decided", async () => {
  const { home, agent, asks, folder } = await hooked();
  const { request } = await asks();
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith(".json"))!);
  writeFileSync(file, readFileSync(file, "utf8").replace("touch demo", "touch other"));
  expect(hivemind(home, ["approve", request.id])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is gone: it changed/),
  });
  // Also by its new id: the conversation and the hook know better.
  const [replaced] = requestsIn(home);
  expect(replaced?.request.line).toBe("touch other");
  expect(hivemind(home, ["approve", replaced!.request.id])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/its conversation asks for something else/),
  });
  expect(records(agent)).not.toContain("hook_permission_decision");
  expect(agent.registry()?.status).toBe("waiting");
  expect(eventsOf(home)).toEqual([]);
  // The dialog decides, as ever.
  expect(hivemind(home, ["option", "lead", "1"])).toMatchObject({ code: 0 });
});

test("[DC2] an answer that the conversation does not show yet is reported as such", async () => {
  const { home, asks, agent } = await hooked();
  const { request } = await asks();
  const limits = { decideProofMs: 500 };
  const [{ hook }] = openStores(home.env).requests.read() as [RequestFile];
  // A stopped hook hands nothing on, however slow the command is.
  process.kill(hook, "SIGSTOP");
  const handed = hivemind(home, ["approve", request.id], { limits });
  process.kill(hook, "SIGCONT");
  expect(handed).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/handed to lead, but its conversation does not show it yet/),
  });
  expect(eventsOf(home)).toHaveLength(1);
  await agent.becomes("idle");
  expect(records(agent)).toContain("hook_permission_decision");
});

test("--all shows every request, asks, and leaves out what could hide something", async () => {
  const { home, asks, agent, folder } = await hooked();
  const { request } = await asks();
  expect(hivemind(home, ["approve", "--all"])).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(new RegExp(`${request.id}  lead  Bash\\n  │ touch demo`)),
    stderr: expect.stringMatching(/would approve 1 request\n.*--yes/),
  });
  const file = join(folder, readdirSync(folder).find((name) => name.endsWith(".json"))!);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("touch demo", "touch \\u202e demo"));
  expect(hivemind(home, ["inbox"]).stdout).toMatch(/touch � demo\n.*invisible characters/);
  expect(hivemind(home, ["approve", "--all", "--yes"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/left out: req-\S+ of lead \(it has characters/),
  });
  writeFileSync(file, text);
  expect(hivemind(home, ["approve", "--all", "--yes"])).toMatchObject({ code: 0 });
  await agent.becomes("idle");
  for (const words of [
    ["approve", "lead", "--all"],
    ["approve", "--all", "--always"],
    ["approve"],
    ["approve", "lead", "--rule", "1"],
  ])
    expect(hivemind(home, words).code, words.join(" ")).toBe(2);
});

test("the inbox also has limits, failed turns, crashes and messages that did not arrive", async () => {
  const home = testHome();
  const agents = ["limit", "error", "crash"].map((name) => startAgent(home, ["-n", name]));
  for (const agent of agents) await agent.becomes("idle");
  for (const [at, word] of ["[limit]", "[error]", "[crash]"].entries()) agents[at]!.type(`go ${word}\r`);
  const kinds = await until("all three", () => {
    const items = itemsIn(home);
    return items.length === 3 ? items.map(({ kind }) => kind).toSorted() : null;
  });
  expect(kinds).toEqual(["crashed", "error", "limited"]);
  expect(hivemind(home, ["inbox"]).stdout).toMatch(/crashed\n.*agent restart/);
});
