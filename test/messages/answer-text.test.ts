import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { hivemind, json, mainProgram } from "../command.js";
import { startLogged } from "../demo-agent/logged.js";
import { until } from "../home.js";

async function lead() {
  const logged = await startLogged();
  hivemind(logged.home, ["registry", "set", logged.agent.pane, "lead"]);
  return logged;
}

interface Sent {
  outcome: string;
  answered: boolean | null;
  answer: string | null;
}

test("send --wait prints the answer and nothing else on stdout", async () => {
  const { home } = await lead();
  const sent = hivemind(home, ["send", "lead", "--wait", "how many tests?"]);
  expect(sent).toMatchObject({ code: 0, stdout: "Heard: how many tests?\n" });
  expect(sent.stderr).toMatch(/^delivered to lead\n$/);
});

test("send --wait --quiet prints the outcome of the message, as before", async () => {
  const { home } = await lead();
  const { code, stdout, stderr } = hivemind(home, ["send", "lead", "--wait", "--quiet", "hello"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^delivered to lead\nlead answered\n$/);
});

test("send --json has the answer with --wait, and null without", async () => {
  const { home } = await lead();
  expect(json<Sent>(home, ["send", "lead", "--wait", "hello"])).toMatchObject({
    outcome: "delivered",
    answered: true,
    answer: "Heard: hello",
  });
  expect(json<Sent>(home, ["send", "lead", "again"])).toMatchObject({ answered: null, answer: null });
});

test("each of two messages has the answer of its own turn", async () => {
  const { home } = await lead();
  expect(hivemind(home, ["send", "lead", "--wait", "one"]).stdout).toBe("Heard: one\n");
  expect(hivemind(home, ["send", "lead", "--wait", "two"]).stdout).toBe("Heard: two\n");
  expect(hivemind(home, ["send", "lead", "--wait", "one"]).stdout).toBe("Heard: one\n");
});

test("the answer to a queued message is printed after its delivery", async () => {
  const { home, agent } = await lead();
  agent.type("go [hold]\r");
  await agent.becomes("busy");
  const child = spawn(process.execPath, [mainProgram, "send", "lead", "--wait", "and now?"], {
    env: home.env,
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const ended = once(child, "close");
  await until("the queue", () => hivemind(home, ["queue", "list", "lead"]).stdout.includes("and now?"));
  process.kill(agent.pid, "SIGUSR2");
  expect(await ended).toEqual([0, null]);
  expect(stdout).toBe("Heard: and now?\n");
});

test.each([
  ["go [error]", /its turn failed: API Error: 500/],
  ["go [limit]", /its turn failed: You've hit your/],
  ["go [crash]", /no answer will come/],
])("a turn without an answer is exit 1 and prints nothing on stdout: %s", async (text, why) => {
  const { home } = await lead();
  expect(hivemind(home, ["send", "lead", "--wait", text])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(why),
  });
});

test("a turn that a person interrupts is exit 1, and JSON says that there is no answer", async () => {
  const { home, agent } = await lead();
  const child = spawn(process.execPath, [mainProgram, "send", "lead", "--wait", "--json", "go [ask]"], {
    env: home.env,
  });
  let stdout = "";
  child.stdout.on("data", (chunk) => {
    stdout += chunk;
  });
  const ended = once(child, "close");
  await agent.becomes("waiting");
  expect(hivemind(home, ["reject", "lead"]).code).toBe(0);
  expect(await ended).toEqual([1, null]);
  expect(JSON.parse(stdout)).toMatchObject({ answered: false, answer: null });
});

test("a client command has no answer, and the output says so", async () => {
  const { home } = await lead();
  expect(hivemind(home, ["send", "lead", "--wait", "/rename other"])).toMatchObject({
    code: 0,
    stdout: "",
    stderr: expect.stringMatching(/lead answered without words/),
  });
});

test("--quiet and --timeout without --wait are wrong usage", async () => {
  const { home } = await lead();
  for (const option of [["--quiet"], ["--timeout", "5"]])
    expect(hivemind(home, ["send", "lead", ...option, "hello"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`${option[0]} needs --wait`),
    });
});
