import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { SessionId } from "../../../names/gates.js";
import { forkedLines, forkTranscript } from "./offline-fork.js";

const parent = "15533422-8bdb-5079-8420-efcdb81dd2e5" as SessionId;
const child = "b63de03a-6d49-5f14-9be3-0aac60a859ed" as SessionId;

type Json = Record<string, unknown>;
let made = 0;

function record(type: string, facts: Json = {}): Json {
  const uuid = `m${++made}`;
  return { parentUuid: null, sessionId: parent, cwd: "/srv/a", type, uuid, isSidechain: false, ...facts };
}
const user = (content: unknown, facts: Json = {}) =>
  record("user", { message: { role: "user", content }, ...facts });
const said = (text = "yes") =>
  record("assistant", { message: { role: "assistant", content: [{ type: "text", text }] } });
const calls = (...ids: string[]) =>
  record("assistant", {
    message: { role: "assistant", content: ids.map((id) => ({ type: "tool_use", id, name: "Bash" })) },
  });
const result = (id: string) => user([{ type: "tool_result", tool_use_id: id, content: "ok" }]);

function bytesOf(records: readonly (Json | string)[]): Buffer {
  const lines = records.map((each) => (typeof each === "string" ? each : JSON.stringify(each)));
  return Buffer.from(`${lines.join("\n")}\n`);
}

function fork(records: readonly (Json | string)[]) {
  const found = forkedLines(bytesOf(records), { parent, child, title: "side" });
  return found && { ...found, records: recordsIn(found.bytes) };
}

const recordsIn = (bytes: Buffer): Json[] =>
  bytes
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

const uuids = (records: readonly Json[]) => records.flatMap(({ uuid }) => uuid ?? []);

