import { expect, test } from "vitest";
import { limits } from "../../limits.js";
import { readContents, readMeta } from "./contents.js";
import type { JsonObject } from "./records.js";

const read = (...lines: (object | string)[]) =>
  readContents(
    Buffer.from(lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n")),
  );

const said = (text: string, role = "user") => ({
  type: "message",
  message: { role, blocks: [{ type: "text", text }] },
});

test("the last session_meta wins", () => {
  const { meta } = read(
    { type: "session_meta", version: 1, workspace_root: "/a", model: "old" },
    said("hi"),
    { type: "session_meta", version: 1, workspace_root: "/b" },
    "",
  );
  expect(readMeta(meta)).toMatchObject({ workspaceRoot: "/b", model: null });
});

test("unknown types and keys are kept unchanged, in their place", () => {
  const vote = { type: "vote", yes: 1.5, who: ["a"] };
  const { records, lines, problems } = read(said("a"), vote, { ...said("b"), extra: true }, "");
  expect(records).toEqual([said("a"), vote, { ...said("b"), extra: true }]);
  expect(lines.map(String)).toEqual(records.map((record) => JSON.stringify(record)));
  expect(problems).toEqual([]);
});

test.each([
  ['{"type":"message","mess', 1, ["line 2 is torn: it was not written to its end"]],
  ['{"type":"vote"}', 2, []],
  ['{"no":"type"}', 1, ["line 2 is torn: it was not written to its end"]],
  ["", 1, []],
])("a last line %j without its line end", (last, records, problems) => {
  const contents = read(said("a"), last);
  expect(contents.records).toHaveLength(records);
  expect(contents.problems).toEqual(problems);
});

const older = {
  version: 1,
  session_id: "old",
  mystery: { a: 1 },
  messages: [said("a").message, { role: "nobody" }],
  compaction: { count: 1, removed_message_count: 3, summary: "s" },
  prompt_history: [{ timestamp_ms: 5, text: "p" }],
};

test.each([
  ["on one line", JSON.stringify(older)],
  ["with its line end", `${JSON.stringify(older)}\n`],
  ["over many lines", JSON.stringify(older, null, 2)],
])("the older form is read %s", (_, text) => {
  const { form, meta, records, messages, problems } = readContents(Buffer.from(text));
  expect(form).toBe("object");
  expect(meta).toEqual({ version: 1, session_id: "old", mystery: { a: 1 } });
  expect(records.map(({ type }) => type)).toEqual(["compaction", "prompt_history", "message", "message"]);
  expect(messages).toHaveLength(1);
  expect(problems).toEqual(["the message of line 2 is unreadable"]);
});

test("a line in the middle that is not a record is reported and skipped", () => {
  const { messages, problems } = read(said("a"), "rubbish", "", '["x"]', said("b"), "");
  expect(messages).toHaveLength(2);
  expect(problems).toEqual(["line 2 is not a record", "line 4 is not a record"]);
});

test("a broken file reports only its first problems", () => {
  const { problems } = read(said("a"), ...Array<string>(1_000).fill("x"), "");
  expect(problems).toHaveLength(limits.managedProblems + 1);
  expect(problems.at(-1)).toBe("and 990 more");
});

test.each([
  ["", "empty"],
  ["\n", "none"],
  ["{", "none"],
  ['{"messages":5}', "none"],
  ['{"a":1}\n{"b":2}\n', "none"],
  ["\u0000\u0001\u0002", "none"],
  ['{"type":"session_meta"}', "lines"],
])("%j has the form %s", (text, form) => expect(readContents(Buffer.from(text)).form).toBe(form));

test("a root that is not text, however deeply nested, and a time outside the range of dates", () => {
  let deep: JsonObject[string] = [];
  for (let level = 0; level < 200_000; level++) deep = [deep];
  const meta = (facts: JsonObject) => readMeta({ created_at_ms: 5, ...facts });
  expect([5, {}, deep].map((root) => meta({ workspace_root: root }).workspaceRoot)).toEqual(
    Array(3).fill("(no path)"),
  );
  expect(meta({ updated_at_ms: limits.latestTimeMs }).updatedAtMs).toBe(limits.latestTimeMs);
  expect(meta({ updated_at_ms: limits.latestTimeMs + 1 }).updatedAtMs).toBeNull();
  expect(meta({ created_at_ms: Number.MAX_SAFE_INTEGER }).createdAtMs).toBeNull();
});

test.each([
  [{}, { version: null, workspaceRoot: null, parent: null, branch: null, createdAtMs: null }],
  [{ version: 2 }, { version: 2 }],
  [{ version: "1" }, { version: Number.NaN }],
  [{ workspace_root: "" }, { workspaceRoot: "" }],
  [
    { created_at_ms: 1.5, updated_at_ms: -1 },
    { createdAtMs: null, updatedAtMs: null },
  ],
  [{ fork: { parent_session_id: "p", branch_name: "b" } }, { parent: "p", branch: "b" }],
  [{ fork: { parent_session_id: "../p" } }, { parent: null, branch: null }],
  [{ fork: "p" }, { parent: null }],
])("the meta %j is read as %j", (meta, expected) => expect(readMeta(meta)).toMatchObject(expected));
