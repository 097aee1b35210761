import { existsSync, readdirSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { testHome, until } from "../home.js";
import { post, postLines, wrapped } from "../posting.js";
import { type AgentPane, ended, type Json, startAgent, texts } from "./driver.js";

const session = "11111111-1111-4111-8111-111111111111";
const ids = ["2", "3", "4"].map((digit) => "11111111-1111-4111-8111-111111111111".replaceAll("1", digit));

interface Posting {
  agent: AgentPane;
  socket: string;
  /** Posts a wrapped text for the session, and returns when the agent has read it. */
  posts(text: string, id?: string, sessionId?: string): Promise<string>;
}

async function startPosting(
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<Posting> {
  const agent = startAgent(testHome(), ["--session-id", session, "-n", "lead", ...args], { env });
  const socket = (await agent.becomes("idle")).messagingSocketPath;
  const posts = (text: string, id = ids[0]!, sessionId = session) =>
    post(socket, { sessionId, id, content: wrapped(text) });
  return { agent, socket, posts };
}

const operations = (agent: AgentPane) =>
  (agent.transcript() ?? []).flatMap(({ operation }) => (operation === undefined ? [] : [operation]));

const taken = (agent: AgentPane, id = ids[0]!) =>
  until("it taken", () =>
    (agent.transcript() ?? []).find(({ origin, attachment }: Json) =>
      [origin?.msg_id, attachment?.origin?.msg_id].includes(id),
    ),
  );

test("its socket is its user's alone, in its temporary folder, and goes with it", async () => {
  const home = testHome();
  const agent = startAgent(home);
  const { messagingSocketPath: socket } = await agent.becomes("idle");
  expect(socket.startsWith(`${realpathSync(home.env.TMPDIR!)}/`)).toBe(true);
  expect([statSync(dirname(socket)).mode & 0o777, statSync(socket).mode & 0o777]).toEqual([0o700, 0o600]);
  agent.type("/exit\r");
  await ended(agent.pid);
  expect(existsSync(dirname(socket))).toBe(false);
});

test.each([{ DEMO_NO_INBOX: "1" }, { DEMO_VERSION: "2.1.197" }, { DEMO_NO_REGISTRY: "1" }])(
  "with %j it has no inbox",
  async (env) => {
    const home = testHome();
    const agent = startAgent(home, [], { env });
    await agent.sees("❯\u00a0");
    agent.type("hello\r");
    await agent.sees("● Heard: hello");
    expect(agent.registry()?.messagingSocketPath).toBeUndefined();
    expect(readdirSync(home.env.TMPDIR!)).toEqual([]);
  },
);

test("an idle agent takes a message at once; a draft in its box stays as it is", async () => {
  const { agent, posts } = await startPosting();
  agent.type("my draft ");
  await agent.sees("❯\u00a0my draft");
  expect(await posts("hello there")).toBe("");
  const record = await taken(agent);
  expect(record).toMatchObject({
    type: "user",
    isMeta: true,
    origin: {
      ...{ kind: "peer", from: "hivemind:tester", msg_id: ids[0] },
      ...{ name: "tester", fromMode: "prompting", body: "hello there" },
    },
    turnOrigin: "peer",
    promptSource: "system",
  });
  expect(record.message.content).toContain(`sent a message:\n${wrapped("hello there")}\n\nThis came from`);
  await until("the answer", () => texts(agent.transcript(), "assistant").length === 1);
  await agent.becomes("idle");
  expect(operations(agent)).toEqual(["enqueue", "dequeue"]);
  expect(agent.transcript()!.find(({ operation }) => operation === "enqueue")?.content).toBe(
    wrapped("hello there"),
  );
  expect(agent.screen()).toContain("› Message from @tester: hello there (ctrl+o to expand)");
  expect(agent.screen()).toContain("❯\u00a0my draft");
  agent.type("goes on\r");
  await until("the draft entered", () => texts(agent.transcript(), "user").includes("my draft goes on"));
});

test("an agent that works queues messages, and takes neighbours as one turn", async () => {
  const { agent, socket, posts } = await startPosting();
  agent.type("work [hold]\r");
  await until("its record", () => texts(agent.transcript(), "user").length === 1);
  await posts("one", ids[0]);
  await post(socket, { sessionId: session, id: ids[1]!, from: "another", content: "two\nlines" });
  await until("both queued", () => operations(agent).length === 2);
  await agent.sees("› Message from @tester: one");
  await agent.sees("❯ two\n  lines");
  expect(agent.screen()).not.toContain("Press up");
  agent.press("Up");
  process.kill(agent.pid, "SIGUSR2");
  await taken(agent, ids[1]);
  await until("both answers", () => texts(agent.transcript(), "assistant").length === 2);
  expect(operations(agent)).toEqual(["enqueue", "enqueue", "dequeue", "dequeue"]);
  expect(texts(agent.transcript(), "assistant").at(-1)).toBe("Heard: one two lines");
});

test("a permission prompt stays open, and the turn is told of the message after it", async () => {
  const { agent, posts } = await startPosting();
  agent.type("please [ask]\r");
  await agent.becomes("waiting");
  await posts("in between");
  await until("it queued", () => operations(agent).length === 1);
  await agent.sees("› Message from @tester: in between");
  expect(await agent.becomes("waiting")).toMatchObject({ waitingFor: "permission prompt" });
  agent.press("1");
  const { type, attachment } = await taken(agent);
  const removed = agent.transcript()!.find(({ operation }) => operation === "remove")!;
  expect(removed).toMatchObject({ reason: "absorbed_mid_turn", content: wrapped("in between") });
  expect([type, attachment]).toMatchObject([
    "attachment",
    {
      ...{ type: "queued_command", prompt: wrapped("in between"), isMeta: true },
      ...{ source_uuid: removed.commandUuid, delivery_id: removed.deliveryId },
    },
  ]);
  await agent.becomes("idle");
  expect(operations(agent)).toEqual(["enqueue", "remove"]);
  expect(texts(agent.transcript(), "assistant").at(-1)).toBe("Heard: please");
});

test.each([
  ["please [ask]", "waiting"],
  ["work [hold]", "busy"],
])("after Escape in %j the message has its own turn", async (message, status) => {
  const { agent, posts } = await startPosting();
  agent.type(`${message}\r`);
  await agent.becomes(status);
  await posts("after it");
  await until("it queued", () => operations(agent).length === 1);
  agent.press("Escape");
  expect(await taken(agent)).toMatchObject({ type: "user", turnOrigin: "peer" });
  await agent.sees("● Heard: after it");
  expect(operations(agent)).toEqual(["enqueue", "dequeue"]);
});

test("a message for the conversation before /clear is dropped without a sign", async () => {
  const { agent, posts } = await startPosting();
  await agent.say("hello");
  agent.type("/clear\r");
  const { sessionId } = await until("another session", () => {
    const now = agent.registry();
    return now?.sessionId !== undefined && now.sessionId !== session ? now : null;
  });
  await posts("too late", ids[0], session);
  await posts("in time", ids[1], sessionId);
  await taken(agent, ids[1]);
  expect(
    JSON.stringify(agent.transcript(session)) + JSON.stringify(agent.transcript(sessionId)),
  ).not.toContain("too late");
});

test("a repeat is dropped with a note, what is no message without one", async () => {
  const { agent, socket, posts } = await startPosting();
  await posts("again", ids[0]);
  await taken(agent, ids[0]);
  await posts("again", ids[1]);
  await agent.sees("● Dropped a peer message from @tester (hivemind:tester): identical to the previous");
  await postLines(socket, "hello", "{}", "x".repeat(1_048_576));
  await posts("something else", ids[2]);
  await taken(agent, ids[2]);
  expect(operations(agent).filter((each) => each === "enqueue")).toHaveLength(2);
  const notes = agent.transcript()!.filter(({ subtype }) => subtype === "informational");
  expect(notes.map(({ level }) => level)).toEqual(["warning"]);
});

test("a long message arrives whole", async () => {
  const { agent, posts } = await startPosting();
  const text = "ü".repeat(500_000);
  await posts(text);
  expect((await taken(agent)).origin.body === text).toBe(true);
});

const bypass = ["--permission-mode", "bypassPermissions"];

test("without permissions it holds a message until its user delivers it", async () => {
  const { agent, posts } = await startPosting(bypass);
  agent.type("my draft");
  await agent.sees("❯\u00a0my draft");
  await posts("held one");
  expect(await agent.becomes("waiting")).toMatchObject({ waitingFor: "permission prompt" });
  await agent.sees("❯ Deny — drop it");
  await posts("held two", ids[1]);
  await until("a second note", () => JSON.stringify(agent.transcript()).includes("(2 held)"));
  expect(operations(agent)).toEqual([]);
  agent.press("Enter");
  await agent.sees(/Message body[^\n]*\n╌+\n held two/);
  agent.press("Down", "Enter");
  await taken(agent, ids[1]);
  await agent.becomes("idle");
  await agent.sees("❯\u00a0my draft");
  expect(operations(agent)).toEqual(["enqueue", "dequeue"]);
  expect(agent.screen()).toContain("Released 1 held cross-session message");
});

test("without permissions it holds nothing if its settings accept it", async () => {
  const { agent, posts } = await startPosting([...bypass, "--settings", '{"crossSessionInbound":"accept"}']);
  await posts("hello");
  await taken(agent);
  expect(agent.transcript()!.some(({ subtype }) => subtype === "informational")).toBe(false);
});

test("killed with a message in its queue, it never takes it", async () => {
  const home = testHome();
  const agent = startAgent(home, ["--session-id", session]);
  const { messagingSocketPath: socket } = await agent.becomes("idle");
  agent.type("work [hold]\r");
  await agent.becomes("busy");
  await post(socket, { sessionId: session, id: ids[0]!, content: "lost" });
  await until("it queued", () => operations(agent).length === 1);
  process.kill(agent.pid, "SIGKILL");
  await ended(agent.pid);
  // The kernel closes the sockets of a killed process a moment after its end is seen.
  await until("a closed socket", () =>
    post(socket, { content: "nobody" }).then(
      () => null,
      (error) => String(error).includes("ECONNREFUSED") || null,
    ),
  );
  const resumed = startAgent(home, ["--resume", session]);
  await resumed.becomes("idle");
  await resumed.say("go on");
  expect(operations(resumed)).toEqual(["enqueue"]);
});
