import { expect, test } from "vitest";
import type { SessionId } from "../src/names/gates.js";
import {
  type Author,
  answerRecord,
  branched,
  type Conversation,
  forked,
  headRecords,
  newConversation,
  noUsage,
  readConversation,
  titleRecords,
  usageAfter,
  userRecord,
  withMessages,
} from "./conversation.js";

const P = "11111111-1111-4111-8111-111111111111" as SessionId;
const C = "22222222-2222-4222-8222-222222222222" as SessionId;
const author: Author = { cwd: "/w", gitBranch: "main", version: "2.1.325", startedAs: P };

function spoken(prompt = "hello", answer = "Heard: hello"): Conversation {
  const asked = withMessages(newConversation(P, "mgr"), [
    userRecord(newConversation(P, "mgr"), author, prompt),
  ]);
  const usage = usageAfter(asked.usedTokens, prompt, answer, null);
  return withMessages(asked, [
    answerRecord(asked, author, { model: "m[1m]", content: [{ type: "text", text: answer }], usage }),
  ]);
}

test("the head has neither cwd nor message, and a title only if there is one", () => {
  const named = headRecords(newConversation(P, "mgr"), "default");
  expect(named.some((record) => "cwd" in record || "message" in record)).toBe(false);
  expect(named.map(({ type }) => type)).toEqual([
    "custom-title",
    "agent-name",
    "mode",
    "permission-mode",
    "file-history-snapshot",
  ]);
  expect(headRecords(newConversation(P, null), "plan").map(({ type }) => type)).toEqual([
    "mode",
    "permission-mode",
    "file-history-snapshot",
  ]);
});

test("copied messages keep uuid and session_id under the child's id", () => {
  const parent = spoken();
  const ids = parent.messages.map(({ uuid }) => uuid);
  const fork = forked(parent, C, "mgr");
  expect(fork.messages.map(({ uuid, sessionId, forkedFrom }) => [uuid, sessionId, forkedFrom])).toEqual(
    ids.map((uuid) => [uuid, C, undefined]),
  );
  expect(fork.messages[1]).toMatchObject({ session_id: P });
  const branch = branched(parent, C, "twig", true);
  expect(branch.messages.map(({ forkedFrom }) => forkedFrom)).toEqual(
    ids.map((messageUuid) => ({ sessionId: P, messageUuid })),
  );
  expect(parent.messages[0]).toMatchObject({ sessionId: P });
});

test("the last title wins, and messages about titles do not count", () => {
  const said = {
    type: "user",
    message: { role: "user", content: '{"type":"custom-title","customTitle":"fake"}' },
  };
  const records = [...titleRecords(P, "old"), ...titleRecords(P, "new"), said];
  expect(readConversation(P, records).title).toBe("new");
  expect(readConversation(P, [said]).title).toBeNull();
});

test("the context grows with each message, and the model has no suffix in records", () => {
  const once = spoken();
  expect(once.usedTokens).toBeGreaterThan(newConversation(P, null).usedTokens);
  expect(readConversation(P, once.messages).usedTokens).toBe(once.usedTokens);
  expect(once.messages[1]).toMatchObject({ message: { model: "m" } });
});

test.each([
  [12_000, "a".repeat(400), null, 12_104],
  [12_000, "x", 500_000, 500_000],
  [12_000, "x", 1_000, 1_000],
])("from %i tokens the three parts add up", (used, prompt, setTo, sum) => {
  const usage = usageAfter(used, prompt, "answer", setTo);
  expect(usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens).toBe(sum);
  expect(Math.min(...Object.values(usage))).toBeGreaterThanOrEqual(0);
});

test("a record without usage leaves the context as it was", () => {
  const before = spoken();
  const failed = answerRecord(before, author, { model: "<synthetic>", content: [], usage: noUsage });
  expect(withMessages(before, [failed]).usedTokens).toBe(before.usedTokens);
});

test("a compacted conversation starts small again, also when it is read back", () => {
  const large = withMessages(spoken(), [
    answerRecord(spoken(), author, { model: "m", content: [], usage: usageAfter(0, "", "", 150_000) }),
  ]);
  expect(large.usedTokens).toBe(150_000);
  const small = withMessages(large, [userRecord(large, author, "summary", { isCompactSummary: true })]);
  expect(small.usedTokens).toBe(newConversation(P, null).usedTokens);
  expect(readConversation(P, small.messages).usedTokens).toBe(small.usedTokens);
});
