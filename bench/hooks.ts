// The cost of a hook at every prompt, compared with the least a hook can do: read its input.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { handler, hookCommand } from "../src/agents/claude/hooks/handler.js";
import type { Bar } from "./bar.js";
import { medianTimes } from "./used.js";

export async function hookBars(): Promise<Bar[]> {
  const folder = mkdtempSync(join(tmpdir(), "hm-bench-hooks-"));
  try {
    const input = join(folder, "input");
    writeFileSync(input, JSON.stringify({ session_id: "x", prompt: "word ".repeat(400) }));
    writeFileSync(join(folder, handler.name), handler.text);
    const env = { PATH: process.env.PATH, TMUX: "/tmp/tmux-1000/default,4242,0", TMUX_PANE: "%5" };
    const timed = (command: string) => ({ program: "sh", args: ["-c", `exec <'${input}'; ${command}`], env });
    const [least, hook] = medianTimes([timed("cat >/dev/null"), timed(hookCommand(folder, "Stop"))], 201);
    const detail = `${hook!.toFixed(1)} ms against ${least!.toFixed(1)} ms`;
    return [{ name: "a hook against `sh -c 'cat >/dev/null'`", ratio: hook! / least!, bar: 3, detail }];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
