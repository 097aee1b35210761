import { expect, test } from "vitest";
import type { SessionId } from "../../names/gates.js";
import { openServer, Refused, type Wire } from "./app-server.js";

const id = "01a1ed6e-0553-7f82-bb3b-0e587bdb8e9c" as SessionId;

type Answer = { result: object } | { error: object } | "end";

/** A server that answers each method as told, with a notice before every answer. */
function wireTo(answers: Record<string, Answer[]>): { wire: Wire; sent: Record<string, unknown>[] } {
  const sent: Record<string, unknown>[] = [];
  const lines: (string | null)[] = [];
  const send = (line: string) => {
    const request = JSON.parse(line);
    sent.push(request);
    if (request.id === undefined) return;
    const answer = request.method === "initialize" ? { result: {} } : answers[request.method]!.shift()!;
    lines.push(
      '{"method":"configWarning","params":{}}',
      answer === "end" ? null : JSON.stringify({ id: request.id, ...answer }),
    );
  };
  return { wire: { send, next: async () => lines.shift() ?? null }, sent };
}

test("a new conversation is named, so that it has a file", async () => {
  const { wire, sent } = wireTo({
    "thread/start": [{ result: { thread: { id } } }],
    "thread/name/set": [{ result: {} }],
  });
  expect(await (await openServer(wire)).create("/srv", "po")).toBe(id);
  expect(sent.map(({ method }) => method)).toEqual([
    "initialize",
    "initialized",
    "thread/start",
    "thread/name/set",
  ]);
  expect(sent.at(-1)?.params).toEqual({ threadId: id, name: "po" });
});

test("the queue is read page by page", async () => {
  const page = (queueId: string, nextCursor: string | null) => ({
    result: { data: [{ id: queueId, clientUserMessageId: "m" }], nextCursor },
  });
  const { wire, sent } = wireTo({ "thread/queue/list": [page("a", "2"), page("b", null)] });
  expect(await (await openServer(wire)).waiting(id)).toEqual([
    { queueId: "a", id: "m" },
    { queueId: "b", id: "m" },
  ]);
  expect(sent.at(-1)?.params).toEqual({ threadId: id, cursor: "2" });
});

test("a refusal and a lost answer are different errors", async () => {
  const { wire } = wireTo({
    "thread/queue/add": [{ error: { code: -32603, message: "no rollout found" } }, "end"],
  });
  const server = await openServer(wire);
  const letter = { session: id, id: "m", text: "hello" };
  await expect(server.enqueue(letter)).rejects.toThrow(Refused);
  const lost = await server.enqueue(letter).catch((error: unknown) => error);
  expect(lost).not.toBeInstanceOf(Refused);
  expect(String(lost)).toMatch(/ended without an answer to thread\/queue\/add/);
});
