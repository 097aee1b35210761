// Compares the answers of two builds, byte by byte, over corpora of several seeds: a faster way must not give another
// answer.
//
// npx tsx bench/same-answers.ts OTHER_DIST [--seeds 3,4,5] [--transcripts N] [--megabytes N]

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { makeCorpus } from "./corpus.js";

const { values, positionals } = parseArgs({
  options: {
    seeds: { type: "string", default: "3,4,5" },
    transcripts: { type: "string", default: "300" },
    megabytes: { type: "string", default: "150" },
  },
  allowPositionals: true,
});
const [other] = positionals;
if (other === undefined) throw new Error("usage: same-answers.ts OTHER_DIST [--seeds N,N…]");
const builds = [resolve(other), fileURLToPath(new URL("../dist", import.meta.url))];
/** `in N` asks in the corpus's folder of that number. */
const questions = [
  ...["sessions --all --json", "lineage --all --json", "status --json"],
  ...["sessions in 0", "sessions in 3", "sessions in 17"],
];

const root = mkdtempSync(join(tmpdir(), "hm-same-"));
try {
  for (const seed of values.seeds.split(",")) {
    const claude = join(root, `claude-${seed}`);
    const size = { transcripts: Number(values.transcripts), bytes: Number(values.megabytes) * 1e6 };
    makeCorpus({ folder: claude, seed: Number(seed), workFolder: root, ...size });
    for (const question of questions) {
      const [then, now] = builds.map((build) => [
        answer(build, claude, question),
        answer(build, claude, question),
      ]);
      // The first answer of each is cold, the second comes from the cache.
      const isSame = new Set([...then!, ...now!]).size === 1;
      console.log(
        `seed ${seed}: ${question}: ${isSame ? "the same" : "DIFFERENT"}, ${now![0]!.length} bytes`,
      );
      if (!isSame) process.exitCode = 1;
    }
    rmSync(claude, { recursive: true });
  }
} finally {
  rmSync(root, { recursive: true, force: true });
}

function answer(build: string, claude: string, question: string): string {
  const home = join(root, "home");
  mkdirSync(join(home, "config"), { recursive: true });
  const env = {
    ...{ PATH: process.env.PATH ?? "", HOME: home, LANG: "C.UTF-8", TERM: "dumb", CLAUDE_CONFIG_DIR: claude },
    HIVEMIND_CONFIG_DIR: join(home, "config"),
    HIVEMIND_TMUX_SOCKET: join(home, "tmux"),
    XDG_CACHE_HOME: join(home, build.replaceAll("/", "-"), claude.replaceAll("/", "-")),
  };
  const [command, folder] = question.split(" in ") as [string, string?];
  const cwd = folder === undefined ? home : join(root, `project-${folder}`);
  mkdirSync(cwd, { recursive: true });
  const args = [join(build, "main.cjs"), ...command.split(" ")];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    env,
    cwd,
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`${question}: exit code ${status}: ${stderr}`);
  return stdout.toString("utf8");
}
