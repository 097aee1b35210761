import { describe, expect, test } from "vitest";
import {
  assistant,
  factsOf,
  type Json,
  message,
  title,
  user,
} from "../../../../test/transcripts/claude-lines.js";
import { limits } from "../../../limits.js";
import { noChain } from "../../../transcripts/transcript.js";
import { claudeLines } from "./lines.js";

const parent = "11111111-1111-4111-8111-111111111111";
const first = "22222222-2222-4222-8222-222222222222";

describe("records", () => {
  test.each<[string, (Json | string)[]]>([
    ["typed by a person", [user({ message: { content: JSON.stringify(title("decoy")) } })]],
    ["nested in a tool's input", [assistant(50, { input: title("decoy") })]],
    ["nested in a result", [user({ toolUseResult: title("decoy") })]],
    [
      "in a line that is not JSON",
      ['{"type":"custom-title","customTitle":"decoy"', '{"type":"custom-title"}}'],
    ],
    ["with a title that is not text", [title(7)]],
    ["with a second type", ['{"type":"custom-title","customTitle":"decoy","type":"other"}']],
  ])("do not count %s", (_, lines) => {
    expect(factsOf(title("real"), ...lines).title).toBe("real");
    expect(factsOf(...lines).title).toBeNull();
  });

  test("count in any key order and with any white space", () => {
    expect(factsOf('{ "sessionId": "x", "customTitle": "a b" , "type" : "custom-title" }').title).toBe("a b");
    const between = { x: { y: 1 }, type: "custom-title", customTitle: "between", z: ["long".repeat(100)] };
    expect(factsOf(between).title).toBe("between");
  });

  test("that were torn and overwritten do not count; later ones do", () => {
    const torn = `${JSON.stringify(assistant(900)).slice(0, 120)}${JSON.stringify(assistant(800))}`;
    const { usedTokens, largestTokens, rootMessage } = factsOf(torn, user({ uuid: "root" }), assistant(100));
    expect({ usedTokens, largestTokens, rootMessage }).toEqual({
      usedTokens: 100,
      largestTokens: 100,
      rootMessage: "root",
    });
  });

  test.each([-5, 1e308, 0.5, "7", null])("%j is not a number of tokens", (input_tokens) => {
    const usage = { input_tokens, cache_creation_input_tokens: 20, cache_read_input_tokens: 3 };
    const { usedTokens, largestTokens } = factsOf({ ...assistant(0), message: { usage } });
    expect({ usedTokens, largestTokens }).toEqual({ usedTokens: 23, largestTokens: 23 });
  });

  test("have place, time, branch and version of the first and the last message", () => {
    const facts = factsOf(
      { type: "mode", cwd: "/not" },
      user({ cwd: "/a", uuid: "root", timestamp: "2026-01-01T00:00:00Z" }),
      assistant(50, { cwd: "/b", gitBranch: "next", version: "2.2.0", timestamp: "2026-01-01T01:00:00Z" }),
      { type: "summary", cwd: "/not", timestamp: "2026-01-02T00:00:00Z" },
    );
    expect(facts).toMatchObject({
      firstCwd: "/a",
      lastCwd: "/b",
      gitBranch: "next",
      version: "2.2.0",
      rootMessage: "root",
      firstAtMs: Date.UTC(2026, 0, 1),
      lastAtMs: Date.UTC(2026, 0, 1, 1),
      messages: 2,
    });
  });
});

test("the last title wins", () => {
  expect(factsOf(title("one"), user(), title("two ✳")).title).toBe("two ✳");
  expect(factsOf(title("one"), user(), title("")).title).toBeNull();
});

describe("context in use", () => {
  test("is the sum of the last answer, not its new input alone (incident 25)", () => {
    const facts = factsOf(
      assistant(226_000),
      user(),
      assistant(48_000, { timestamp: "2026-02-01T00:00:00Z" }),
    );
    expect(facts).toMatchObject({ usedTokens: 48_000, largestTokens: 226_000, model: "claude-x" });
    expect(facts.usedAtMs).toBe(Date.UTC(2026, 1, 1));
  });

  test.each<[string, Json]>([
    ["of a side chain", assistant(900, { isSidechain: true })],
    [
      "of the client's own error record",
      assistant(900, { message: { model: "<synthetic>", usage: { input_tokens: 900 } } }),
    ],
    ["in a user's record", user({ message: { usage: { input_tokens: 900 } } })],
    ["nested elsewhere in an answer", assistant(60, { extra: { usage: { input_tokens: 900 } } })],
    ["repeated in a nested list", assistant(60, {}, { iterations: [{ input_tokens: 900 }] })],
    ["without a usage", assistant(900, { message: { model: "other" } })],
  ])("does not come from the record %s", (_, record) => {
    const facts = factsOf(assistant(100), record, assistant(80));
    expect(facts).toMatchObject({ usedTokens: 80, largestTokens: 100, model: "claude-x" });
    expect(factsOf(assistant(100), record).largestTokens).toBe(100);
  });

  test("accepts every spelling of a number, and ignores other values", () => {
    const odd = assistant(
      100,
      {},
      { input_tokens: 1.5e3, cache_creation_input_tokens: null, cache_read_input_tokens: "7" },
    );
    expect(factsOf(odd, assistant(50))).toMatchObject({ usedTokens: 50, largestTokens: 1500 });
    expect(factsOf(JSON.stringify(assistant(4000)).replaceAll(":", " : "), assistant(50)).largestTokens).toBe(
      4000,
    );
  });
});

