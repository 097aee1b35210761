// The search over real files, held to what parsing every line would find.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { readUtterance, textMembers } from "../../src/agents/claude/transcript/utterance.js";
import { hitsIn, searchSessions } from "../../src/fleet/sessions/search.js";
import { searchFromEnd } from "../../src/fleet/sessions/search-from-end.js";
import { type SearchThread, startSearchThread } from "../../src/fleet/sessions/search-thread.js";
import { listSessions, type SessionEntry } from "../../src/fleet/sessions/session-list.js";
import { limits } from "../../src/limits.js";
import { newBlock } from "../../src/transcripts/scan/scan.js";
import { openQuery } from "../../src/transcripts/search/query.js";
import { searchFile } from "../../src/transcripts/search/search.js";
import { fleetOf, transcript } from "../fleet/made.js";
import { testHome, until } from "../home.js";

interface Parts {
  words: string;
  folder: string;
  key: string;
  kind: number;
}

/** As the client writes them: what stands around the message holds the same words as the message. */
function lineOf({ words, folder, key, kind }: Parts): string {
  const head = { parentUuid: null, cwd: folder, sessionId: "s", gitBranch: folder };
  const tail = { uuid: key, timestamp: "2026-01-01T00:00:00Z" };
  const content = [
    words,
    [{ type: "text", text: words }],
    [{ type: "tool_use", id: key, name: "Edit", input: { [key]: words, more: [words] } }],
    [{ type: "tool_result", tool_use_id: key, content: words }],
  ][kind % 4];
  if (kind === 4) return JSON.stringify({ ...head, type: "system", content: words, ...tail });
  if (kind === 5) return JSON.stringify({ type: "custom-title", customTitle: words });
  if (kind === 6) return `${JSON.stringify({ ...head, words })}}`;
  const type = kind % 2 === 0 ? "user" : "assistant";
  return JSON.stringify({ ...head, type, message: { model: key, content }, ...tail });
}

describe("lines", () => {
  const text = fc.string({ unit: fc.constantFrom(...'abAB "\\\n/{[:,é日uid'), maxLength: 10 });
  const record = fc.record({ words: text, folder: text, key: text, kind: fc.nat(6) });

  test("finds exactly the lines whose text contains the query", () => {
    const path = join(testHome().work, "t.jsonl");
    const block = newBlock();
    const property = fc.property(fc.array(record, { maxLength: 8 }), text, (records, wanted) => {
      fc.pre(wanted !== "");
      const lines = records.map(lineOf);
      writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
      const query = openQuery(wanted);
      const count = (line: string) => {
        const said = readUtterance(line);
        return said === null ? 0 : hitsIn(said, query).length;
      };
      const found: string[] = [];
      const onLine = (line: string) => {
        if (count(line) > 0) found.push(line);
        return true;
      };
      searchFile(path, { query, textMembers, onLine }, block);
      expect(found).toEqual(lines.filter((line) => count(line) > 0));
    });
    fc.assert(property, { numRuns: 300 });
  });

  test.each(["uuid", "parentUuid", "/srv/code", "gitBranch", "sessionId"])(
    "%s around a message is skipped without parsing",
    (wanted) => {
      const path = join(testHome().work, "t.jsonl");
      writeFileSync(path, `${lineOf({ words: "x", folder: "/srv/code", key: "k", kind: 1 })}\n`.repeat(3));
      const given: string[] = [];
      const onLine = (line: string) => given.push(line) > 0;
      searchFile(path, { query: openQuery(wanted), textMembers, onLine }, newBlock());
      expect(given).toEqual([]);
    },
  );

  test.each(['needle": x', '"needle":', 'needle\\\\":', '{"a":"needle"}', "\\needle\\"])(
    "%s is found as text, whatever it looks like",
    (words) => {
      const path = join(testHome().work, "t.jsonl");
      writeFileSync(path, `${lineOf({ words, folder: "/f", key: "k", kind: 1 })}\n`);
      const given: string[] = [];
      const onLine = (line: string) => given.push(line) > 0;
      searchFile(path, { query: openQuery("needle"), textMembers, onLine }, newBlock());
      expect(given).toHaveLength(1);
    },
  );

  test("a line that is too long is skipped and counted, and the next one is found", () => {
    const path = join(testHome().work, "t.jsonl");
    const line = (words: string) => lineOf({ words, folder: "/f", key: "k", kind: 0 });
    const giant = line(`needle ${"x".repeat(limits.transcriptLineBytes)}`);
    writeFileSync(path, `${giant}\n${line("a needle")}`);
    const given: number[] = [];
    const onLine = (each: string) => given.push(each.length) > 0;
    const block = newBlock();
    expect(searchFile(path, { query: openQuery("needle"), textMembers, onLine }, block)).toBe(1);
    expect(given).toEqual([line("a needle").length]);
    expect(block.bytes.length).toBe(limits.transcriptBlockBytes);
  });
});

