// The only place that runs ssh: one program on another host, with its raw stdin and stdout.
//
// ssh gets an argv. The far words are quoted for a POSIX shell, because ssh joins them into one line for it. ssh
// never prompts, forwards nothing, and does not wait for ever for a silent host or for leftover child processes.

import { spawn } from "node:child_process";
import { errorCode } from "../base/errors.js";
import { shellWord } from "../base/text/shell-word.js";
import { limits } from "../limits.js";
import type { Host } from "../names/gates.js";
import { SshError, sshFailure } from "./error.js";

export type FarProgram = ReturnType<typeof runFar>;

export function runFar(host: Host, words: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn("ssh", sshArguments(host, words, env), {
    env,
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl-C in our terminal does not reach it: the caller ends it after a whole step.
    detached: true,
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-limits.sshWordsLength);
  });
  // A closed far side does not read its input; the reason of its end counts.
  child.stdin.on("error", () => {});
  const ended = new Promise<{ exitCode: number | null } | Error>((resolve) => {
    child.on("error", resolve);
    child.on("close", (exitCode) => resolve({ exitCode }));
    child.on("exit", (exitCode) => {
      const timer = setTimeout(() => resolve({ exitCode }), limits.sshLastWordsMs);
      child.on("close", () => clearTimeout(timer));
    });
  });
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    /** Why it ended; resolves when it has. */
    async failure(isTalking: boolean): Promise<SshError> {
      // Its stdout has ended or its time is over: nothing more will come.
      const timer = setTimeout(() => child.kill("SIGKILL"), limits.sshEndMs);
      const end = await ended;
      clearTimeout(timer);
      if (!(end instanceof Error)) return sshFailure(host, words[0] ?? "", { ...end, stderr, isTalking });
      return new SshError(errorCode(end) === "ENOENT" ? "no-ssh" : "failed", host, end.message);
    },
    /** Ends the connection; the far program sees the end of its stdin. */
    close(): void {
      child.stdin.end();
      child.kill();
      // Another process may keep these pipes open after ssh has ended.
      child.stdout.destroy();
      child.stderr.destroy();
    },
  };
}

export function sshArguments(host: Host, words: readonly string[], env: NodeJS.ProcessEnv): string[] {
  const config = env.HIVEMIND_SSH_CONFIG;
  const options = [
    "BatchMode=yes",
    `ConnectTimeout=${limits.sshConnectSeconds}`,
    `ServerAliveInterval=${limits.sshAliveSeconds}`,
    "ServerAliveCountMax=3",
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "ForwardX11=no",
    "RequestTTY=no",
    // An existing master connection is used; we must not become one that stays.
    "ControlMaster=no",
  ];
  return [
    ...(config ? ["-F", config] : []),
    ...options.flatMap((option) => ["-o", option]),
    "--",
    host,
    words.map(shellWord).join(" "),
  ];
}