describe("a cleared session", () => {
  const clear = "<command-name>/clear</command-name>\n<command-message>clear</command-message>";
  const says = (content: unknown, more: Json = {}) => user({ message: { role: "user", content }, ...more });

  test.each<[string, Json[], boolean | null]>([
    ["begins with the command", [says(clear)], true],
    ["in a block", [says([{ type: "text", text: clear }])], true],
    [
      "with its parts in the other order",
      [says("<command-message>clear</command-message>\n<command-name>/clear</command-name>")],
      true,
    ],
    [
      "after notes of the client",
      [says("Caveat: …", { isMeta: true }), { ...message(), type: "system" }, says(clear)],
      true,
    ],
    [
      "not with another command",
      [says("<command-name>/model</command-name><command-args><command-name>/clear</command-name>")],
      false,
    ],
    ["not with words about it", [says(`I typed ${clear}`), says(clear)], false],
    ["not with an answer", [assistant(50), says(clear)], false],
    ["unknown before the first message", [{ ...message(), type: "system" }], null],
  ])("%s", (_, records, expected) => expect(factsOf(title("t"), ...records).beginsWithClear).toBe(expected));
});

test("the place of a giant record counts only if it is the first", () => {
  const giant = (cwd: string) => user({ cwd, message: { content: "x".repeat(limits.transcriptPlainBytes) } });
  expect(factsOf(giant("/giant"))).toMatchObject({ firstCwd: "/giant", lastCwd: "/giant", messages: 1 });
  expect(factsOf(user({ cwd: "/a" }), giant("/giant"))).toMatchObject({ lastCwd: "/a", messages: 2 });
  expect(factsOf(giant("/giant"), user({ cwd: "/a" }), title("after"))).toMatchObject({
    lastCwd: "/a",
    title: "after",
  });
});

describe("copied records", () => {
  const copy = (messageUuid: string, sessionId = parent) => user({ forkedFrom: { sessionId, messageUuid } });

  test("name their origin, and the last one is the fork point", () => {
    const facts = factsOf(title("t"), copy("a"), copy("b", parent.toUpperCase()), user(), copy("c"));
    expect(facts).toMatchObject({ forkedFrom: { sessionId: parent, message: "b" }, isCopying: false });
    expect(factsOf(copy("a")).isCopying).toBe(true);
  });

  test("that are notes of the client are not the fork point", () => {
    const note = { ...copy("b"), type: "system", subtype: "turn_duration" };
    expect(factsOf(copy("a"), note).forkedFrom).toEqual({ sessionId: parent, message: "a" });
    expect(factsOf(note).forkedFrom).toBeNull();
  });

  test("end at the first record that is not a copy, and its time is known", () => {
    const own = { ...message(), type: "system", timestamp: "2026-01-01T00:00:07Z" };
    const at = Date.UTC(2026, 0, 1, 0, 0, 7);
    expect(factsOf(copy("a"), { ...copy("b"), type: "system" }, own, user()).behindCopiesAtMs).toBe(at);
    expect(factsOf(copy("a")).behindCopiesAtMs).toBeNull();
    expect(factsOf(own, user()).behindCopiesAtMs).toBe(at);
  });

  test("after the first record that is not a copy do not count", () => {
    expect(factsOf(user(), copy("a")).forkedFrom).toBeNull();
    expect(factsOf(user({ message: { content: JSON.stringify(copy("a")) } })).forkedFrom).toBeNull();
    expect(factsOf(user({ forkedFrom: { sessionId: "no id", messageUuid: "a" } })).forkedFrom).toBeNull();
  });
});

