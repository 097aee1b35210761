import { expect, test } from "vitest";
import { testHome, until } from "../home.js";
import { readTranscript, runAgent, startAgent, texts } from "./driver.js";

const P = "11111111-1111-4111-8111-111111111111";
const C = "22222222-2222-4222-8222-222222222222";

const messages = (records: ReturnType<typeof readTranscript>) =>
  (records ?? []).filter((record) => "uuid" in record);

test("/clear continues under a new id in the same process, with the old title and no copies", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", P, "-n", "mgr"]);
  await agent.becomes("idle");
  await agent.say("one");
  await agent.say("/clear");
  const { sessionId, name } = agent.registry()!;
  expect(sessionId).not.toBe(P);
  expect(name).toBe("mgr");
  await agent.say("two");
  const records = agent.transcript()!;
  expect(records[0]).toMatchObject({ type: "custom-title", customTitle: "mgr", sessionId });
  // A note to the model comes first; the first typed message is the command.
  expect(messages(records)[0]).toMatchObject({ isMeta: true });
  expect(messages(records)[1]!.message.content).toContain("<command-name>/clear</command-name>");
  expect(texts(records, "user").slice(2)).toEqual(["two"]);
  expect(records.findLast(({ type }) => type === "assistant")).toMatchObject({ session_id: P, sessionId });
  expect(texts(readTranscript(home, home.work, P), "user")).toEqual(["one"]);
  expect(agent.screen()).not.toContain("● Heard: one");
});

test("DEMO_STALE_REGISTRY keeps the old id in the registry after /clear (incident 31)", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", P], { env: { DEMO_STALE_REGISTRY: "1" } });
  await agent.becomes("idle");
  await agent.say("one");
  await agent.say("/clear");
  await agent.say("two");
  expect(agent.registry()).toMatchObject({ sessionId: P, status: "idle" });
  expect(texts(readTranscript(home, home.work, P), "user")).toEqual(["one"]);
});

test.each([
  ["/branch side", "side"],
  ["/branch", "one (Branch)"],
])("%s copies the conversation with the origin of each record", async (command, name) => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", P, "-n", "mgr"]);
  await agent.becomes("idle");
  await agent.say("one");
  await agent.say(command);
  const entry = agent.registry()!;
  expect(entry).toMatchObject({ name });
  expect(entry.sessionId).not.toBe(P);
  const parent = messages(readTranscript(home, home.work, P));
  const child = messages(agent.transcript());
  expect(child.slice(0, parent.length).map(({ uuid, forkedFrom }) => [uuid, forkedFrom])).toEqual(
    parent.map(({ uuid }) => [uuid, { sessionId: P, messageUuid: uuid }]),
  );
  await agent.say("two");
  const answer = agent.transcript()!.findLast(({ type }) => type === "assistant");
  expect(answer).toMatchObject({ session_id: P, sessionId: entry.sessionId });
  expect(answer).not.toHaveProperty("forkedFrom");
});

test("/resume continues another conversation of this folder, and reports a missing one", async () => {
  const home = testHome();
  runAgent(home, ["-p", "--session-id", C, "-n", "other", "there"]);
  const agent = startAgent(home, ["--session-id", P]);
  await agent.becomes("idle");
  await agent.say(`/resume ${P}`);
  await agent.sees(`Session ${P} was not found.`);
  await agent.say(`/resume ${C}`);
  expect(agent.registry()).toMatchObject({ sessionId: C, name: "other" });
  expect(agent.title()).toBe("✳ other");
  await agent.say("again");
  expect(texts(agent.transcript(C), "user")).toEqual(["there", "again"]);
});

test("/rename appends a title, and the pane and the registry follow", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", P, "-n", "old"]);
  await agent.becomes("idle");
  await agent.say("one");
  await agent.say("/rename new name");
  expect(agent.registry()).toMatchObject({ name: "new name" });
  await until("the title", () => agent.title() === "✳ new name");
  await agent.sees(/─ new name ──\n/);
  const titles = agent.transcript()!.filter(({ type }) => type === "custom-title");
  expect(titles.map(({ customTitle }) => customTitle)).toEqual(["old", "new name"]);
});

test("/rename before the first message creates the transcript; until then the name is derived from the folder", async () => {
  const agent = startAgent(testHome());
  expect(await agent.becomes("idle")).toMatchObject({
    name: expect.stringMatching(/^work-[0-9a-f]{2}$/),
    nameSource: "derived",
  });
  await agent.say("/rename early");
  expect(agent.registry()).toMatchObject({ name: "early", nameSource: "user" });
  expect(agent.transcript()![0]).toMatchObject({ type: "custom-title", customTitle: "early" });
});

