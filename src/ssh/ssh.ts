// The only place that runs ssh: one program on another host, with its stdin and stdout as they are.
//
// [SSO1] ssh gets an argv; the far words are quoted for a POSIX shell, because ssh joins them to one line for it.
// [SSO2] It asks nobody anything, forwards nothing, and does not wait for ever for a host that is silent, nor for what ssh
//        itself started and left behind.

import { spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { errorCode } from "../base/errors.js";
import { shellWord } from "../base/shell-word.js";
import { limits } from "../limits.js";
import type { Host } from "../names/gates.js";
import { SshError, sshFailure } from "./error.js";

export interface FarProgram {
  stdin: Writable;
  stdout: Readable;
  /** Why it ended, once it has. */
  failure(isTalking: boolean): Promise<SshError>;
  /** Ends the connection; the far program reads the end of its stdin. */
  close(): void;
}

export function runFar(host: Host, words: readonly string[], env: NodeJS.ProcessEnv): FarProgram {
  const child = spawn("ssh", sshArguments(host, words, env), {
    env,
    stdio: ["pipe", "pipe", "pipe"],
    // Ctrl-C in our terminal does not reach it: whoever opened it ends it at a whole step.
    detached: true,
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr = (stderr + text).slice(-limits.sshWordsLength);
  });
  // A far side that is gone does not read: why it is gone is what counts.
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
    async failure(isTalking) {
      // Its stdout has ended, or its time is up: it has nothing more to say.
      const timer = setTimeout(() => child.kill("SIGKILL"), limits.sshEndMs);
      const end = await ended;
      clearTimeout(timer);
      if (!(end instanceof Error)) return sshFailure(host, words[0] ?? "", { ...end, stderr, isTalking });
      return new SshError(errorCode(end) === "ENOENT" ? "no-ssh" : "failed", host, end.message);
    },
    close() {
      child.stdin.end();
      child.kill();
      // Who holds them after ssh has nothing more to tell us.
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
    // A master connection that is there is used; we are not to become one that stays.
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
