// What a person waits for when hivemind looks: whole commands, cold and warm, against `cat`, `rg`, `ccusage`, grep per
// file and an empty node in the same run. Warm commands are measured by their own processor time, which a busy machine
// changes less than the clock: that is what is compared between versions.

import { spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Bar, barOf, megas, warmBar, whole } from "./bar.js";
import { ccusage } from "./ccusage.js";
import { type Corpus, makeCorpus, type Shape } from "./corpus.js";
import { firstFrames } from "./first-frame.js";
import { type BenchHome, demoAgent, makeBenchHome, node } from "./home.js";
import { median, medianOf, type Timed, type Used, used, usedInTurns } from "./used.js";

export const residentMb = 150;
const word = "zanzibar";

export interface WaitOptions {
  transcripts?: number;
  megabytes?: number;
  seed?: number;
  shape?: Shape;
  panes?: number;
  /** So many of the panes run demo agents. */
  agents?: number;
  rounds?: number;
}

interface World {
  home: BenchHome;
  corpus: Corpus;
  /** A command of hivemind in a folder with many conversations. */
  hivemind(...args: string[]): Timed;
  remark(text: string): void;
}

export function waitBars(options: WaitOptions, remark: (text: string) => void): Promise<Bar[]> {
  return inWorld(options, remark, async (world) => [
    ...coldBars(world),
    ...searchBar(world),
    ...warmBars(world, options.rounds),
    ...shellBar(world),
    ...(await frameBar(world)),
  ]);
}

/** Only the warm commands, in a tenth of the bytes: they read none of them. */
export function warmOnlyBars(options: WaitOptions, remark: (text: string) => void): Promise<Bar[]> {
  return inWorld({ megabytes: 200, ...options }, remark, (world) => {
    for (const { args } of warmCommands) used(world.hivemind(...args));
    return warmBars(world, options.rounds);
  });
}

async function inWorld(
  options: WaitOptions,
  remark: (text: string) => void,
  measure: (world: World) => Bar[] | Promise<Bar[]>,
): Promise<Bar[]> {
  const { transcripts, megabytes = 2000, seed = 1, shape = "usual", panes = 100, agents = 1 } = options;
  const home = makeBenchHome("waits");
  try {
    const { root, env } = home;
    const folder = env.CLAUDE_CONFIG_DIR!;
    const corpus = makeCorpus({ folder, transcripts, bytes: megabytes * 1e6, seed, shape, workFolder: root });
    const message = { role: "user", content: `somebody said ${word} here` };
    appendFileSync(corpus.files[0]!, `\n${JSON.stringify({ type: "user", uuid: "planted", message })}\n`);
    const cwd = join(root, "project-0");
    mkdirSync(cwd, { recursive: true });
    startPanes(home, panes, agents);
    const hivemind = (...args: string[]) => ({ ...home.hivemind(...args), cwd });
    return await measure({ home, corpus, hivemind, remark });
  } finally {
    home.remove();
  }
}

/** Ten to a team, the agents first. */
function startPanes({ root, tmux }: BenchHome, panes: number, agents: number): void {
  for (let made = 0; made < panes; made++) {
    const team = `t${Math.floor(made / 10)}`;
    const program = made < agents ? [node, demoAgent, "-n", `bench-agent-${made}`] : ["cat"];
    if (made % 10 === 0)
      tmux("new-session", "-d", "-x", "200", "-y", "200", "-s", team, "-c", root, ...program);
    else tmux("split-window", "-d", "-t", `=${team}:`, "-c", root, ...program, ";", "select-layout", "tiled");
  }
}

/** `sessions --all`: cold against `cat`, warm in milliseconds of its own processor time. */
export const allSessionsBars = { cold: 3, warmMs: 90 } as const;

const coldCommands: readonly { args: string[]; bar: number }[] = [
  { args: ["sessions", "--all"], bar: allSessionsBars.cold },
  { args: ["lineage", "--all"], bar: 3 },
  { args: ["status"], bar: 2.5 },
  { args: [], bar: 2.5 },
];

