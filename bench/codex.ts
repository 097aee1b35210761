// The list of all sessions over 1,000 rollouts of Codex, against the same bars as over Claude Code's transcripts.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Bar, barOf, megas, warmBar, whole } from "./bar.js";
import { makeRollouts } from "./codex-corpus.js";
import { makeBenchHome, node } from "./home.js";
import { medianOf, type Timed, type Used, used, usedInTurns } from "./used.js";
import { allSessionsBars, residentMb } from "./waits.js";

const catAll = "find sessions -name 'rollout-*.jsonl' -print0 | xargs -0 cat > /dev/null";
const name = "`hivemind sessions --all` on Codex";

export async function codexBars({ rollouts = 1_000, bytes = 1e9, rounds = 20 } = {}): Promise<Bar[]> {
  const home = makeBenchHome("codex");
  try {
    const folder = join(home.root, "codex");
    const corpus = makeRollouts({ folder, rollouts, bytes, workFolder: home.root });
    const env: Record<string, string> = { ...home.env, CODEX_HOME: folder };
    const list: Timed = { ...home.hivemind("sessions", "--all"), env };
    const cat: Timed = { program: "sh", args: ["-c", catAll], cwd: folder };

    // The first run ever, best of three: nothing is cached but the files themselves.
    const [cats, runs]: [Used[], Used[]] = [[], []];
    for (let round = 0; round < 3; round++) {
      cats.push(used(cat));
      rmSync(env.XDG_CACHE_HOME!, { recursive: true, force: true });
      runs.push(used(list));
    }
    const [ownMs, catMs, cpuMs] = [least(runs, "wallMs"), least(cats, "wallMs"), least(runs, "cpuMs")];
    const size = `${corpus.files.length} rollouts, ${megas(corpus.bytes)} MB`;
    const spent = `${whole(ownMs)} ms to ${whole(catMs)} ms, ${whole(cpuMs)} ms of processor time`;
    const most = Math.max(...runs.map((run) => run.residentMb));

    const empty: Timed = { program: node, args: ["-e", "0"], env };
    const [bare, warm] = usedInTurns([empty, list], rounds) as [Used[], Used[]];
    const bareMs = medianOf(bare, "cpuMs");
    const aboveMs = medianOf(warm, "cpuMs") - bareMs;
    const { cold, warmMs } = allSessionsBars;
    const waited = `${whole(medianOf(warm, "wallMs"))} ms on the clock, node ${whole(medianOf(bare, "wallMs"))} ms`;
    return [
      { name: `cold ${name} / cat`, ratio: ownMs / catMs, bar: cold, detail: `${size}: ${spent}` },
      barOf(`cold ${name} resident / ${residentMb} MB`, most / residentMb, `${whole(most)} MB`),
      warmBar(
        `warm ${name}`,
        aboveMs,
        warmMs,
        `${aboveMs.toFixed(1)} ms above ${bareMs.toFixed(1)} ms of an empty node; ${waited}`,
      ),
    ];
  } finally {
    home.remove();
  }
}

function least(runs: readonly Used[], what: keyof Used): number {
  return Math.min(...runs.map((run) => run[what]));
}
