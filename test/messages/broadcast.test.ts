import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openHive } from "../../src/hive.js";
import { limits } from "../../src/limits.js";
import type { PaneAddress } from "../../src/names/gates.js";
import { demoAgent, hivemind, mainProgram } from "../command.js";
import { texts } from "../demo-agent/driver.js";
import { startLogged } from "../demo-agent/logged.js";
import { type TestHome, until } from "../home.js";

/** A team of the logged agent, a second one, and a shell. */
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

test("[BC1] a broadcast reaches every agent of the team, and no shell", async () => {
  const { home, agent, name, second } = await team();
  const ran = hivemind(home, ["broadcast", name, "we stop", "at five"]);
  expect(ran).toMatchObject({ code: 0, stderr: "" });
  expect(ran.stdout.match(/delivered/g)).toHaveLength(2);
  await until("its record", () => texts(agent.transcript(), "user").includes("we stop at five"));
  await until("the other's answer", () => screen(home, second).includes("Heard: we stop at five"));
});

test("[BC1] an agent that broadcasts is not told itself, and the others hear who says it", async () => {
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
  await until("its record", () => texts(agent.transcript(), "user").includes(said));
  await until("both answers", () => readFileSync(told, "utf8").match(/delivered/g)?.length === 2);
  expect(readFileSync(told, "utf8")).not.toContain(teller[1]);
});

test("[BC1] one that asks is refused, another still hears it, and the worst is the exit code", async () => {
  const { home, agent, name, second } = await team();
  agent.type("go [ask]\r");
  await agent.becomes("waiting");
  const ran = hivemind(home, ["broadcast", "--team", name, "hello"]);
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(/refused: its agent waits/) });
  await until("the other's answer", () => screen(home, second).includes("Heard: hello"));
});

test("[BC1] one whose queue is full is refused, and another still hears it (incident 42)", async () => {
  const { home, agent, name, second } = await team();
  const { stores } = openHive({ env: home.env });
  const now = Math.floor(Date.now() / 1000);
  const rows = Array.from({ length: limits.queueRows }, () => `${now}|inform|x\n`);
  mkdirSync(stores.queues.folder, { recursive: true });
  writeFileSync(stores.queues.fileOf(`${name}:0.0` as PaneAddress), rows.join(""));
  const ran = hivemind(home, ["broadcast", name, "hello"]);
  expect(ran).toMatchObject({ code: 1, stdout: expect.stringMatching(/refused: the queue is full/) });
  await until("the other's answer", () => screen(home, second).includes("Heard: hello"));
  expect(texts(agent.transcript(), "user")).toEqual([]);
});

test("a broadcast without a team outside tmux asks which", async () => {
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
])(
  "[TF1] delegate keeps %s as a task file, and sends one line that points to it",
  async (_, words, content) => {
    const { home, agent } = await startLogged();
    writeFileSync(join(home.work, "plan.md"), "the plan\nin lines\n");
    const ran = hivemind(home, ["delegate", agent.pane, ...words], { input: "from stdin\n" });
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const path = ran.stdout.split("\n")[1]!;
    expect(readFileSync(path, "utf8")).toBe(content);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await until("its record", () => texts(agent.transcript(), "user").length === 1);
    expect(texts(agent.transcript(), "user")[0]).toBe(`Your task is in ${path}: read it and do it.`);
  },
);

test("[TF1] a task that nobody takes is kept, and said where; a path that is none is refused", async () => {
  const { home, agent } = await startLogged();
  agent.type("go [ask]\r");
  await agent.becomes("waiting");
  expect(hivemind(home, ["delegate", agent.pane, "do", "it"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/the task is kept: \S+hivemind\.tasks/),
  });
  expect(hivemind(home, ["delegate", agent.pane, "no/such.md"])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/cannot be read/),
  });
});
