import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testHome } from "../../../../test/home.js";
import { recordedDatabase } from "../../../../test/kinds/opencode/recorded.js";
import type { SessionId } from "../../../names/gates.js";
import { mirrored } from "../../../transcripts/database/mirror.js";
import { sqlite } from "../../../transcripts/database/sqlite.js";
import { newSearch } from "../../../transcripts/find.js";
import { noFacts } from "../../../transcripts/transcript.js";
import { opencodeTranscripts, titles } from "./find.js";
import { proofIn, turnIn } from "./message-records.js";
import { messageLines, opencodeDatabase } from "./rows.js";
import { addUsageLines } from "./usage-history.js";
import { readUtterance } from "./utterance.js";

const talk = "ses_e1135eb14ffeq5wrzXVqMDsmEQ" as SessionId;
const hello = "ses_e11371a24ffexcXkzjl8qBMHRN" as SessionId;
const fork = "ses_e1135ea7dffeY9FtENdqrwVUrE" as SessionId;

function recording() {
  const { root, work } = testHome();
  const folder = join(root, "share", "opencode");
  const path = recordedDatabase(folder, work);
  const textOf = (id: SessionId) => {
    const [found] = opencodeTranscripts.findSessions(folder, new Set([id]), newSearch());
    return found === undefined ? null : readFileSync(found.path, "utf8");
  };
  return { root, work, folder, path, textOf };
}

test("the conversations of a database are found, with their titles, folders and facts", () => {
  const { folder, work, textOf } = recording();
  const search = newSearch();
  const found = opencodeTranscripts.find(folder, search);
  expect(search.problems).toEqual([]);
  expect(found.map(({ id }) => id).sort()).toEqual([talk, fork, hello].sort());
  expect(titles(folder).get(talk)).toBe("builder");
  const facts = noFacts();
  const bytes = Buffer.from(textOf(talk)!);
  opencodeTranscripts.parser.addFacts(facts, bytes, 0, bytes.length);
  expect(facts).toMatchObject({
    firstCwd: work,
    version: "1.18.33",
    model: "stub/stub-model",
    usedTokens: 1234,
    largestTokens: 1234,
    isSubAgent: false,
    // The last turn was interrupted, the one before it failed.
    lastTurn: { end: "prompt", words: "bad thing" },
  });
  const history = { points: [], compactedAtMs: [] } as Parameters<typeof addUsageLines>[0];
  addUsageLines(history, bytes, 0, bytes.length);
  expect(history.points.map(({ used }) => used)).toContain(1234);
});

test("its words, tools, results and errors are read; the client's marks are not", () => {
  const { textOf } = recording();
  const blocks = textOf(talk)!
    .split("\n")
    .flatMap((line) => readUtterance(line)?.blocks ?? []);
  const shown = blocks.map((block) =>
    block.kind === "tool_result"
      ? block.output.trim()
      : block.kind === "tool_use"
        ? block.name
        : "text" in block && block.text,
  );
  expect(shown).toEqual(expect.arrayContaining(["posted one", "answer to posted one", "bash", "bad thing"]));
  expect(blocks).toContainEqual({
    kind: "tool_use",
    name: "bash",
    input: expect.objectContaining({ command: "touch zzz" }),
  });
});

test.each([
  ["posted one", "answered", "answered"],
  ["please hold", "answered", "answered"],
  ["boom400", "answered", "failed"],
  ["boom429", "taken", "interrupted"],
  ["never said", "nothing", undefined],
])("the records of %j prove: %s", async (words, proof, end) => {
  const { textOf } = recording();
  const { digestOf } = await import("./message-records.js");
  const key = { digest: digestOf(words) };
  expect(proofIn(textOf(talk)!, key)).toBe(proof);
  expect(turnIn(textOf(talk)!, key)?.end).toBe(end);
});

test("every state of a conversation that grows begins with the lines of the state before", () => {
  const time = (created: number, completed?: number) => ({ created, completed });
  const parts = ['{"type":"text","text":"x"}'];
  const user = (id: string, at: number) => ({ id, message: { role: "user", time: time(at) }, parts });
  const answer = (id: string, at: number, end?: number) => {
    return { id, message: { role: "assistant", time: time(at, end) }, parts };
  };
  const states = [
    [user("u1", 1)],
    [user("u1", 1), answer("a1", 2)],
    // A second prompt comes during the turn.
    [user("u1", 1), answer("a1", 2), user("u2", 3)],
    [user("u1", 1), answer("a1", 2, 4), user("u2", 3)],
    [user("u1", 1), answer("a1", 2, 4), user("u2", 3), answer("a2", 5)],
    // The client was killed, and another answer began.
    [user("u1", 1), answer("a1", 2, 4), user("u2", 3), answer("a2", 5), answer("a3", 6)],
    [user("u1", 1), answer("a1", 2, 4), user("u2", 3), answer("a2", 5), answer("a3", 6, 7)],
  ].map(messageLines);
  for (const [at, lines] of states.entries())
    expect(lines.slice(0, states[at - 1]?.length ?? 0)).toEqual(states[at - 1] ?? []);
  expect(states.at(-1)).toHaveLength(8);
});

test("a prompt without its text is not there yet", () => {
  expect(messageLines([{ id: "u", message: { role: "user", time: { created: 1 } }, parts: [] }])).toEqual([]);
});

test("a look after a change reads the changed conversation only; a removed one is gone", () => {
  const { path, folder, textOf } = recording();
  const [before, other] = [textOf(hello)!, textOf(talk)!];
  const change = (...statements: string[]) => {
    const database = new (sqlite().Database)(path);
    for (const each of statements) database.exec(each);
    database.close();
  };
  change(
    `UPDATE part SET data = '{"type":"text","text":"changed words"}' WHERE data LIKE '%hello one"}'`,
    `UPDATE event_sequence SET seq = seq + 1 WHERE aggregate_id = '${hello}'`,
  );
  expect([before.includes("changed words"), textOf(hello)!.includes("changed words")]).toEqual([false, true]);
  // Its count did not change, so its rows were not read.
  expect(textOf(talk)).toBe(other);
  change(`DELETE FROM session WHERE id = '${fork}'`);
  expect(textOf(fork)).toBeNull();
  expect([...mirrored(folder, opencodeDatabase).keys()].sort()).toEqual([hello, talk].sort());
});

test("a missing database is no conversation; a damaged one is a problem, not an error", () => {
  const { path, folder } = recording();
  const other = join(folder, "..", "elsewhere");
  expect(opencodeTranscripts.find(other, newSearch())).toEqual([]);
  rmSync(path);
  recordedDamage(path);
  const search = newSearch();
  expect(opencodeTranscripts.find(folder, search)).toEqual([]);
  expect(search.problems).toMatchObject([
    { path, message: expect.stringMatching(/not a database|malformed/) },
  ]);
});

function recordedDamage(path: string): void {
  writeFileSync(path, "SQLite format 3\0".padEnd(8_192, "x"));
}
