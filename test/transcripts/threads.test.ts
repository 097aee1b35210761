import { copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { claudeLines } from "../../src/agents/claude/transcript/lines.js";
import { codexTranscripts } from "../../src/agents/codex/find.js";
import { codexLines } from "../../src/agents/codex/transcript/lines.js";
import { openIndex } from "../../src/transcripts/index.js";
import type { Progress } from "../../src/transcripts/scan/scan-all.js";
import { type TestHome, testHome } from "../home.js";
import { idOf, rootIn, title, transcriptPath, user, writeTranscript } from "./files.js";

const count = 40;

function manyTranscripts(): TestHome {
  const home = testHome();
  const filler = user("m", { message: { content: "x".repeat(200_000) } });
  for (let n = 1; n <= count; n++)
    writeTranscript(transcriptPath(home.claude, idOf(n)), title(`t${n}`), filler);
  return home;
}

async function titlesWith(home: TestHome, worker: URL | undefined) {
  const said: Progress[] = [];
  const { worker: _, ...alone } = claudeLines;
  const index = openIndex({
    roots: [rootIn(home.claude, worker === undefined ? alone : { ...alone, worker })],
    cacheDir: join(home.root, "cache"),
    workerFromBytes: 0,
    onProgress: (progress) => said.push(progress),
  });
  const { transcripts, problems } = await index.refresh();
  return { titles: transcripts.map(({ id, facts }) => `${id} ${facts.title}`).sort(), problems, said };
}

const expected = Array.from({ length: count }, (_, n) => `${idOf(n + 1)} t${n + 1}`);

async function builtWorker(home: TestHome, kind: "claude" | "codex" = "claude"): Promise<URL> {
  const outfile = join(home.root, "lines-worker.mjs");
  await build({
    entryPoints: [`src/agents/${kind}/transcript/lines-worker.ts`],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  return pathToFileURL(outfile);
}

test("two threads give what one gives", async () => {
  const home = manyTranscripts();
  const { titles, problems } = await titlesWith(home, await builtWorker(home));
  expect(titles).toEqual(expected);
  expect(problems).toEqual([]);
});

test("two threads read rollouts as one does", async () => {
  const home = testHome();
  const day = join(home.root, "codex/sessions/2026/11/18");
  mkdirSync(day, { recursive: true });
  for (let n = 0; n < count; n++) {
    const id = `01a1ed6e-0553-7f82-bb3b-${String(n).padStart(12, "0")}`;
    const recorded = `test/kinds/codex/rollouts/${n % 2 === 0 ? "talk" : "fork"}.jsonl`;
    copyFileSync(recorded, join(day, `rollout-2026-11-18T06-52-52-${id}.jsonl`));
  }
  const worker = await builtWorker(home, "codex");
  const { worker: _, ...alone } = codexLines;
  const [one, two] = await Promise.all(
    [alone, { ...alone, worker }].map(async (parser) => {
      const root = { folder: join(home.root, "codex"), format: { ...codexTranscripts, parser } };
      const cacheDir = join(home.root, parser === alone ? "one" : "two");
      const { transcripts } = await openIndex({ roots: [root], cacheDir, workerFromBytes: 0 }).refresh();
      return transcripts.map(({ id, facts }) => ({ id, facts }));
    }),
  );
  expect(two).toHaveLength(count);
  expect(two).toEqual(one);
});

test("a thread that gets many orders leaves no warning", async () => {
  const home = manyTranscripts();
  const worker = await builtWorker(home);
  const warnings: string[] = [];
  const hear = (warning: Error) => warnings.push(warning.name);
  process.on("warning", hear);
  for (let order = 0; order < 12; order++) {
    rmSync(join(home.root, "cache"), { recursive: true, force: true });
    expect((await titlesWith(home, worker)).titles).toEqual(expected);
  }
  process.off("warning", hear);
  expect(warnings).toEqual([]);
});

test.each<[string, string]>([
  [
    "takes files and dies",
    "import { workerData } from 'node:worker_threads'; Atomics.add(workerData.share, 0, 5n); process.exit(1);",
  ],
  [
    "takes files and fails",
    "import { workerData } from 'node:worker_threads'; Atomics.add(workerData.share, 0, 5n); throw new Error('x');",
  ],
  ["is not a program", "this is not a program"],
])("a second thread that %s costs no file", async (_, program) => {
  const home = manyTranscripts();
  const path = join(home.root, "worker.mjs");
  writeFileSync(path, program);
  expect((await titlesWith(home, pathToFileURL(path))).titles).toEqual(expected);
});

test("a missing program of the second thread costs no file", async () => {
  const home = manyTranscripts();
  expect((await titlesWith(home, pathToFileURL(join(home.root, "missing.mjs")))).titles).toEqual(expected);
});

test("progress is reported, and ends with the total", async () => {
  const { said } = await titlesWith(manyTranscripts(), undefined);
  const last = said.at(-1)!;
  expect(last.doneFiles).toBe(count);
  expect(last.doneBytes).toBe(last.totalBytes);
  expect(last.totalBytes).toBeGreaterThan(count * 200_000);
});
