import { expect, test } from "vitest";
import { hivemind } from "../command.js";
import { texts } from "../demo-agent/driver.js";
import { startLogged } from "../demo-agent/logged.js";
import { until } from "../home.js";

/** A demo agent that is registered as `lead`, and whose last turn failed. */
async function failedLead() {
  const logged = await startLogged();
  const { home, agent } = logged;
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  agent.type("go [error]\r");
  await agent.sees("API Error");
  await agent.becomes("idle");
  const said = () => texts(agent.transcript(), "user");
  return { ...logged, said, run: (...args: string[]) => hivemind(home, args) };
}

test("[MT4] a message for an agent after a failed turn stays queued, and the output says how to continue", async () => {
  const { run, said } = await failedLead();
  expect(run("send", "lead", "first")).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(
      /: its last turn failed \(API Error: 500 .*hivemind release team\d+:0\.0; queued \(1st\)/,
    ),
  });
  expect(said()).toEqual(["go [error]"]);
});

test("[MT4] a release delivers the next message, and the rest follows after an answer", async () => {
  const { run, said, agent } = await failedLead();
  for (const text of ["first", "second"]) expect(run("send", "lead", text).code).toBe(4);
  const released = run("release", "lead");
  expect(released.stdout).toMatch(/is released\n.* delivered (?:1 message|2 messages)\n/);
  await until("both", () => {
    run("queue", "drain", "lead");
    return said().length === 3;
  });
  await agent.becomes("idle");
  expect(said()).toEqual(["go [error]", "first", "second"]);
});

test("[MT4] the queue continues by itself after the agent has answered a person", async () => {
  const { run, said, agent } = await failedLead();
  expect(run("send", "lead", "first").code).toBe(4);
  expect(run("queue", "drain", "lead").code).toBe(4);
  agent.type("are you well?\r");
  await until("the answer", () => said().includes("are you well?"));
  await agent.becomes("idle");
  expect(run("queue", "drain", "lead")).toMatchObject({ code: 0 });
  await until("the message", () => said().at(-1) === "first");
});

test("[MT4] a turn that fails again keeps the rest of the queue", async () => {
  const { run, said, agent } = await failedLead();
  for (const text of ["once more [error]", "second"]) expect(run("send", "lead", text).code).toBe(4);
  expect(run("release", "lead").stdout).toContain("delivered");
  await until("the second failure", () => said().includes("once more [error]"));
  await agent.becomes("idle");
  expect(run("queue", "drain", "lead")).toMatchObject({ code: 4, stdout: expect.stringContaining("failed") });
  expect(said()).not.toContain("second");
});

test("a release with nothing to deliver says so", async () => {
  const { run } = await failedLead();
  expect(run("release", "lead")).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("its last turn failed and no message is queued"),
  });
});

test("the wait for a message ends when its turn fails", async () => {
  const { run, agent } = await failedLead();
  agent.type("are you well?\r");
  await until("the answer", () => texts(agent.transcript(), "user").includes("are you well?"));
  await agent.becomes("idle");
  const ran = run("send", "lead", "--wait", "--timeout", "20", "and now [error]");
  expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("its turn failed: API Error: 500") });
});
