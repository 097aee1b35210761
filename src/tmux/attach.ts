// Attaches this very terminal to a tmux session, until its client detaches.

import { spawn } from "node:child_process";
import type { Tmux } from "./tmux.js";

/** Resolves to the exit code. The caller has given up the terminal before. Also works inside another tmux server. */
export function attachHere({ server }: Tmux, sessionName: string): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const words = ["-u", ...server.flags, "attach-session", "-t", `=${sessionName}`];
    const { TMUX: _, ...env } = process.env;
    const child = spawn("tmux", words, { stdio: "inherit", env });
    child.on("error", reject);
    child.on("exit", resolve);
  });
}
