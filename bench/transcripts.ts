// Measures the transcript index, as ratios to what the machine itself needs in the same run.
//
// npx tsx bench/transcripts.ts [TRANSCRIPTS] [MEGABYTES]

import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { type Bar, isMet } from "./bar.js";
import { type Corpus, makeCorpus } from "./corpus.js";
import type { Refreshed } from "./transcripts-child.js";

const residentBar = 150;
const rounds = 3;

/** Measures with its own corpus, of the intended size. */
export async function transcriptBars(transcripts = 2000, megabytes = 2000): Promise<Bar[]> {
  const folder = mkdtempSync(join(tmpdir(), "hm-corpus-"));
  try {
    return await measureTranscripts(folder, makeCorpus({ folder, transcripts, bytes: megabytes * 1e6 }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** `folder` holds the corpus. Everything made here goes into a temporary folder and is removed. */
export async function measureTranscripts(folder: string, corpus: Corpus): Promise<Bar[]> {
  const temporary = mkdtempSync(join(tmpdir(), "hm-bench-"));
  try {
    const refresh = await builtRefresh(temporary, folder);
    return [...coldRows(corpus, refresh), warmRow(refresh), appendRow(corpus, refresh)];
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

type Refresh = (cache: "none" | "kept") => Refreshed & { wallMs: number };

/** As shipped: bundled, with the second thread's program beside it. */
async function builtRefresh(temporary: string, folder: string): Promise<Refresh> {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const out = join(temporary, "dist");
  await build({
    entryPoints: {
      child: join(here, "transcripts-child.ts"),
      "lines-worker": join(here, "../src/agents/claude/transcript/lines-worker.ts"),
    },
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20.19",
    outdir: out,
  });
  writeFileSync(join(out, "package.json"), '{"type":"module"}');
  const cache = join(temporary, "cache");
  return (kept) => {
    if (kept === "none") rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    const { stdout, wallMs } = timed(process.execPath, [join(out, "child.js"), folder, cache]);
    return { ...(JSON.parse(stdout) as Refreshed), wallMs };
  };
}

function coldRows(corpus: Corpus, refresh: Refresh): Bar[] {
  const cats: number[] = [];
  const colds: Refreshed[] = [];
  for (let round = 0; round < rounds; round++) {
    cats.push(timed("sh", ["-c", 'exec cat "$@" > /dev/null', "cat", ...corpus.files]).wallMs);
    colds.push(refresh("none"));
  }
  const cat = Math.min(...cats);
  const cold = Math.min(...colds.map(({ refreshMs }) => refreshMs));
  const resident = Math.max(...colds.map(({ residentMb }) => residentMb));
  const size = `${colds[0]!.transcripts} transcripts, ${(corpus.bytes / 1e6).toFixed(0)} MB`;
  return [
    {
      name: "cold index / cat",
      ratio: cold / cat,
      bar: 3,
      detail: `${size}: ${cold.toFixed(0)} ms to ${cat.toFixed(0)} ms`,
    },
    {
      name: "cold index resident / 150 MB",
      ratio: resident / residentBar,
      bar: 1,
      detail: `${resident.toFixed(0)} MB`,
    },
  ];
}

/** Both are whole processes: what a person waits for. */
function warmRow(refresh: Refresh): Bar {
  const bare: number[] = [];
  const warm: (Refreshed & { wallMs: number })[] = [];
  for (let round = 0; round < 3 * rounds; round++) {
    bare.push(timed(process.execPath, ["-e", "0"]).wallMs);
    warm.push(refresh("kept"));
  }
  if (warm.some(({ bytesRead }) => bytesRead > 0)) throw new Error("a warm index read a transcript");
  const [least, node] = [Math.min(...warm.map(({ wallMs }) => wallMs)), Math.min(...bare)];
  const own = Math.min(...warm.map(({ refreshMs }) => refreshMs));
  const detail = `${least.toFixed(0)} ms to ${node.toFixed(0)} ms; the index alone ${own.toFixed(0)} ms`;
  return { name: "warm index / node -e 0", ratio: least / node, bar: 2, detail };
}

/** Too little for a new cache: the second run reads both lines. */
function appendRow(corpus: Corpus, refresh: Refresh): Bar {
  const file = corpus.files[0]!;
  const line = `${JSON.stringify({ type: "custom-title", customTitle: "appended" })}\n`;
  appendFileSync(file, line);
  const first = refresh("kept").bytesRead;
  appendFileSync(file, line);
  const second = refresh("kept").bytesRead;
  const ratio = Math.max(first / line.length, second / (2 * line.length));
  const detail = `${first} bytes read for ${line.length} appended to ${statSync(file).size}`;
  return { name: "bytes read / bytes appended", ratio, bar: 1, detail };
}

function timed(program: string, args: readonly string[]): { stdout: string; wallMs: number } {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 1 << 24 });
  const wallMs = performance.now() - start;
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
  return { stdout, wallMs };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [transcripts = "2000", megabytes = "2000"] = process.argv.slice(2);
  for (const bar of await transcriptBars(Number(transcripts), Number(megabytes))) {
    console.log(
      `${isMet(bar) ? "met   " : "MISSED"} ${bar.name}: ${bar.ratio.toFixed(2)} (≤ ${bar.bar}) ${bar.detail}`,
    );
  }
}