/** The first run ever, best of three: nothing is cached but the files themselves. */
function coldBars({ home, corpus, hivemind, remark }: World): Bar[] {
  const { files, bytes } = corpus;
  const cat: Timed = { program: "sh", args: ["-c", catAll], cwd: home.env.CLAUDE_CONFIG_DIR! };
  const other = ccusage(home.env);
  if (typeof other === "string") remark(`Without ccusage: ${other}.`);
  const cats: number[] = [];
  const runs = coldCommands.map((): Used[] => []);
  const others: number[] = [];
  for (let round = 0; round < 3; round++) {
    for (const [at, { args }] of coldCommands.entries()) {
      cats.push(used(cat).wallMs);
      rmSync(home.env.XDG_CACHE_HOME!, { recursive: true, force: true });
      runs[at]!.push(used(hivemind(...args)));
    }
    if (typeof other !== "string") others.push(used(other).wallMs);
  }
  const least = Math.min(...cats);
  const best = (at: number, what: keyof Used) => Math.min(...runs[at]!.map((run) => run[what]));
  const bars = coldCommands.map(({ args, bar }, at): Bar => {
    const size = `${files.length} transcripts, ${megas(bytes)} MB`;
    const detail = `${size}: ${whole(best(at, "wallMs"))} ms to ${whole(least)} ms, ${whole(best(at, "cpuMs"))} ms of processor time`;
    return { name: `cold \`${nameOf(args)}\` / cat`, ratio: best(at, "wallMs") / least, bar, detail };
  });
  const most = Math.max(...runs.flat().map((run) => run.residentMb));
  const usage = Math.min(...others);
  const beside: Bar[] =
    others.length === 0
      ? []
      : [
          {
            ...{ name: "`ccusage session` / cold `hivemind sessions --all`", bar: 1, atLeast: true },
            ratio: usage / best(0, "wallMs"),
            detail: `${whole(usage)} ms to ${whole(best(0, "wallMs"))} ms`,
          },
        ];
  return [
    ...bars,
    barOf("cold commands resident / 150 MB", most / residentMb, `${whole(most)} MB`),
    ...beside,
  ];
}

/** The same files as the index reads: sub-agents have their own. Their names may be too many for one command line. */
const catAll =
  "find projects -mindepth 2 -maxdepth 2 -name '*-*-*-*-*.jsonl' -print0 | xargs -0 cat > /dev/null";

function searchBar({ home, hivemind }: World): Bar[] {
  const folder = home.env.CLAUDE_CONFIG_DIR!;
  const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;
  const other: Timed = hasRipgrep
    ? { program: "rg", args: ["--no-ignore", "--hidden", "--smart-case", "-cF", word, folder] }
    : { program: "grep", args: ["-rciF", word, folder], env: { ...process.env, LC_ALL: "C" } };
  const [own, theirs] = usedInTurns([hivemind("sessions", "search", "--all", word), other], 5).map((runs) =>
    medianOf(runs, "wallMs"),
  ) as [number, number];
  const detail = `${whole(own)} ms to ${whole(theirs)} ms`;
  return [{ name: `\`sessions search\` / ${other.program}`, ratio: own / theirs, bar: 6, detail }];
}

const warmCommands: readonly { args: string[]; barMs: number }[] = [
  { args: ["--help"], barMs: 15 },
  { args: ["session", "current", "t0:0.0"], barMs: 30 },
  { args: ["status"], barMs: 50 },
  { args: ["sessions"], barMs: 70 },
  { args: ["sessions", "--all"], barMs: allSessionsBars.warmMs },
  { args: ["lineage", "--all"], barMs: 90 },
  { args: [], barMs: 50 },
];

/** Processor time above an empty node: user and system, of the command and its children. */
function warmBars({ home, hivemind }: World, rounds = 20): Bar[] {
  const empty: Timed = { program: node, args: ["-e", "0"], env: home.env };
  const commands = [empty, ...warmCommands.map(({ args }) => hivemind(...args))];
  const [bare, ...own] = usedInTurns(commands, rounds);
  const [bareMs, bareWallMs] = [medianOf(bare!, "cpuMs"), medianOf(bare!, "wallMs")];
  return warmCommands.map(({ args, barMs }, at) => {
    const aboveMs = medianOf(own[at]!, "cpuMs") - bareMs;
    const waited = `${whole(medianOf(own[at]!, "wallMs"))} ms on the clock, node ${whole(bareWallMs)} ms`;
    const detail = `${aboveMs.toFixed(1)} ms above ${bareMs.toFixed(1)} ms of an empty node; ${waited}`;
    return warmBar(`warm \`${nameOf(args)}\``, aboveMs, barMs, detail);
  });
}

/** As the forks document does it: the last title of each transcript, by one grep per file. */
function shellBar({ home, hivemind }: World): Bar[] {
  const script = `for f in "$CLAUDE_CONFIG_DIR"/projects/*/*.jsonl; do
    t=$(grep -o '"customTitle":"[^"]*"' "$f" | tail -1); c=$(grep -o '"cwd":"[^"]*"' "$f" | head -1)
    [ "$t" = '"customTitle":"bench-agent-0"' ] && stat -c '%Y %n' "$f"; done | sort -rn | head -1`;
  const own = median(usedInTurns([hivemind("session", "current", "t0:0.0")], 5)[0]!.map((run) => run.wallMs));
  const shell = used({ program: "sh", args: ["-c", script], env: home.env }).wallMs;
  const name = "grep per file, the shell way, / `session current`";
  return [
    { name, ratio: shell / own, bar: 50, atLeast: true, detail: `${whole(shell)} ms to ${whole(own)} ms` },
  ];
}

async function frameBar({ home }: World): Promise<Bar[]> {
  const { frameMs, bareMs } = await firstFrames(home, 9);
  const detail = `${whole(frameMs)} ms, and ${whole(bareMs)} ms until an empty node has printed there`;
  return [{ name: "first frame of `top` / an empty node", ratio: frameMs / bareMs, bar: 5, detail }];
}

const nameOf = (args: readonly string[]) => ["hivemind", ...args].join(" ");
