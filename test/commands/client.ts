// Asks the server of commands, and waits for its answer as for a child process.

import { execFileSync } from "node:child_process";
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { shellWord } from "../../src/base/text/shell-word.js";
import type { limits } from "../../src/limits.js";
import { serverProgram } from "./build.js";

/** Patience only: a test that needs a limit of the protocol tests that limit. */
export type TestLimits = { readonly [Name in keyof typeof limits]?: number };

export interface Request {
  args: readonly string[];
  env: Record<string, string>;
  cwd: string;
  input: string;
  /** How the command was called. */
  program: string;
  /** Other bounds than a person has. */
  limits: TestLimits;
}

export interface Answer {
  code: number | null;
  stdout: string;
  stderr: string;
}

export function ask(request: Request): Answer {
  opened ??= open();
  const { requests, answers } = opened;
  writeAll(requests, `${JSON.stringify(request)}\n`);
  return JSON.parse(readLine(answers)) as Answer;
}

let opened: { requests: number; answers: number } | undefined;

/**
 * The server ends when its requests do: with this process. It runs in a tmux of its own, because a person's commands
 * have a terminal, and the suite may have none. That tmux ends with its only pane.
 */
function open() {
  const folder = mkdtempSync(join(tmpdir(), "hm-commands-"));
  const [requests, answers] = [join(folder, "requests"), join(folder, "answers")];
  execFileSync("mkfifo", [requests, answers]);
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder };
  const server = [process.execPath, serverProgram, requests, answers].map(shellWord).join(" ");
  const socket = join(folder, "tmux.sock");
  // tmux closes a pane whose terminal nobody has open.
  const pane = ["new-session", "-d", `exec ${server} 3<&0 < /dev/null > /dev/null 2>&1`];
  execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...pane], { env, stdio: "ignore" });
  const pipes = { requests: openSync(requests, "w"), answers: openSync(answers, "r") };
  rmSync(folder, { recursive: true });
  return pipes;
}

function writeAll(fd: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
}

function readLine(fd: number): string {
  const parts: Buffer[] = [];
  for (;;) {
    const part = Buffer.alloc(65_536);
    const length = readSync(fd, part);
    if (length === 0) throw new Error("the server of commands ended");
    parts.push(part.subarray(0, length));
    if (part[length - 1] === 10) return Buffer.concat(parts).toString("utf8");
  }
}
