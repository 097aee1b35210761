import {
  appendFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { claudeLines } from "../../src/agents/claude/transcript/lines.js";
import { plainFacts } from "../../src/transcripts/columns.js";
import { type IndexOptions, openIndex } from "../../src/transcripts/index.js";
import type { AddLines, Facts, Transcript, TranscriptParser } from "../../src/transcripts/transcript.js";
import { testHome } from "../home.js";
import { appendLine, idOf, rootIn, settled, title, transcriptPath, user, writeTranscript } from "./files.js";

function world(more: Partial<IndexOptions> = {}) {
  const { claude, root } = testHome();
  let looks = 0;
  const parser: TranscriptParser = {
    ...claudeLines,
    addFacts: (...block) => {
      looks++;
      claudeLines.addFacts(...block);
    },
  };
  const cacheDir = join(root, "cache", "hivemind");
  const open = () => openIndex({ roots: [rootIn(claude, parser)], cacheDir, saveAfterBytes: 0, ...more });
  return { claude, root, cacheDir, open, looks: () => looks };
}

/** Facts that are looked up in the cache cannot be compared directly. */
function plain(transcript: Transcript): Transcript {
  return { ...transcript, facts: plainFacts(transcript.facts) };
}

describe("the index", () => {
  test("has every transcript by its id, the last written first", async () => {
    const { claude, open } = world();
    const a = writeTranscript(transcriptPath(claude, idOf(1)), title("a"), user("m1"));
    const twin = writeTranscript(transcriptPath(claude, idOf(1), "-srv-b"), title("twin"), user("m1"));
    appendLine(a, title("later"));
    writeTranscript(transcriptPath(claude, idOf(2)), title("b"));
    await settled(twin);
    appendLine(a, title("last"));
    const { transcripts, byId, problems } = await open().refresh();
    expect(transcripts).toHaveLength(3);
    expect(byId.get(idOf(1))?.map(({ facts }) => facts.title)).toEqual(["last", "twin"]);
    expect(byId.get(idOf(2))).toMatchObject([{ id: idOf(2), facts: { title: "b", messages: 0 } }]);
    expect(problems).toEqual([]);
    const stat = statSync(a);
    expect(byId.get(idOf(1))![0]).toMatchObject({
      path: a,
      sizeBytes: stat.size,
      modifiedAtMs: stat.mtimeMs,
      bornAtMs: stat.birthtimeMs,
    });
  });

  test("opens no unchanged file, in this run and the next", async () => {
    const { claude, open, looks } = world();
    const path = writeTranscript(transcriptPath(claude, idOf(1)), title("a"), user("m1"));
    await settled(path);
    const index = open();
    const first = await index.refresh();
    expect([first.bytesRead, looks()]).toEqual([statSync(path).size, 1]);
    const again = await index.refresh();
    const reopened = await open().refresh();
    expect([again.bytesRead, reopened.bytesRead, looks()]).toEqual([0, 0, 1]);
    expect(reopened.transcripts.map(plain)).toEqual(first.transcripts);
  });

  test("reads only the new bytes of a longer file, in this run and the next", async () => {
    const { claude, open } = world();
    const path = writeTranscript(transcriptPath(claude, idOf(1)), title("a"), user("m1"));
    const index = open();
    await index.refresh();
    const line = title("new");
    appendLine(path, line);
    expect((await open().refresh()).bytesRead).toBe(line.length + 1);
    const { bytesRead, transcripts } = await index.refresh();
    expect(bytesRead).toBe(line.length + 1);
    expect(transcripts[0]!.facts).toMatchObject({ title: "new", messages: 1 });
  });

  test("reports unreadable files, and indexes the others", async () => {
    const { claude, cacheDir } = world();
    const paths = [1, 2, 3].map((n) => writeTranscript(transcriptPath(claude, idOf(n)), title(`${n}`)));
    // Replaces files by links between listing and opening: they fail for every user, even the superuser.
    const addFacts: AddLines<Facts> = (facts, bytes, from, to) => {
      claudeLines.addFacts(facts, bytes, from, to);
      for (const path of paths.filter((_, n) => `${n + 1}` !== facts.title)) {
        rmSync(path);
        symlinkSync("nowhere", path);
      }
    };
    const index = openIndex({ roots: [rootIn(claude, { ...claudeLines, addFacts })], cacheDir });
    const { transcripts, problems } = await index.refresh();
    expect(transcripts).toHaveLength(1);
    expect(problems.map(({ path }) => path).sort()).toEqual(
      paths.filter((path) => path !== transcripts[0]!.path),
    );
    for (const { modifiedAtMs, isAside } of problems)
      expect([modifiedAtMs, isAside]).toEqual([expect.any(Number), undefined]);
  });

  test("an unwritable cache is reported, and nothing is lost", async () => {
    const { claude, root, cacheDir, open } = world();
    writeTranscript(transcriptPath(claude, idOf(1)), title("a"));
    rmSync(join(root, "cache"), { recursive: true });
    writeFileSync(join(root, "cache"), "a file where the folder should be");
    const { transcripts, problems } = await open().refresh();
    expect(transcripts).toHaveLength(1);
    expect(problems.map(({ path, isAside }) => [path.startsWith(cacheDir), isAside])).toEqual([[true, true]]);
  });

  test("a returned index never changes", async () => {
    const { claude, open } = world();
    const path = writeTranscript(transcriptPath(claude, idOf(1)), title("a"), user("m1"));
    const index = open();
    const before = await index.refresh();
    const copy = structuredClone(before.transcripts);
    appendLine(path, title("b"));
    const [one, two] = await Promise.all([index.refresh(), index.refresh()]);
    expect(one.transcripts).toEqual(two.transcripts);
    expect(one.transcripts[0]!.facts.title).toBe("b");
    expect(before.transcripts).toEqual(copy);
  });

  test("drops what was deleted, shortened or cached by other rules", async () => {
    const { claude, open, root } = world();
    const gone = writeTranscript(transcriptPath(claude, idOf(1)), title("gone"));
    const short = writeTranscript(transcriptPath(claude, idOf(2)), title("first"), title("second"));
    await open().refresh();
    rmSync(gone);
    truncateSync(short, title("first").length + 1);
    expect((await open().refresh()).transcripts.map(({ facts }) => facts.title)).toEqual(["first"]);
    const parser = { ...claudeLines, name: "other rules", addFacts: () => {} };
    const other = await openIndex({
      roots: [rootIn(claude, parser)],
      cacheDir: join(root, "cache", "hivemind"),
    }).refresh();
    expect(other.transcripts.map(({ facts }) => facts.title)).toEqual([null]);
  });

  test("the cache is written only when it saves more reading than it costs", async () => {
    const { claude, cacheDir, open } = world({ saveAfterBytes: 1000 });
    const path = writeTranscript(transcriptPath(claude, idOf(1)), title("a"));
    const index = open();
    await index.refresh();
    expect(() => readdirSync(cacheDir)).toThrow("ENOENT");
    appendFileSync(path, `${title("x".repeat(1000))}\n`);
    await index.refresh();
    expect(readdirSync(cacheDir)).toHaveLength(1);
  });
});