test("a conversation with an unanswered message gets an empty answer before it continues", async () => {
  const home = testHome();
  const first = startAgent(home, ["--session-id", P]);
  await first.becomes("idle");
  await first.say("one");
  await first.say("/rename mgr");
  first.press("C-d");
  await first.exitCode();
  const second = startAgent(home, ["--resume", P]);
  await second.becomes("idle");
  await second.say("two");
  const models = messages(second.transcript(P)).flatMap(({ message }) => message?.model ?? []);
  expect(models).toEqual(["claude-opus-4-8", "<synthetic>", "claude-opus-4-8"]);
});

test("forks of a compacted conversation begin at the compaction", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", P]);
  await agent.becomes("idle");
  await agent.say("one");
  await agent.say("two");
  await agent.say("/compact");
  await agent.say("more");
  const fork = startAgent(home, ["--resume", P, "--fork-session", "--session-id", C]);
  await fork.becomes("idle");
  await fork.say("three");
  const records = messages(fork.transcript(C));
  expect(records[0]).toMatchObject({ subtype: "compact_boundary" });
  expect(texts(records, "assistant")).toEqual(["Heard: two", "Heard: more", "Heard: three"]);
});

test("/compact refuses a conversation with too few messages", async () => {
  const agent = startAgent(testHome(), ["--session-id", P]);
  await agent.becomes("idle");
  await agent.say("/compact");
  await agent.sees("Not enough messages to compact.");
  expect(agent.transcript(P)!.some((record) => record.isCompactSummary === true)).toBe(false);
});

test.each([
  ["2.1.325", true],
  ["2.0.14", false],
])("/compact on %s keeps the session id: %s", async (version, keepsId) => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", P, "-n", "mgr"], { env: { DEMO_VERSION: version } });
  await agent.becomes("idle");
  await agent.say("one [usage 150000]");
  await agent.say("/compact");
  expect(agent.registry()!.sessionId === P).toBe(keepsId);
  expect(agent.registry()).toMatchObject({ name: "mgr" });
  const [boundary, summary] = messages(agent.transcript()).slice(-5);
  expect(boundary).toMatchObject({ type: "system", subtype: "compact_boundary" });
  expect(summary).toMatchObject({ type: "user", isCompactSummary: true });
  await agent.say("two");
  const { usage } = agent.transcript()!.findLast(({ type }) => type === "assistant")!.message;
  expect(usage.cache_read_input_tokens).toBeLessThan(20_000);
});

test.each([
  ["2.0.14", ` Session ID: ${P}`],
  ["2.1.197", " Session name: mgr"],
])("/status on %s shows%s until Escape", async (version, line) => {
  const agent = startAgent(testHome(), ["--session-id", P, "-n", "mgr"], { env: { DEMO_VERSION: version } });
  await agent.becomes("idle");
  agent.type("/status");
  agent.press("Enter");
  expect(await agent.becomes("waiting")).toMatchObject({ waitingFor: "dialog open" });
  expect(agent.screen()).toContain(line);
  agent.press("Escape");
  expect(await agent.becomes("idle")).not.toHaveProperty("waitingFor");
  expect(agent.screen()).toContain("❯\u00a0\n");
});

test("/model changes the model of the answers, and an unknown command is reported", async () => {
  const agent = startAgent(testHome(), ["--model", "sonnet"]);
  await agent.becomes("idle");
  await agent.say("one");
  await agent.say("/model opus[1m]");
  await agent.say("two");
  const models = messages(agent.transcript()).flatMap(({ message }) => message?.model ?? []);
  expect(models).toEqual(["claude-sonnet-4-5", "claude-opus-4-8"]);
  await agent.say("/nonsense");
  await agent.sees("Unknown command: /nonsense");
});

test("older versions write neither session_id nor the newer registry fields", async () => {
  const agent = startAgent(testHome(), ["-n", "mgr"], { env: { DEMO_VERSION: "2.1.197" } });
  const entry = await agent.becomes("idle");
  for (const field of ["tmux", "pidDomain", "nameSource"]) expect(entry).not.toHaveProperty(field);
  await agent.say("one");
  expect(agent.transcript()!.some((record) => "session_id" in record)).toBe(false);
});
