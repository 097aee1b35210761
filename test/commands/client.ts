// Asks the server of commands, and waits for its answer as for a child process.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** The server ends when its requests do: with this process. */
function open() {
  const folder = mkdtempSync(join(tmpdir(), "hm-commands-"));
  const [requests, answers] = [join(folder, "requests"), join(folder, "answers")];
  execFileSync("mkfifo", [requests, answers]);
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder };
  spawn(process.execPath, [serverProgram, requests, answers], { env, stdio: "ignore" }).unref();
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
