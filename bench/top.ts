// What `hivemind top` costs with a hundred agents at work and at rest, and how soon it shows a change.
//
// CPU seconds are those of the process and of the programs it started, so other work on the machine hardly changes them.

import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Bar } from "./bar.js";
import { type Cost, costsDuring } from "./process-cost.js";
import { type Change, type DemoFleet, startFleet, until } from "./top-fleet.js";

const main = fileURLToPath(new URL("../dist/main.cjs", import.meta.url));

export interface TopRun {
  agents: number;
  /** How long the agents work; `quietSeconds` is how long they rest before. */
  seconds: number;
  quietSeconds: number;
  changesPerSecond: number;
}

export const usualRun: TopRun = { agents: 100, seconds: 60, quietSeconds: 60, changesPerSecond: 5 };

export async function topBars(run: TopRun = usualRun): Promise<Bar[]> {
  const { agents, seconds, quietSeconds, changesPerSecond } = run;
  const fleet = await startFleet(agents);
  let watcher: ChildProcess | undefined;
  const screen = openScreen(fleet);
  try {
    watcher = spawn(process.execPath, [main, "watch"], { env: fleet.env, cwd: fleet.root, stdio: "ignore" });
    const topPid = screen.start();
    const pids = { top: topPid, watcher: watcher.pid! };
    await until("top shows the agents", () => screen.shows("team0:0.0", "idle"));
    // Both have read everything once, and what they needed for that is free again.
    await rest(10_000);
    const quiet = await costsDuring(pids, () => rest(quietSeconds * 1000));
    const waits = screen.measure();
    const before = fleet.changes;
    const busy = await costsDuring(pids, () => fleet.drive(changesPerSecond, seconds));
    const rate = (fleet.changes - before) / busy.seconds;
    const at = `${agents} agents, ${rate.toFixed(1)} changes a second, ${busy.seconds.toFixed(0)} s`;
    const delays = waits.delaysMs.sort((a, b) => a - b);
    const part = (share: number) => delays[Math.floor(delays.length * share)] ?? Number.NaN;
    const cost = ({ top, watcher: beside }: Record<"top" | "watcher", Cost>) =>
      `${top.percent.toFixed(2)} % of a core (the watcher ${beside.percent.toFixed(2)} %)`;
    return [
      bar("`top` at work / 2 % of a core", busy.top.percent / 2, `${at}: ${cost(busy)}`),
      bar(
        "`top` at rest / 0.5 % of a core",
        quiet.top.percent / 0.5,
        `${agents} agents, ${quiet.seconds.toFixed(0)} s: ${cost(quiet)}`,
      ),
      bar(
        "`top` resident / 80 MB",
        busy.top.megabytes / 80,
        `at most ${busy.top.megabytes.toFixed(0)} MB (the watcher ${busy.watcher.megabytes.toFixed(0)} MB)`,
      ),
      bar(
        "change to screen of `top` / 300 ms",
        part(0.5) / 300,
        `median ${part(0.5).toFixed(0)} ms, 95 % within ${part(0.95).toFixed(0)} ms; ${delays.length} changes, ${waits.overtaken} more were over before they were shown`,
      ),
    ];
  } finally {
    watcher?.kill();
    screen.end();
    fleet.end();
  }
}

function bar(name: string, ratio: number, detail: string): Bar {
  return { name, ratio, bar: 1, detail };
}

/** `top` in a tmux of its own; what it writes is read as it comes. */
function openScreen({ root, env, onChange }: DemoFleet) {
  const socket = join(root, "screen");
  const painted = join(root, "painted");
  const tmux = (...args: string[]) =>
    execFileSync("tmux", ["-u", "-S", socket, "-f", "/dev/null", ...args], { env, encoding: "utf8" });
  const lines = new Map<number, string>();
  let file: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let listener = () => {};

  /** `top` moves to a line and writes the whole of it. */
  function read(): void {
    if (file === null && existsSync(painted)) file = openSync(painted, "r");
    const bytes = Buffer.alloc(1 << 20);
    const length = file === null ? 0 : readSync(file, bytes);
    if (length === 0) return;
    const text = bytes.toString("utf8", 0, length);
    for (const [, row, line] of text.matchAll(/\x1b\[(\d+)H((?:(?!\x1b\[\d+(?:;\d+)?H).)*)/gs))
      lines.set(Number(row), line!.replace(/\x1b\[[\d;?]*[a-zA-Z]/g, ""));
    listener();
  }

  const rowOf = (label: string) => [...lines.values()].find((line) => line.includes(` ${label} `)) ?? null;
  const shows = (label: string, status: string) =>
    rowOf(label)
      ?.slice(rowOf(label)!.indexOf(` ${label} `))
      .trim()
      .split(/\s+/)[1] === status;

  return {
    shows,
    start(): number {
      const size = ["-x", "180", "-y", "50"];
      tmux("new-session", "-d", ...size, "cat");
      tmux("pipe-pane", "-O", `cat > ${painted}`);
      tmux("respawn-pane", "-k", process.execPath, main, "top");
      timer = setInterval(read, 10);
      return Number(tmux("display-message", "-p", "#{pane_pid}"));
    },
    /** From now on. A change of an agent below the visible rows is not measured. */
    measure(): { delaysMs: number[]; overtaken: number } {
      const result = { delaysMs: [] as number[], overtaken: 0 };
      const awaited = new Map<string, Change>();
      onChange((change) => {
        if (rowOf(change.label) === null) return;
        if (awaited.has(change.label)) result.overtaken++;
        awaited.set(change.label, change);
      });
      listener = () => {
        // A waiting agent above it pushed it below the visible rows.
        for (const [label, { status, atMs }] of awaited)
          if (rowOf(label) === null) awaited.delete(label);
          else if (shows(label, status)) {
            awaited.delete(label);
            result.delaysMs.push(Date.now() - atMs);
          }
      };
      return result;
    },
    end(): void {
      clearInterval(timer);
      if (file !== null) closeSync(file);
      try {
        tmux("kill-server");
      } catch {
        // It was not started.
      }
    },
  };
}
