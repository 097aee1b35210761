import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHive } from "../../src/hive/hive.js";
import { limits } from "../../src/limits.js";
import { demoAgent, hivemind, mainProgram } from "../command.js";
import { letters, texts } from "../demo-agent/driver.js";
import { startLogged } from "../demo-agent/logged.js";
import { type TestHome, until } from "../home.js";
import { agentIn } from "./known.js";

/** A team with the logged agent, a second agent and a shell. */
async function team() {
  const logged = await startLogged();
  const { home, agent } = logged;
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  const name = home.tmux("display-message", "-p", "-t", agent.pane, "#{session_name}").trim();
  const second = home
    .tmux(
      "split-window",
      "-d",
      "-P",
      "-F",
      "#{pane_id}",
      "-t",
      agent.pane,
      "env",
      process.execPath,
      demoAgent,
      "-n",
      "dev",
    )
    .trim();
  home.tmux("split-window", "-d", "-t", agent.pane, "cat");
  await until("its box", () => screen(home, second).includes("❯\u00a0"));
  await until("its word", () => hivemind(home, ["wait", second, "--timeout", "0"]).code === 0);
  return { ...logged, name, second };
}

const screen = (home: TestHome, pane: string) => home.tmux("capture-pane", "-p", "-t", pane);

test("a broadcast reaches every agent of the team, and no shell", async () => {
  const { home, agent, name, second } = await team();
  const ran = hivemind(home, ["broadcast", name, "we stop", "at five"]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout.match(/delivered/g)).toHaveLength(2);
  await until("its record", () => texts(agent.transcript(), "user").includes("we stop at five"));
  await until("the other's answer", () => screen(home, second).includes("Heard: we stop at five"));
});

test("an agent does not get its own broadcast, and the others see its name", async () => {
  const { home, agent, name, second } = await team();
  const [go, told] = [join(home.root, "go"), join(home.root, "told")];
  execFileSync("mkfifo", [go]);
  const tells = `(read x < ${go}; ${process.execPath} ${mainProgram} broadcast ${name} hello) > ${told} 2>&1`;
  const teller = home
    .tmux(
      ...["split-window", "-d", "-P", "-F", "#{pane_id} #{session_name}:0.#{pane_index}", "-t", second],
      `${tells} & exec ${process.execPath} ${demoAgent} -n teller`,
    )
    .trim()
    .split(" ");
  await until("its word", () => hivemind(home, ["wait", teller[0]!, "--timeout", "0"]).code === 0);
  writeFileSync(go, "\n");
  const said = `[@unnamed ${teller[1]}] hello`;
  await until("its record", () => letters(agent.transcript()).includes(said));
  await until("both answers", () => readFileSync(told, "utf8").match(/delivered/g)?.length === 2);
  expect(readFileSync(told, "utf8")).not.toContain(teller[1]);
});

test("an agent at a dialog is refused, the others get the message, and the exit code is the worst", async () => {
  const { home, agent, name, second } = await team();
  agent.type("go [ask]\r");
  await agent.becomes("waiting");
  const ran = hivemind(home, ["broadcast", "--team", name, "hello"]);
  expect(ran).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/refused: its agent is waiting for an answer/),
  });
  await until("the other's answer", () => screen(home, second).includes("Heard: hello"));
});

test("an agent with a full queue is refused, and the others get the message (incident 42)", async () => {
  const { home, agent, name, second } = await team();
  const hive = openHive({ env: home.env });
  const { id } = await agentIn(hive, agent.pane);
  const { queues } = hive.stores;
  const now = Math.floor(Date.now() / 1000);
  const rows = Array.from({ length: limits.queueRows }, () => `${now}|inform|x\n`);
  mkdirSync(queues.folder, { recursive: true });
  writeFileSync(queues.fileOf(id), rows.join(""));
  const ran = hivemind(home, ["broadcast", name, "hello"]);
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(/refused: the queue is full/) });
  await until("the other's answer", () => screen(home, second).includes("Heard: hello"));
  expect(texts(agent.transcript(), "user")).toEqual([]);
});

test("a broadcast without a team outside tmux asks for one", async () => {
  const { home } = await startLogged();
  expect(hivemind(home, ["broadcast", "hello", "all"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/which team\?/),
  });
});

test.each([
  ["words", ["write", "tests, then report"], "write tests, then report\n"],
  ["a file", ["plan.md"], "the plan\nin lines\n"],
  ["stdin", ["-"], "from stdin\n"],
])("delegate keeps %s as a task file, and sends one line that points to it", async (_, words, content) => {
  const { home, agent } = await startLogged();
  writeFileSync(join(home.work, "plan.md"), "the plan\nin lines\n");
  const ran = hivemind(home, ["delegate", agent.pane, ...words], { input: "from stdin\n" });
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  const path = ran.stdout.split("\n")[1]!;
  expect(readFileSync(path, "utf8")).toBe(content);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  await until("its record", () => texts(agent.transcript(), "user").length === 1);
  expect(texts(agent.transcript(), "user")[0]).toBe(`Your task is in ${path}: read it and do it.`);
});

test("an undelivered task is kept and its path printed; an invalid path is refused", async () => {
  const { home, agent } = await startLogged();
  agent.type("go [ask]\r");
  await agent.becomes("waiting");
  expect(hivemind(home, ["delegate", agent.pane, "do", "it"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/hivemind kept the task: \S+hivemind\.tasks/),
  });
  expect(hivemind(home, ["delegate", agent.pane, "no/such.md"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be read/),
  });
});
