import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { claudeLines } from "../../src/agents/claude/transcript/lines.js";
import { openIndex } from "../../src/transcripts/index.js";
import type { Progress } from "../../src/transcripts/scan/scan-all.js";
import { type TestHome, testHome } from "../home.js";
import { idOf, title, transcriptPath, user, writeTranscript } from "./files.js";

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
    roots: [home.claude],
    cacheDir: join(home.root, "cache"),
    parser: worker === undefined ? alone : { ...alone, worker },
    workerFromBytes: 0,
    onProgress: (progress) => said.push(progress),
  });
  const { transcripts, problems } = await index.refresh();
  return { titles: transcripts.map(({ id, facts }) => `${id} ${facts.title}`).sort(), problems, said };
}

const expected = Array.from({ length: count }, (_, n) => `${idOf(n + 1)} t${n + 1}`);

test("two threads give what one gives", async () => {
  const home = manyTranscripts();
  const outfile = join(home.root, "lines-worker.mjs");
  await build({
    entryPoints: ["src/agents/claude/transcript/lines-worker.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  const { titles, problems } = await titlesWith(home, pathToFileURL(outfile));
  expect(titles).toEqual(expected);
  expect(problems).toEqual([]);
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
