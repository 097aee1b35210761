// `sessions search` over everything, for a word that occurs in one conversation only: nothing ends it early.
//
// npx tsx bench/search.ts [TRANSCRIPTS] [MEGABYTES]

import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type Bar, isMet, medianTimes, type Timed } from "./bar.js";
import { makeCorpus } from "./corpus.js";

const main = fileURLToPath(new URL("../dist/main.cjs", import.meta.url));
const word = "zanzibar";
const rounds = 5;

export async function searchBars(transcripts = 2000, megabytes = 2000): Promise<Bar[]> {
  const root = mkdtempSync(join(tmpdir(), "hm-search-"));
  try {
    const env = {
      ...{ PATH: process.env.PATH ?? "", HOME: root, LC_ALL: "C.UTF-8", TERM: "dumb" },
      HIVEMIND_CONFIG_DIR: join(root, "config"),
      HIVEMIND_TMUX_SOCKET: join(root, "tmux"),
      CLAUDE_CONFIG_DIR: join(root, "claude"),
      XDG_CACHE_HOME: join(root, "cache"),
    };
    mkdirSync(env.CLAUDE_CONFIG_DIR);
    const corpus = makeCorpus({ folder: env.CLAUDE_CONFIG_DIR, transcripts, bytes: megabytes * 1e6 });
    plant(corpus.files[Math.floor(corpus.files.length / 2)]!);
    const search: Timed = {
      program: process.execPath,
      args: [main, "sessions", "search", "--all", word],
      env,
      cwd: root,
    };
    const found = spawnSync(search.program, search.args, { env, cwd: root, encoding: "utf8" });
    if (found.status !== 0) throw new Error(`the search found nothing: ${found.stderr}`);
    const other = searcher(env.CLAUDE_CONFIG_DIR);
    const [own, theirs] = medianTimes([search, other], rounds) as [number, number];
    const detail = `${own.toFixed(0)} ms against ${theirs.toFixed(0)} ms of ${other.program}, ${(corpus.bytes / 1e6).toFixed(0)} MB`;
    return [{ name: `\`sessions search\` against ${other.program}`, ratio: own / theirs, bar: 6, detail }];
  } finally {
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function plant(file: string): void {
  const message = { role: "user", content: `somebody said ${word} here` };
  appendFileSync(file, `\n${JSON.stringify({ type: "user", uuid: "planted", message })}\n`);
}

/** ripgrep, or grep if it is not installed. Counts matches: without output some stop at the first one. */
function searcher(folder: string): Timed {
  const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;
  if (hasRipgrep) {
    return { program: "rg", args: ["--no-ignore", "--hidden", "--smart-case", "-cF", word, folder] };
  }
  return { program: "grep", args: ["-rciF", word, folder], env: { ...process.env, LC_ALL: "C" } };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const [transcripts = "2000", megabytes = "2000"] = process.argv.slice(2);
  for (const bar of await searchBars(Number(transcripts), Number(megabytes))) {
    const answer = isMet(bar) ? "met   " : "MISSED";
    console.log(`${answer} ${bar.name}: ${bar.ratio.toFixed(2)} (≤ ${bar.bar}) ${bar.detail}`);
  }
}