describe("sessions", () => {
  const words = (text: string) => lineOf({ words: text, folder: "/f", key: "k", kind: 0 });

  /** One file each, given as its messages. */
  function saved(...files: string[][]): SessionEntry[] {
    const { work } = testHome();
    const made = files.map((messages, at) => {
      const path = join(work, `${at}.jsonl`);
      writeFileSync(path, messages.map((each) => `${words(each)}\n`).join(""));
      return transcript(at, {}, { path, modifiedAtMs: -at });
    });
    return listSessions(fleetOf(made), { ordinary: 1, large: 2 });
  }
  const search = (entries: readonly SessionEntry[], wanted: string, more: object = {}) =>
    searchSessions(entries, openQuery(wanted), { most: 100, perSession: 10, ...more });
  const matches = ({ found }: Awaited<ReturnType<typeof search>>) =>
    found.map(({ entry, hits }) => [
      entry.path!.at(-7),
      hits.map(({ before, match, after }) => before + match + after),
    ]);

  test("text is found as written, not as JSON escapes it", async () => {
    const entries = saved(['he said "no"\nand went', "tab\there \\n"], ["nothing"]);
    expect(matches(await search(entries, 'said "no"\nand'))).toEqual([["0", ['he said "no" and went']]]);
    expect(matches(await search(entries, "\\n"))).toEqual([["0", ["tab here \\n"]]]);
    for (const wanted of ['\\"', "type", "message", "\\t", "u0022"]) {
      expect((await search(entries, wanted)).found).toEqual([]);
    }
  });

  test("a match shows its context on one line, in whole characters", async () => {
    const far = "🐝".repeat(limits.searchContextLength);
    const [found] = (await search(saved([`${far}\n\n the word \n${far}`]), "word")).found;
    const { before, after } = found!.hits[0]!;
    expect(before).toMatch(/^…🐝+ the $/u);
    expect(after).toMatch(/^ 🐝+…$/u);
  });

  test("sessions in the given order, the first matches of each", async () => {
    const entries = saved(["a1 a2", "a3 a4"], ["b a5"], ["c"]);
    const result = await search(entries, "a", { perSession: 3 });
    expect(result.found.map(({ hits, isCut }) => [hits.length, isCut])).toEqual([
      [3, true],
      [1, false],
    ]);
    expect(result).toMatchObject({ searched: 3, ended: null, problems: [] });
  });

  test("stops after enough matches, or when interrupted", async () => {
    const entries = saved(["x"], ["x"], ["x"]);
    expect(await search(entries, "x", { most: 2 })).toMatchObject({ searched: 2, ended: "enough" });
    expect(await search(entries, "x", { most: 3 })).toMatchObject({ searched: 3, ended: null });
    const stop = new AbortController();
    const result = await search(entries, "x", { signal: stop.signal, onFound: () => stop.abort() });
    expect(result).toMatchObject({ searched: 1, ended: "interrupted" });
    expect(result.found).toHaveLength(1);
  });

  test("an unreadable file is reported, and the others are searched", async () => {
    const entries = saved(["x"], ["x"], ["x"]);
    const broken = { ...entries[0]!, path: join(entries[0]!.path!, "..") };
    const silent = { ...entries[1]!, path: null };
    const result = await search([broken, silent, entries[2]!], "x");
    expect(result.found.map(({ entry }) => entry)).toEqual([entries[2]]);
    expect(result.problems).toMatchObject([{ path: broken.path }]);
  });

  test("lines that are too long are reported, even if the second thread found nothing", async () => {
    const [entry] = saved(["x".repeat(limits.transcriptLineBytes)]);
    const message = `1 line of more than ${limits.transcriptLineBytes} bytes left out`;
    expect(await search([entry!], "x")).toMatchObject({
      found: [],
      problems: [{ path: entry!.path, message }],
    });
    const states = new Int32Array(1);
    searchFromEnd({ files: [{ path: entry!.path!, textMembers }], text: "y", states });
    expect(states[0]).toBe(3);
  });

  describe("with a second thread", () => {
    const built = new URL("../../dist/search-worker.js", import.meta.url);
    const files = Array.from({ length: 40 }, (_, at) => [at % 7 === 3 ? `needle ${at}` : `hay ${at}`]);
    test("a file with the text is never skipped; one without it may be", async () => {
      const second = await startSearchThread(saved(...files), openQuery("needle"), built, 0);
      onTestFinished(() => second!.stop());
      await second!.ended;
      const kept: boolean[] = [];
      for (const place of files.keys()) kept.push(await second!.mayHold(place));
      expect(kept).toEqual(files.map(([text]) => text!.startsWith("needle")));
    });

    const answers = async (second: SearchThread | null) => {
      onTestFinished(() => second!.stop());
      const all: boolean[] = [];
      for (const place of files.keys()) all.push(await second!.mayHold(place));
      return all;
    };
    const everything = files.map(() => true);

    test("if it cannot start, the first thread does all the work", async () => {
      const nowhere = new URL("./nowhere.js", import.meta.url);
      const second = await startSearchThread(saved(...files), openQuery("needle"), nowhere, 0);
      expect(await answers(second)).toEqual(everything);
    });

    test("if it dies, the first thread takes over its files", async () => {
      const marked = join(testHome().work, "marked");
      const dying =
        "import { workerData } from 'node:worker_threads'; import { writeFileSync } from 'node:fs';" +
        `workerData.states.fill(1); writeFileSync('${marked}', ''); setTimeout(() => process.exit(1), 100);`;
      const program = new URL(`data:text/javascript,${encodeURIComponent(dying)}`);
      const second = await startSearchThread(saved(...files), openQuery("needle"), program, 0);
      await until("it has taken all", () => existsSync(marked));
      expect(await answers(second)).toEqual(everything);
    });
  });
});
