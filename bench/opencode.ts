// The list of all sessions over OpenCode's database of 1,000 conversations, against the same bars as over Claude Code's
// transcripts. Cold, the database is copied, and each conversation becomes a file.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { type Bar, barOf, megas, warmBar, whole } from "./bar.js";
import { makeBenchHome, node } from "./home.js";
import { makeDatabase } from "./opencode-corpus.js";
import { medianOf, type Timed, type Used, used, usedInTurns } from "./used.js";
import { allSessionsBars, residentMb } from "./waits.js";

const name = "`hivemind sessions --all` on OpenCode";

export async function opencodeBars({ sessions = 1_000, bytes = 1e8, rounds = 20 } = {}): Promise<Bar[]> {
  const home = makeBenchHome("opencode");
  try {
    const share = join(home.root, "share");
    const corpus = makeDatabase({ folder: join(share, "opencode"), sessions, bytes, workFolder: home.root });
    const env: Record<string, string> = { ...home.env, XDG_DATA_HOME: share };
    const list: Timed = { ...home.hivemind("sessions", "--all"), env };
    // Reading the same rows with the same library, and nothing else.
    const plain: Timed = { program: node, args: ["-e", readAll, corpus.path], env, cwd: process.cwd() };

    const [plains, runs]: [Used[], Used[]] = [[], []];
    for (let round = 0; round < 3; round++) {
      plains.push(used(plain));
      for (const made of [env.XDG_CACHE_HOME!, join(share, "hivemind")])
        rmSync(made, { recursive: true, force: true });
      runs.push(used(list));
    }
    const [ownMs, plainMs] = [least(runs, "wallMs"), least(plains, "wallMs")];
    const size = `${sessions} sessions, ${megas(corpus.bytes)} MB`;
    const most = Math.max(...runs.map((run) => run.residentMb));

    const empty: Timed = { program: node, args: ["-e", "0"], env };
    const [bare, warm] = usedInTurns([empty, list], rounds) as [Used[], Used[]];
    const bareMs = medianOf(bare, "cpuMs");
    const aboveMs = medianOf(warm, "cpuMs") - bareMs;
    const { cold, warmMs } = allSessionsBars;
    const spent = `${whole(ownMs)} ms to ${whole(plainMs)} ms`;
    return [
      {
        name: `cold ${name} / reading its rows`,
        ratio: ownMs / plainMs,
        bar: cold,
        detail: `${size}: ${spent}`,
      },
      barOf(`cold ${name} resident / ${residentMb} MB`, most / residentMb, `${whole(most)} MB`),
      warmBar(
        `warm ${name}`,
        aboveMs,
        warmMs,
        `${aboveMs.toFixed(1)} ms above ${bareMs.toFixed(1)} ms of an empty node`,
      ),
    ];
  } finally {
    home.remove();
  }
}

const readAll = `
const { Database } = require("node-sqlite3-wasm");
const database = new Database(process.argv[1]);
for (const { id } of database.all("SELECT id FROM session")) {
  database.all("SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id", [id]);
  database.all("SELECT id, message_id, data FROM part WHERE session_id = ? ORDER BY id", [id]);
}`;

function least(runs: readonly Used[], what: keyof Used): number {
  return Math.min(...runs.map((run) => run[what]));
}
