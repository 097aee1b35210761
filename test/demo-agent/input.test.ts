import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome, until } from "../home.js";
import { readLines, startAgent, texts } from "./driver.js";

test("a paste of three lines is one message (incident 47)", async () => {
  const agent = startAgent(testHome());
  await agent.becomes("idle");
  agent.paste("one\ntwo\nthree");
  await agent.sees("❯\u00a0one\n  two\n  three\n");
  agent.press("Enter");
  await agent.sees("● Heard: one two three");
  await until("it is written", () => texts(agent.transcript(), "user").length > 0);
  expect(texts(agent.transcript(), "user")).toEqual(["one\ntwo\nthree"]);
});

test("a paste of 100 kB is one message, whole", async () => {
  const agent = startAgent(testHome());
  await agent.becomes("idle");
  const text = Array.from({ length: 2000 }, (_, index) => `line ${index} ${"é".repeat(20)}`).join("\n");
  agent.paste(text);
  await agent.sees("❯\u00a0[Pasted text #1 +1999 lines]");
  agent.press("Enter");
  await until("its answer", () => texts(agent.transcript(), "assistant").length === 1);
  expect(texts(agent.transcript(), "user")).toEqual([text]);
  await agent.sees("❯\u00a0\n");
});

test("a draft of two lines stays; C-u removes only its last line (incident 46)", async () => {
  const agent = startAgent(testHome());
  await agent.becomes("idle");
  agent.type("one\\");
  agent.press("Enter");
  agent.type("two");
  await agent.sees("❯\u00a0one\n  two\n");
  expect(agent.registry()).toMatchObject({ status: "idle" });
  agent.press("C-u");
  await agent.sees("❯\u00a0one\n\n─");
  agent.press("BSpace", "BSpace");
  await agent.sees("❯\u00a0on\n─");
  expect(agent.transcript()).toBeNull();
});

test("Enter in an empty box does nothing", async () => {
  const home = testHome();
  const keylog = join(home.root, "keys");
  const agent = startAgent(home, [], { env: { DEMO_KEYLOG: keylog } });
  const { updatedAt } = await agent.becomes("idle");
  agent.press("Enter");
  await until("the key", () => readLines(keylog).length === 1);
  expect(agent.registry()).toMatchObject({ updatedAt });
});

test("DEMO_KEYLOG has one line per event", async () => {
  const home = testHome();
  const keylog = join(home.root, "keys");
  const agent = startAgent(home, [], { env: { DEMO_KEYLOG: keylog } });
  await agent.becomes("idle");
  agent.paste("a\nb");
  agent.press("Escape");
  await until("the Escape", () => readLines(keylog).some(({ kind }) => kind === "escape"));
  agent.press("Enter");
  await agent.sees("● Heard: a b");
  const events = readLines(keylog).map(({ at, ...event }) => {
    expect(at).toEqual(expect.any(Number));
    return event;
  });
  expect(events).toEqual([{ kind: "paste", text: "a\nb" }, { kind: "escape" }, { kind: "enter" }]);
});

test("DEMO_SWALLOW_ENTER ignores an Enter that comes too soon, and takes the next (incident 48)", async () => {
  const home = testHome();
  const keylog = join(home.root, "keys");
  const env = { DEMO_SWALLOW_ENTER: "600", DEMO_KEYLOG: keylog };
  const agent = startAgent(home, [], { env });
  await agent.becomes("idle");
  agent.type("hello\r");
  const swallowed = await until("the first Enter", () =>
    readLines(keylog).find(({ kind }) => kind === "enter"),
  );
  expect(agent.transcript()).toBeNull();
  await agent.sees("❯\u00a0hello");
  await until("the time", () => Date.now() - swallowed.at > 600);
  agent.press("Enter");
  await agent.sees("● Heard: hello");
  expect(texts(agent.transcript(), "user")).toEqual(["hello"]);
});

test("DEMO_SUGGESTION is faint, not a draft, and gone after C-u", async () => {
  const agent = startAgent(testHome(), [], { env: { DEMO_SUGGESTION: "Try this" } });
  await agent.becomes("idle");
  expect(agent.styled()).toContain("❯\u00a0\x1b[2mTry this");
  agent.press("Enter");
  agent.type("x");
  await agent.sees("❯\u00a0x\n");
  expect(agent.transcript()).toBeNull();
  agent.press("C-u");
  await agent.sees("❯\u00a0Try this");
  agent.press("C-u");
  await agent.sees("❯\u00a0\n");
});

test("a pane of 27 columns shows the box, the state and long words without breaking (incident 52)", async () => {
  const agent = startAgent(testHome(), ["-n", "teamctl:project:manager"], { columns: 27, rows: 12 });
  await agent.becomes("idle");
  agent.type(`${"a".repeat(60)} [busy 60000]`);
  await agent.sees(/❯\u00a0a{24}\n {2}a{24}\n/);
  agent.press("Enter");
  await agent.becomes("busy");
  expect(agent.screen()).toContain("❯\u00a0\n");
  expect(agent.screen()).toContain("  esc to interrupt\n");
});

test("it survives a change of size, with one box", async () => {
  const home = testHome();
  const agent = startAgent(home, ["-n", "mgr"]);
  await agent.becomes("idle");
  await agent.say("hello");
  agent.type("draft");
  await agent.sees("❯\u00a0draft");
  for (const [columns, rows] of [
    [27, 8],
    [150, 40],
  ]) {
    home.tmux("resize-window", "-t", agent.pane, "-x", String(columns), "-y", String(rows));
    await agent.sees(new RegExp(`^─{${columns! - 7}} mgr ──\n❯\u00a0draft\n─{${columns}}\n`, "m"));
  }
  expect(agent.screen().match(/❯\u00a0/g)).toHaveLength(1);
  expect(agent.screen().match(/● Heard: hello/g)).toHaveLength(1);
});
