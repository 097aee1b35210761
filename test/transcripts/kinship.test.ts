import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { claudeLines } from "../../src/agents/claude/transcript/lines.js";
import { openIndex } from "../../src/transcripts/index.js";
import { readParents } from "../../src/transcripts/lineage/parent-cache.js";
import { testHome } from "../home.js";
import { appendLine, idOf, rootIn, settled, transcriptPath, user, writeTranscript } from "./files.js";

function world() {
  const { claude, root } = testHome();
  const cacheDir = join(root, "cache", "hivemind");
  const options = { cacheDir, parser: claudeLines, saveAfterBytes: 0, quietMs: 0 };
  const look = async (more: object = {}) => {
    const index = await openIndex({ roots: [rootIn(claude)], ...options }).refresh();
    return new Map(await readParents(index, { ...options, ...more }));
  };
  return { claude, cacheDir, look, kept: join(cacheDir, "kinship.json") };
}

const at = (minute: number) => ({ timestamp: `2026-01-01T00:${String(minute).padStart(2, "0")}:00Z` });

async function family(claude: string): Promise<string[]> {
  const paths = [1, 2].map((n) =>
    writeTranscript(
      transcriptPath(claude, idOf(n)),
      user("root", at(0)),
      user("shared", at(1)),
      user(`own${n}`, at(n + 1)),
    ),
  );
  await settled(paths[1]!);
  return paths;
}

test("the cached result of a family counts while its files are unchanged", async () => {
  const { claude, look, kept } = world();
  const paths = await family(claude);
  const first = await look();
  expect([...first.values()]).toMatchObject([{ forkPoint: "shared" }]);
  // A change in the cache changes the answer, which proves that it came from the cache.
  keptWith(kept, (text) => text.replaceAll('"shared"', '"planted"'));
  expect([...(await look()).values()]).toMatchObject([{ forkPoint: "planted" }]);

  appendLine(paths[0]!, user("more", at(9)));
  expect(await look()).toEqual(first);
  keptWith(kept, (text) => text.replaceAll('"shared"', '"planted"'));
  writeTranscript(transcriptPath(claude, idOf(3)), user("root", at(0)), user("own3", at(8)));
  expect((await look()).size).toBe(2);
  keptWith(kept, (text) => text.replaceAll('"shared"', '"planted"'));
  rmSync(transcriptPath(claude, idOf(3)));
  expect(await look()).toEqual(first);
});

test.each<[string, (path: string) => void]>([
  ["grew", (path) => appendLine(path, user("shared", at(1)))],
  ["has other words of the same length", (path) => rewrite(path, (text) => text.replace("shared", "silent"))],
  ["was cut", (path) => rewrite(path, (text) => text.slice(0, text.indexOf("\n") + 1))],
  ["was replaced", replace],
  ["is gone", (path) => rmSync(path)],
  ["moved to another folder", (path) => renameSync(dirname(path), `${dirname(path)}-moved`)],
])("a family is compared again after its file %s", async (_, change) => {
  const { claude, cacheDir, look } = world();
  const [, child] = await family(claude);
  await look();
  change(child!);
  const cached = await look();
  rmSync(cacheDir, { recursive: true });
  expect(cached).toEqual(await look());
});

test("a family is compared again after a change that the clock dates before the last look", async () => {
  const { claude, cacheDir, look } = world();
  const [, child] = await family(claude);
  await look();
  const { atime, mtime } = statSync(child!);
  rewrite(child!, (text) => text.replace("shared", "silent"));
  utimesSync(child!, atime, mtime);
  const cached = await look();
  rmSync(cacheDir, { recursive: true });
  expect(cached).toEqual(await look());
});

function replace(path: string): void {
  rmSync(path);
  writeTranscript(path, user("root", at(0)), user("else", at(3)));
}

function rewrite(path: string, change: (text: string) => string): void {
  writeFileSync(path, change(readFileSync(path, "utf8")));
}

/** Rewrites the cache with a correct checksum. */
function keptWith(path: string, change: (text: string) => string): void {
  const text = readFileSync(path, "utf8");
  const end = text.indexOf("\n");
  const body = Buffer.from(change(text.slice(end + 1)));
  const header = { ...JSON.parse(text.slice(0, end)), bytes: body.length, sum: crc32(body) };
  writeFileSync(path, `${JSON.stringify(header)}\n${body}`);
}

test.each<[string, (text: string) => string]>([
  ["torn", (text) => text.slice(0, -20)],
  ["empty", () => ""],
  ["no cache at all", () => "rubbish\n[]"],
  ["of other rules", (text) => text.replace('"key":"', '"key":"other ')],
  ["changed", (text) => text.replace('"shared"', '"planted"')],
])("a cache that is %s is ignored", async (_, change) => {
  const { claude, look, kept } = world();
  await family(claude);
  const first = await look();
  writeFileSync(kept, change(readFileSync(kept, "utf8")));
  expect(await look()).toEqual(first);
});

test("a family that is being written to is not cached", async () => {
  const { claude, look, kept } = world();
  await family(claude);
  const known = await look({ quietMs: 60_000 });
  expect(existsSync(kept)).toBe(false);
  expect(await look()).toEqual(known);
  expect(existsSync(kept)).toBe(true);
});

test("cached and computed results are equal after any change of the files", async () => {
  const step = fc.record({
    what: fc.constantFrom("write", "append", "remove", "look"),
    file: fc.integer({ min: 1, max: 4 }),
    root: fc.constantFrom("r1", "r2"),
    shared: fc.nat(3),
    isSettled: fc.boolean(),
  });
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
      const { claude, cacheDir, look } = world();
      for (const { what, file, root, shared, isSettled } of steps) {
        const path = transcriptPath(claude, idOf(file));
        const common = Array.from({ length: shared }, (_, n) => user(`${root}-${n}`, at(n + 1)));
        const own = user(`own${++made}`, at(10 + (made % 40)));
        if (what === "write") writeTranscript(path, user(root, at(0)), ...common, own);
        if (what === "append" && existsSync(path)) appendFileSync(path, `${own}\n`);
        if (what === "remove") rmSync(path, { force: true });
        if (what === "look") await look();
        if (isSettled && existsSync(path)) await settled(path);
      }
      const kept = await look();
      expect(await look()).toEqual(kept);
      rmSync(cacheDir, { recursive: true, force: true });
      expect(await look()).toEqual(kept);
    }),
    { numRuns: 25 },
  );
});
