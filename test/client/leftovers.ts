// What a client leaves running outside its pane: the daemon of its background sessions, which no tmux server ends.

import { readdirSync, readFileSync } from "node:fs";
import { type TestHome, until } from "../home.js";

/** Ends every process of this home's config folder but tmux; the clients in panes among them. */
export async function endLeftovers(home: TestHome): Promise<void> {
  await until("no process of the home's config folder", () => {
    const pids = processesOf(home);
    for (const pid of pids) kill(pid);
    return pids.length === 0;
  });
}

function processesOf({ claude }: TestHome): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .filter((pid) => read(pid, "environ").split("\0").includes(`CLAUDE_CONFIG_DIR=${claude}`))
    .filter((pid) => !/^(tmux|\S*\/tmux)\b/.test(read(pid, "cmdline")))
    .map(Number);
}

/** Empty where it has ended, or is not ours. */
function read(pid: string, name: "environ" | "cmdline"): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
