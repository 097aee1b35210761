// What `watch` costs with agents that do nothing: share of a core, memory and open files at the beginning and the end.

import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { writeTeam } from "./acts.js";
import { type Bar, barOf } from "./bar.js";
import { makeCorpus } from "./corpus.js";
import { main, makeBenchHome, node } from "./home.js";
import { costsDuring, residentMegabytes } from "./process-cost.js";
import { median, used } from "./used.js";

export interface IdleOptions {
  agents?: number;
  transcripts?: number;
  minutes: number;
}

const percent = 0.3;
/** What a garbage collector leaves now and then. */
const growthMb = 10;

export async function idleBars({ agents = 50, transcripts = 2000, minutes }: IdleOptions): Promise<Bar[]> {
  const home = makeBenchHome("idle");
  let watcher: ReturnType<typeof spawn> | undefined;
  try {
    const cwd = writeTeam(home, agents, null);
    used({ ...home.hivemind("up"), cwd });
    makeCorpus({ folder: home.env.CLAUDE_CONFIG_DIR!, transcripts, bytes: transcripts * 1e5 });
    watcher = spawn(node, [main, "watch"], { env: home.env, cwd, stdio: "ignore" });
    const pid = watcher.pid!;
    const fdCount = () => readdirSync(join("/proc", String(pid), "fd")).length;
    // It has read everything once, and what it needed for that is free again.
    await rest(Math.min(120_000, minutes * 20_000));
    const memory: number[] = [];
    const fds = [fdCount()];
    const sampler = setInterval(() => memory.push(residentMegabytes(pid)), 5_000);
    const { watch, seconds } = await costsDuring({ watch: pid }, () => rest(minutes * 60_000));
    clearInterval(sampler);
    fds.push(fdCount());
    const fifth = Math.ceil(memory.length / 5);
    const [first, last] = [median(memory.slice(0, fifth)), median(memory.slice(-fifth))];
    const size = `${agents} agents, ${transcripts} transcripts, ${(seconds / 60).toFixed(0)} minutes`;
    return [
      barOf(
        `\`watch\` at rest / ${percent} % of a core`,
        watch.percent / percent,
        `${size}: ${watch.percent.toFixed(3)} %`,
      ),
      barOf(
        `growth of \`watch\` / ${growthMb} MB`,
        Math.max(0, last - first) / growthMb,
        `median of the first fifth ${first.toFixed(0)} MB, of the last ${last.toFixed(0)} MB`,
      ),
      barOf(
        "open files of `watch` at the end / at the beginning",
        fds[1]! / fds[0]!,
        `${fds[1]} to ${fds[0]}`,
      ),
    ];
  } finally {
    watcher?.kill();
    home.remove();
  }
}