describe("an offline fork", () => {
  test("has its parent's messages under its own id, each with its origin", () => {
    const inherited = { forkedFrom: { sessionId: "x", messageUuid: "y" }, session_id: parent };
    const [asked, answered] = [user("hello", inherited), said()];
    const replaced = { type: "content-replacement", sessionId: parent, replacements: [] };
    const found = fork([asked, replaced, answered])!;
    expect(found.records.slice(0, 3)).toEqual([
      { ...asked, sessionId: child, forkedFrom: { sessionId: parent, messageUuid: asked.uuid } },
      { ...replaced, sessionId: child },
      { ...answered, sessionId: child, forkedFrom: { sessionId: parent, messageUuid: answered.uuid } },
    ]);
    expect(found).toMatchObject({ forkPoint: answered.uuid, messages: 2, leftOut: 0 });
  });

  test("has its messages in the order of the conversation", () => {
    const [first, answer, second] = [user("a"), said(), user("b")];
    const chained = [
      { ...answer, parentUuid: first.uuid },
      { ...second, parentUuid: answer.uuid },
      first,
      { ...said("last"), parentUuid: second.uuid },
    ];
    const found = fork(chained)!;
    expect(uuids(found.records)).toEqual(uuids([first, answer, second, chained[3]!]));
    // A record that follows itself follows nothing.
    expect(fork([{ ...user("x"), uuid: "x", parentUuid: "x" }, first, answer])!.messages).toBe(2);
  });

  const note = (text: string) => user(`<local-command-stdout>${text}</local-command-stdout>`);
  const boundary = () => record("system", { subtype: "compact_boundary" });
  /** The records, and how many of them are copied. */
  const table: [string, Json[], number][] = [
    ["everything if all was answered", [user("a"), said(), user("b"), said()], 4],
    ["no unanswered question", [user("a"), said(), user("b")], 2],
    ["no attachment of an unanswered question", [user("a"), said(), user("b"), record("attachment")], 2],
    ["the client's notes after an answer", [user("a"), said(), record("system"), note("x")], 4],
    ["no call without its result", [user("a"), said(), calls("t1")], 2],
    ["a call with its result, although the turn continues", [user("a"), calls("t1"), result("t1")], 3],
    ["neither of two calls if one has no result", [user("a"), said(), calls("t1", "t2"), result("t1")], 2],
    ["both of two calls", [user("a"), calls("t1"), calls("t2"), result("t2"), result("t1")], 5],
    ["a turn that was abandoned earlier", [user("a"), calls("t1"), user("b"), said()], 4],
    [
      "a compaction with its summary",
      [user("a"), said(), boundary(), user("s", { isCompactSummary: true })],
      4,
    ],
  ];
  test.each(table)("has %s", (_, records, count) => {
    expect(uuids(fork(records)!.records)).toEqual(uuids(records.slice(0, count)));
    expect(fork(records)!.leftOut).toBe(
      records.slice(count).filter(({ type }) => type === "user" || type === "assistant").length,
    );
  });

  test("is refused if nothing was answered", () => {
    expect(fork([user("a")])).toBeNull();
    expect(fork([])).toBeNull();
  });

  test("has its own title, and no records of its parent alone", () => {
    const messages = [user("a"), said()];
    const found = fork([
      { type: "custom-title", customTitle: "old", sessionId: parent },
      { type: "file-history-snapshot", messageId: "x" },
      messages[0]!,
      { ...calls("t9"), isSidechain: true },
      "no json",
      "[1]",
      messages[1]!,
      '{"type":"user","uuid":"torn',
    ])!;
    expect(uuids(found.records)).toEqual(uuids(messages));
    expect(found.records.slice(2)).toEqual([
      { type: "custom-title", customTitle: "side", sessionId: child },
      { type: "agent-name", agentName: "side", sessionId: child },
    ]);
  });

  test("names the new folder where its parent's records name the old one", () => {
    const records = [user("a"), { ...said(), cwd: "/elsewhere" }];
    const move = { from: "/srv/a", to: "/srv/b" };
    const { bytes } = forkedLines(bytesOf(records), { parent, child, title: "side", move })!;
    expect(
      recordsIn(bytes)
        .slice(0, 2)
        .map(({ cwd }) => cwd),
    ).toEqual(["/srv/b", "/elsewhere"]);
  });

  test("keeps all bytes: invalid text, deep nesting, after a byte order mark", () => {
    const deep = "[".repeat(10_000) + "]".repeat(10_000);
    const asked = (session: string, more: string) =>
      `{ "type":"user","uuid":"q","message":{"content":"he\xff\xfello"},"sessionId":"${session}","x":${deep}${more}}\n`;
    const answer = JSON.stringify(said());
    const mark = "\xef\xbb\xbf";
    const bytes = Buffer.from(`${mark}${asked(parent, "")}${answer}\n`, "latin1");
    const found = forkedLines(bytes, { parent, child, title: "side" })!;
    const from = `,"forkedFrom":{"sessionId":"${parent}","messageUuid":"q"}`;
    expect(found.bytes.toString("latin1").startsWith(asked(child, from))).toBe(true);
    expect(found.messages).toBe(2);
  });

  test("is a private file beside its parent's, which does not change", () => {
    const folder = mkdtempSync(join(tmpdir(), "hm-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, `${parent}.jsonl`);
    writeFileSync(path, bytesOf([user("a"), said()]));
    const before = readFileSync(path);
    const made = forkTranscript(path, { parent, title: "side" });
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(folder).sort()).toEqual([`${parent}.jsonl`, `${made.id}.jsonl`].sort());
    expect(statSync(made.path).mode & 0o777).toBe(0o600);
    writeFileSync(path, bytesOf([user("a")]));
    expect(() => forkTranscript(path, { parent, title: "side" })).toThrow(/nothing to fork/);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  test("an unwritable child or an unreadable parent is an error with its path, not a crash", () => {
    const folder = mkdtempSync(join(tmpdir(), "hm-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, `${parent}.jsonl`);
    writeFileSync(path, bytesOf([user("a"), said()]));
    const into = join(path, "no folder");
    const why = {
      name: "HiveError",
      message: expect.stringMatching(/^could not write .*no folder.*: ENOTDIR/),
    };
    expect(() => forkTranscript(path, { parent, title: "side", into })).toThrow(expect.objectContaining(why));
    const unread = { name: "HiveError", message: expect.stringMatching(/^could not read .*x: ENOTDIR/) };
    expect(() => forkTranscript(join(path, "x"), { parent, title: "side" })).toThrow(
      expect.objectContaining(unread),
    );
  });
});
