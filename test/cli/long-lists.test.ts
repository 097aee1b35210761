// What grows without end is listed in parts: the pages of a conversation, a context over time, messages with receipts.

import { expect, test } from "vitest";
import { hivemind, json } from "../command.js";
import { startAgent } from "../demo-agent/driver.js";
import { testHome } from "../home.js";

const uuid = "15533422-8bdb-5079-8420-efcdb81dd2e5";

interface Page {
  session: { id: string; messages: number };
  messages: { place: number; role: string; blocks: { text: string }[]; at: string }[];
  before: number | null;
  total: number;
}

test("a conversation is exported page by page, from its end", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", uuid]);
  await agent.becomes("idle");
  for (const word of ["one", "two", "three"]) await agent.say(word);
  const whole = json<Page>(home, ["sessions", "export", uuid]);
  const page = (...more: string[]) => json<Page>(home, ["sessions", "export", uuid, "--count", "2", ...more]);
  const last = page();
  expect(last.session).toMatchObject({ id: uuid, messages: 6 });
  expect(last.messages.map(({ place: _, ...message }) => message)).toEqual(whole.messages.slice(-2));
  const found = [last];
  while (found[0]!.before !== null) found.unshift(page("--before", String(found[0]!.before)));
  const all = found.flatMap(({ messages }) => messages);
  expect(all.map(({ place: _, ...message }) => message)).toEqual(whole.messages);
  expect(all.every(({ place }, at) => at === 0 || place > all[at - 1]!.place)).toBe(true);

  for (const [args, why] of [
    [["--count", "5"], /--count goes with --json/],
    [["--json", "--count", "0"], /not a number of messages/],
    [["--json", "--before", "7"], /--before needs --count/],
    [["--json", "--count", "5", "--before", "-7"], /not a place|argument missing/],
    [["--json", "--count", "5", "--out", "x"], /not with --out/],
  ] as const)
    expect(hivemind(home, ["sessions", "export", uuid, ...args])).toMatchObject({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(why),
    });
});

test("a context over time has every answer and every compaction", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", uuid, "--model", "opus[1m]", "-n", "lead"]);
  await agent.becomes("idle");
  const past = () => json(home, ["context", uuid, "--history"]);
  await agent.say("one [usage 100000]");
  await agent.say("two [usage 400000]");
  await agent.say("/compact");
  await agent.say("three [usage 20000]");
  const answers = agent.transcript()!.filter(({ type, message }) => type === "assistant" && message.usage);
  expect(past()).toMatchObject({
    uuid,
    window: 1_000_000,
    points: [{ used: 100_000 }, { used: 400_000 }, { used: 20_000, at: answers.at(-1)!.timestamp }],
    compactions: [{ at: expect.any(String) }],
  });
  const { stdout } = hivemind(home, ["context", agent.pane, "--history"]);
  expect(stdout).toMatch(
    /^TIME +USED +PERCENT\n\S+Z +100000 +10 %\n\S+Z +400000 +40 %\n\S+Z +compacted *\n\S+Z +20000 +2 %\n/,
  );
  expect(hivemind(home, ["context", "--history"])).toMatchObject({ code: 2 });
});

test("an agent that has not answered has an empty history, and an unknown one is refused", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", uuid]);
  await agent.becomes("idle");
  expect(json(home, ["context", agent.pane, "--history"])).toMatchObject({
    uuid,
    points: [],
    compactions: [],
  });
  expect(hivemind(home, ["context", agent.pane, "--history"]).stdout).toBe("No answer yet.\n");
  expect(hivemind(home, ["context", "nobody", "--history"])).toMatchObject({ code: 1, stdout: "" });
});

test("the messages of an agent are listed with their receipts", async () => {
  const home = testHome();
  const agent = startAgent(home, ["-n", "lead"]);
  await agent.becomes("idle");
  expect(json(home, ["queue", "list", agent.pane, "--receipts"])).toMatchObject({ messages: [] });
  expect(hivemind(home, ["queue", "list", agent.pane, "--receipts"]).stdout).toBe("No messages lately.\n");
  hivemind(home, ["registry", "set", agent.pane, "lead"]);
  hivemind(home, ["send", "lead", "--wait", "hello"]);
  hivemind(home, ["hold", "lead"]);
  hivemind(home, ["send", "lead", "later"]);
  expect(json(home, ["queue", "list", "lead", "--receipts"])).toMatchObject({
    role: "lead",
    standing: "present",
    messages: [
      {
        direction: "received",
        with: { kind: "person", agent: null },
        text: null,
        door: "keys",
        step: "answered",
        steps: [{ step: "queued" }, { step: "typing" }, { step: "accepted" }, { step: "answered" }],
      },
      { text: "later", door: null, step: "queued", steps: [{ step: "queued" }] },
    ],
  });
  expect(hivemind(home, ["queue", "list", "lead", "--receipts"]).stdout).toMatch(
    /^from \S+\n {2}\S+Z {2}queued\n[\s\S]* {2}answered.*\nfrom \S+ {2}later\n {2}\S+Z {2}queued\n$/,
  );
  expect(hivemind(home, ["queue", "list", "--receipts"])).toMatchObject({ code: 2 });
});
