// How soon `top` shows the fleet: from the start of its process to the first frame that has an agent.

import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { type BenchHome, main, node } from "./home.js";
import { median } from "./used.js";

export interface FirstFrames {
  frameMs: number;
  /** The same for a node that prints one word. */
  bareMs: number;
}

export async function firstFrames(home: BenchHome, rounds: number): Promise<FirstFrames> {
  const screen = join(home.root, "screen");
  const on = (...args: string[]) => home.tmux("-S", screen, ...args);
  on("new-session", "-d", "-x", "180", "-y", "50", "cat");
  try {
    const frames: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < rounds; round++) {
      frames.push(await shown(home, on, [node, main, "top"], "t0:0.0"));
      bare.push(
        await shown(home, on, [node, "-e", "console.log('t0:0.0'); setTimeout(() => {}, 1e5)"], "t0:0.0"),
      );
    }
    return { frameMs: median(frames), bareMs: median(bare) };
  } finally {
    on("kill-server");
  }
}

async function shown(
  { root }: BenchHome,
  on: (...args: string[]) => string,
  program: readonly string[],
  text: string,
): Promise<number> {
  const painted = join(root, "painted");
  on("respawn-pane", "-k", "cat");
  on("pipe-pane");
  rmSync(painted, { force: true });
  on("pipe-pane", "-O", `cat > ${painted}`);
  for (; !existsSync(painted); ) await rest(5);
  const from = performance.now();
  on("respawn-pane", "-k", ...program);
  for (; !readFileSync(painted, "utf8").includes(text); await rest(2))
    if (performance.now() - from > 60_000) throw new Error(`${program.join(" ")} showed nothing`);
  return performance.now() - from;
}
