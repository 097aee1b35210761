// What a person waits for: whole commands, cold and warm, against `cat`, `rg` and an empty node in the same run. Warm
// commands are also measured by their own processor time, which a busy machine changes less than the clock.
//
// npx tsx bench/waits.ts [--transcripts N] [--megabytes N] [--seed N] [--panes N] [--rounds N]

import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { type Bar, isMet, type Timed } from "./bar.js";
import { type Corpus, makeCorpus } from "./corpus.js";

const main = fileURLToPath(new URL("../dist/main.cjs", import.meta.url));
const demoAgent = fileURLToPath(new URL("../dist/demo-agent.js", import.meta.url));
const node = process.execPath;
const residentMb = 150;
const word = "zanzibar";

export interface WaitOptions {
  transcripts?: number;
  megabytes?: number;
  seed?: number;
  panes?: number;
  rounds?: number;
}

export async function waitBars(options: WaitOptions = {}): Promise<Bar[]> {
  const { transcripts = 2000, megabytes = 2000, seed = 1, panes = 100, rounds = 20 } = options;
  const root = mkdtempSync(join(tmpdir(), "hm-waits-"));
  const socket = join(root, "tmux");
  const env = {
    ...{ PATH: process.env.PATH ?? "", HOME: root, LANG: "C.UTF-8", TERM: "xterm-256color" },
    HIVEMIND_CONFIG_DIR: join(root, "config"),
    HIVEMIND_TMUX_SOCKET: socket,
    CLAUDE_CONFIG_DIR: join(root, "claude"),
    XDG_CACHE_HOME: join(root, "cache"),
  };
  const tmux = (...args: string[]) => {
    execFileSync("tmux", ["-f", "/dev/null", "-S", socket, ...args], { env, stdio: "ignore" });
  };
  try {
    mkdirSync(env.HIVEMIND_CONFIG_DIR);
    const folder = env.CLAUDE_CONFIG_DIR;
    const corpus = makeCorpus({ folder, transcripts, bytes: megabytes * 1e6, seed, workFolder: root });
    const message = { role: "user", content: `somebody said ${word} here` };
    appendFileSync(corpus.files[0]!, `\n${JSON.stringify({ type: "user", uuid: "planted", message })}\n`);
    mkdirSync(join(root, "project-0"), { recursive: true });
    startPanes(root, tmux, panes);
    const world = { env, cwd: join(root, "project-0"), cache: env.XDG_CACHE_HOME };
    return [...coldBars(world, corpus), ...searchBar(world, folder), ...warmBars(world, rounds)];
  } finally {
    try {
      tmux("kill-server");
    } catch {
      // It never started.
    }
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface World {
  env: Record<string, string>;
  cwd: string;
  cache: string;
}

/** Ten to a team, the first of all an agent. */
function startPanes(root: string, tmux: (...args: string[]) => void, panes: number): void {
  const agent = [node, demoAgent, "-n", "bench-agent"];
  tmux("new-session", "-d", "-x", "200", "-y", "200", "-s", "t0", "-c", root, ...agent);
  for (let made = 1; made < panes; made++) {
    const team = `t${Math.floor(made / 10)}`;
    if (made % 10 === 0) tmux("new-session", "-d", "-x", "200", "-y", "200", "-s", team, "cat");
    else tmux("split-window", "-d", "-t", `=${team}:`, "cat", ";", "select-layout", "tiled");
  }
}

function command({ env, cwd }: World, ...args: string[]): Timed {
  return { program: node, args: [main, ...args], env, cwd };
}

const coldCommands: readonly { args: string[]; bar: number }[] = [
  { args: ["sessions", "--all"], bar: 3 },
  { args: ["lineage", "--all"], bar: 3 },
  { args: ["status"], bar: 2.5 },
  { args: [], bar: 2.5 },
];

/** The first run ever, best of three: nothing is cached but the files themselves. */
function coldBars(world: World, { files, bytes }: Corpus): Bar[] {
  const cat: Timed = { program: "sh", args: ["-c", 'exec cat "$@" > /dev/null', "cat", ...files] };
  const cats: number[] = [];
  const runs = coldCommands.map((): Used[] => []);
  for (let round = 0; round < 3; round++) {
    for (const [at, { args }] of coldCommands.entries()) {
      cats.push(used(cat).wallMs);
      rmSync(world.cache, { recursive: true, force: true });
      runs[at]!.push(used(command(world, ...args)));
    }
  }
  const least = Math.min(...cats);
  const bars = coldCommands.map(({ args, bar }, at): Bar => {
    const wallMs = Math.min(...runs[at]!.map((run) => run.wallMs));
    const cpuMs = Math.min(...runs[at]!.map((run) => run.cpuMs));
    const detail = `${files.length} transcripts, ${megas(bytes)} MB: ${whole(wallMs)} ms to ${whole(least)} ms, ${whole(cpuMs)} ms of processor time`;
    return { name: `cold \`${name(args)}\` / cat`, ratio: wallMs / least, bar, detail };
  });
  const most = Math.max(...runs.flat().map((run) => run.residentMb));
  const resident = { name: "cold commands resident / 150 MB", ratio: most / residentMb, bar: 1 };
  return [...bars, { ...resident, detail: `${whole(most)} MB` }];
}

function searchBar(world: World, folder: string): Bar[] {
  const hasRipgrep = spawnSync("rg", ["--version"]).status === 0;
  const other: Timed = hasRipgrep
    ? { program: "rg", args: ["--no-ignore", "--hidden", "--smart-case", "-cF", word, folder] }
    : { program: "grep", args: ["-rciF", word, folder], env: { ...process.env, LC_ALL: "C" } };
  const search = command(world, "sessions", "search", "--all", word);
  const [own, theirs] = medians([search, other], 3, "wallMs") as [number, number];
  const detail = `${whole(own)} ms to ${whole(theirs)} ms`;
  return [{ name: `\`sessions search\` / ${other.program}`, ratio: own / theirs, bar: 6, detail }];
}

const warmCommands: readonly { args: string[]; barMs: number }[] = [
  { args: ["--help"], barMs: 12 },
  { args: ["session", "current", "t0:0.0"], barMs: 25 },
  { args: ["status"], barMs: 45 },
  { args: ["sessions"], barMs: 45 },
  { args: [], barMs: 45 },
];

/** Processor time above an empty node: user and system, of the command and its children. */
function warmBars(world: World, rounds: number): Bar[] {
  const empty: Timed = { program: node, args: ["-e", "0"], env: world.env, cwd: world.cwd };
  const commands = [empty, ...warmCommands.map(({ args }) => command(world, ...args))];
  const [bare = 0, ...own] = medians(commands, rounds, "cpuMs");
  return warmCommands.map(({ args, barMs }, at) => {
    const aboveMs = own[at]! - bare;
    const detail = `${aboveMs.toFixed(1)} ms above ${bare.toFixed(1)} ms of an empty node`;
    return {
      name: `warm \`${name(args)}\`, own processor time / ${barMs} ms`,
      ratio: aboveMs / barMs,
      bar: 1,
      detail,
    };
  });
}

interface Used {
  wallMs: number;
  cpuMs: number;
  residentMb: number;
}

/** bash tells processor time in milliseconds, GNU time the memory. */
function used({ program, args, env, cwd = process.cwd() }: Timed): Used {
  const from = performance.now();
  const timed = `TIMEFORMAT='%3U %3S'; time /usr/bin/time -f '\n%M' "$@" > /dev/null`;
  const { stderr, error } = spawnSync("bash", ["-c", timed, "bash", program, ...args], {
    stdio: ["ignore", "ignore", "pipe"],
    env: env ?? process.env,
    cwd,
  });
  const wallMs = performance.now() - from;
  if (error !== undefined) throw error;
  const [resident, times] = stderr.toString().trim().split("\n").slice(-2);
  const [user, system] = times!.split(" ").map(Number);
  return { wallMs, cpuMs: (user! + system!) * 1000, residentMb: Number(resident) / 1024 };
}

/** In turns, so that a slow moment of the machine affects all of them. */
function medians(commands: readonly Timed[], rounds: number, what: "wallMs" | "cpuMs"): number[] {
  const figures = commands.map((): number[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [at, each] of commands.entries()) figures[at]!.push(used(each)[what]);
  }
  return figures.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)]!);
}

const name = (args: readonly string[]) => ["hivemind", ...args].join(" ");
const whole = (ms: number) => ms.toFixed(0);
const megas = (bytes: number) => (bytes / 1e6).toFixed(0);

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { values } = parseArgs({
    options: {
      transcripts: { type: "string" },
      megabytes: { type: "string" },
      seed: { type: "string" },
      panes: { type: "string" },
      rounds: { type: "string" },
    },
  });
  const given = Object.entries(values).map(([option, value]) => [option, Number(value)]);
  for (const bar of await waitBars(Object.fromEntries(given))) {
    const answer = isMet(bar) ? "met   " : "MISSED";
    console.log(`${answer} ${bar.name}: ${bar.ratio.toFixed(2)} (≤ ${bar.bar}) ${bar.detail}`);
  }
}
