import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome, until } from "../home.js";
import { readTranscript, startAgent, texts } from "./driver.js";

const P = "11111111-1111-4111-8111-111111111111";

test.each([
  ["2.1.197", /^[⠐⠂] mgr$/],
  ["2.1.325", /^✳ mgr$/],
])("while it works, screen and registry show it, and on %s the title is %s", async (version, busyTitle) => {
  const agent = startAgent(testHome(), ["-n", "mgr"], { env: { DEMO_VERSION: version } });
  await agent.becomes("idle");
  expect(agent.screen()).toContain("? for shortcuts");
  agent.type("hello [busy 60000]");
  agent.press("Enter");
  await agent.becomes("busy");
  expect(agent.screen()).toContain("esc to interrupt");
  expect(agent.screen()).not.toContain("? for shortcuts");
  expect(agent.title()).toMatch(busyTitle);
  agent.press("Escape");
  await agent.becomes("idle");
  expect(agent.screen()).not.toContain("esc to interrupt");
  expect(agent.title()).toBe("✳ mgr");
});

test("an interrupted turn is recorded as such and has no answer (incident 40)", async () => {
  const agent = startAgent(testHome());
  await agent.becomes("idle");
  agent.type("hello [busy 60000]");
  agent.press("Enter");
  await until("its record", () => texts(agent.transcript(), "user").length === 1);
  agent.press("Escape");
  await agent.becomes("idle");
  await agent.sees("Interrupted");
  expect(texts(agent.transcript(), "user")).toEqual(["hello [busy 60000]", "[Request interrupted by user]"]);
  expect(texts(agent.transcript(), "assistant")).toEqual([]);
});

test("a message entered while it works is queued, then handled", async () => {
  const agent = startAgent(testHome(), [], { env: { DEMO_ANSWER_MS: "2000" } });
  await agent.becomes("idle");
  agent.type("first\r");
  await until("its record", () => texts(agent.transcript(), "user").length === 1);
  agent.type("second\r");
  await agent.sees("❯\u00a0Press up to edit queued messages");
  await until("both answers", () => texts(agent.transcript(), "assistant").length === 2);
  expect(texts(agent.transcript(), "user")).toEqual(["first", "second"]);
  const steps = agent.transcript()!.filter(({ type }) => ["queue-operation", "user"].includes(type));
  expect(
    steps.map(({ operation, content, message }) => operation ?? message.content + (content ?? "")),
  ).toEqual([...["first", "enqueue", "dequeue", "second"]]);
  expect(steps[1]).toMatchObject({ content: "second" });
});

test.each(["Up", "Escape"])("%s brings queued messages back into the box", async (key) => {
  const agent = startAgent(testHome());
  await agent.becomes("idle");
  agent.type("first [busy 60000]");
  agent.press("Enter");
  await agent.becomes("busy");
  agent.type("second");
  agent.press("Enter");
  await agent.sees("Press up to edit queued messages");
  agent.press(key);
  await agent.sees("❯\u00a0second");
  expect(
    agent
      .transcript()!
      .filter(({ type }) => type === "queue-operation")
      .map(({ operation }) => operation),
  ).toEqual([...["enqueue", "popAll"]]);
});

test.each([
  ["1", true],
  ["2", true],
  ["3", false],
  ["Enter", true],
  ["Escape", false],
])("a permission prompt waits, and %s continues: %s", async (key, goesOn) => {
  const agent = startAgent(testHome());
  await agent.becomes("idle");
  agent.type("please [ask]");
  agent.press("Enter");
  expect(await agent.becomes("waiting")).toMatchObject({ waitingFor: "permission prompt" });
  expect(agent.screen()).toMatch(
    /Do you want to proceed\?\n ❯ 1\. Yes\n {3}2\. Yes, and don't ask again.*\n {3}3\. No\n/,
  );
  expect(agent.screen()).not.toContain("❯\u00a0");
  expect(agent.title()).toBe("✳ Claude Code");
  agent.press(key);
  expect(await agent.becomes("idle")).not.toHaveProperty("waitingFor");
  expect(agent.screen().includes("● Heard: please")).toBe(goesOn);
  expect(texts(agent.transcript(), "user").includes("[Request interrupted by user for tool use]")).toBe(
    !goesOn,
  );
});

test("after `don't ask again` it does not ask again", async () => {
  const agent = startAgent(testHome());
  await agent.becomes("idle");
  agent.type("one [ask]");
  agent.press("Enter");
  await agent.becomes("waiting");
  agent.press("2");
  await agent.sees("● Heard: one");
  await agent.say("two [ask]");
  await agent.sees("● Heard: two");
});

test("text pasted into a dialog is lost and chooses nothing (incident 39)", async () => {
  const agent = startAgent(testHome());
  await agent.becomes("idle");
  agent.type("please [ask]");
  agent.press("Enter");
  await agent.becomes("waiting");
  agent.paste("1");
  agent.type("hello");
  agent.press("Down", "Enter");
  await agent.becomes("idle");
  await agent.sees("❯\u00a0\n");
  expect(texts(agent.transcript(), "assistant").at(-1)).toBe("Heard: please");
});

test.each([
  ["[error]", "● API Error: 500"],
  ["[limit]", "⎿  You've hit your 5-hour limit · resets "],
])("%s shows its line, goes idle, and costs nothing", async (message, words) => {
  const agent = startAgent(testHome());
  await agent.becomes("idle");
  await agent.say(message);
  await agent.sees(words);
  const last = agent.transcript()!.findLast(({ type }) => type === "assistant")!;
  expect(last).toMatchObject({
    type: "assistant",
    isApiErrorMessage: true,
    message: { model: "<synthetic>" },
  });
  expect(Object.values(last.message.usage)).toEqual([0, 0, 0, 0]);
});

test("[usage N] sets the context, and it grows from there (incident 25)", async () => {
  const agent = startAgent(testHome());
  await agent.becomes("idle");
  await agent.say("one [usage 250000]");
  await agent.say("two");
  const used = agent
    .transcript()!
    .filter(({ type }) => type === "assistant")
    .map(
      ({ message: { usage } }) =>
        usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
    );
  expect(used[0]).toBe(250_000);
  expect(used[1]).toBeGreaterThan(250_000);
});

test("[crash] ends it with exit 1 and leaves the registry file and the message", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", P]);
  await agent.becomes("idle");
  agent.type("now [crash]");
  agent.press("Enter");
  expect(await agent.exitCode()).toBe(1);
  expect(existsSync(join(home.claude, "sessions", `${agent.pid}.json`))).toBe(true);
  expect(texts(readTranscript(home, home.work, P), "user")).toEqual(["now [crash]"]);
});