describe("the session in which the process began", () => {
  test("comes from the first record that has it", () => {
    expect(
      factsOf(user(), assistant(50, { session_id: first }), assistant(50, { session_id: parent })).startedAs,
    ).toBe(first);
    expect(
      factsOf(user({ toolUseResult: { session_id: parent } }), assistant(50, { session_id: first }))
        .startedAs,
    ).toBe(first);
  });

  test("is not searched far from the beginning", () => {
    const records = Array.from({ length: limits.transcriptHeadMessages }, () => user());
    expect(factsOf(...records, assistant(50, { session_id: first })).startedAs).toBeNull();
    expect(factsOf(...records.slice(1), assistant(50, { session_id: first })).startedAs).toBe(first);
  });
});

test("the process that wrote last comes from the last record that has it", () => {
  const asked = assistant(50, { session_id: parent, timestamp: "2026-01-01T00:00:07Z" });
  const written = { writtenAs: parent, writtenAsAtMs: Date.UTC(2026, 0, 1, 0, 0, 7) };
  const quoted = user({ toolUseResult: { session_id: first } });
  expect(factsOf(assistant(50, { session_id: first }), asked, quoted, user(), title("t"))).toMatchObject(
    written,
  );
  expect(
    factsOf({ type: "other", session_id: first }, asked, { type: "other", session_id: first }),
  ).toMatchObject(written);
  expect(factsOf(user(), assistant(50), quoted).writtenAs).toBeNull();
});

describe("the root", () => {
  const answer = assistant(50, { uuid: "answer", parentUuid: "question" });

  test("is the question, even if its answer was written first", () => {
    const facts = factsOf(title("t"), answer, user({ uuid: "question" }), user({ uuid: "later" }));
    expect(facts).toMatchObject({ rootMessage: "question", isRooted: true });
  });

  test("is the first record if all near the beginning have a parent", () => {
    const records = Array.from({ length: limits.transcriptHeadMessages }, () => user({ parentUuid: "gone" }));
    expect(factsOf(answer, ...records, user({ uuid: "late" }))).toMatchObject({
      rootMessage: "answer",
      isRooted: false,
    });
  });
});

describe("the compactions of a session", () => {
  const boundary = (uuid: unknown, more: Json = {}) => ({
    ...message(),
    type: "system",
    subtype: "compact_boundary",
    uuid,
    ...more,
  });

  test("come from its boundaries, in order", () => {
    const facts = factsOf(user({ uuid: "root" }), boundary("a"), user(), boundary("b"), assistant(50));
    expect(facts).toMatchObject({ rootMessage: "root", boundaries: ["a", "b"] });
    expect(factsOf(boundary("a"), user())).toMatchObject({ rootMessage: "a", boundaries: ["a"] });
  });

  test.each<[string, Json | string]>([
    ["in another type of record", user({ subtype: "compact_boundary" })],
    ["of another subtype", boundary("x", { subtype: "microcompact_boundary" })],
    ["in the text of another", boundary("x", { subtype: "local_command", content: '"compact_boundary"' })],
    ["nested in another", boundary("x", { subtype: "y", of: { subtype: "compact_boundary" } })],
    ["without a name", boundary(7)],
    ["in a line that is not JSON", JSON.stringify(boundary("x")).slice(0, -1)],
  ])("do not come from a record %s", (_, record) => {
    expect(factsOf(user(), record, boundary("real"), record).boundaries).toEqual(["real"]);
  });

  test("are limited to the last ones", () => {
    const names = Array.from({ length: limits.transcriptBoundaries + 2 }, (_, at) => `b${at}`);
    expect(factsOf(...names.map((name) => boundary(name))).boundaries).toEqual(names.slice(2));
  });
});

test("the chain has the records of user, assistant and client in order", () => {
  const lines = [
    title("t"),
    user({ uuid: "a", timestamp: "2026-01-01T00:00:00Z" }),
    { ...message(), type: "system", uuid: "s", timestamp: "2026-01-01T00:00:01Z" },
  ];
  const result = { role: "user", content: [{ type: "tool_result", content: "done" }] };
  const more = [
    assistant(50, { uuid: "b", timestamp: "never" }),
    user({ uuid: "c", message: result, timestamp: "2026-01-01T00:00:02Z" }),
    user({ uuid: 7 }),
    user({ uuid: "d", isMeta: true, timestamp: "never" }),
    { ...message(), type: "attachment", uuid: "x" },
  ];
  const bytes = Buffer.from([...lines, ...more].map((line) => `${JSON.stringify(line)}\n`).join(""));
  const chain = noChain();
  claudeLines.addChain!(chain, bytes, 0, bytes.length);
  const start = Date.UTC(2026, 0, 1);
  expect(chain).toEqual({
    messages: ["a", "s", "b", "c", "d"],
    timesMs: [start, start + 1000, null, start + 2000, null],
    kinds: "pnaac",
  });
});
