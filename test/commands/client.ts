// Asks servers of commands: one that this process waits for as for a child process, or one beside it.

import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { Socket } from "node:net";
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

/** A person's commands have a terminal; without one nobody is a person. */
export type Terminal = "terminal" | "no terminal";

/** This process stands still until the answer is there. */
export function ask(request: Request): Answer {
  opened ??= openServer("terminal");
  const { requests, answers } = opened;
  writeAll(requests, `${JSON.stringify(request)}\n`);
  return JSON.parse(readLine(answers)) as Answer;
}

/** This process goes on meanwhile. A few commands run beside each other, the others wait for their turn. */
export function askBeside(request: Request, terminal: Terminal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const desk = desks[terminal];
    desk.waiting.push({ request, resolve, reject });
    if (desk.idle.length === 0 && desk.servers < mostServers) {
      desk.servers++;
      desk.idle.push(besideServer(terminal));
    }
    serve(desk);
  });
}

const mostServers = 3;

interface Asked {
  request: Request;
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

interface Desk {
  servers: number;
  idle: BesideServer[];
  waiting: Asked[];
}

type BesideServer = (request: Request) => Promise<Answer>;

const desks: Record<Terminal, Desk> = {
  terminal: { servers: 0, idle: [], waiting: [] },
  "no terminal": { servers: 0, idle: [], waiting: [] },
};

function serve(desk: Desk): void {
  const asked = desk.idle.length === 0 ? undefined : desk.waiting.shift();
  if (asked === undefined) return;
  const server = desk.idle.pop()!;
  server(asked.request)
    .then((answer) => {
      desk.idle.push(server);
      asked.resolve(answer);
    })
    .catch((error: Error) => {
      desk.servers--;
      asked.reject(error);
    })
    .finally(() => serve(desk));
}

function besideServer(terminal: Terminal): BesideServer {
  const { requests, answers } = openServer(terminal);
  const socket = new Socket({ fd: answers, readable: true, writable: false });
  const idle = () => void socket.pause().unref();
  idle();
  return (request) =>
    new Promise((resolve, reject) => {
      const parts: Buffer[] = [];
      const ended = () => reject(new Error("the server of commands ended"));
      const read = (part: Buffer) => {
        parts.push(part);
        if (part.at(-1) !== newline) return;
        socket.off("data", read).off("close", ended);
        idle();
        resolve(JSON.parse(Buffer.concat(parts).toString("utf8")) as Answer);
      };
      socket.on("data", read).on("close", ended).ref().resume();
      writeAll(requests, `${JSON.stringify(request)}\n`);
    });
}

const newline = 10;

interface Pipes {
  requests: number;
  answers: number;
}

let opened: Pipes | undefined;

/** The server ends when its requests do: with this process. */
function openServer(terminal: Terminal): Pipes {
  const folder = mkdtempSync(join(tmpdir(), "hm-commands-"));
  const [requests, answers] = [join(folder, "requests"), join(folder, "answers")];
  execFileSync("mkfifo", [requests, answers]);
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder };
  const argv = [process.execPath, "--max-semi-space-size=2", serverProgram, requests, answers];
  if (terminal === "terminal") startInTmux(argv, folder, env);
  else spawn(argv[0]!, argv.slice(1), { env, stdio: "ignore" }).unref();
  const pipes = { requests: openSync(requests, "w"), answers: openSync(answers, "r") };
  rmSync(folder, { recursive: true });
  return pipes;
}

/** A tmux of its own, because the suite may have no terminal. It ends with its only pane. */
function startInTmux(argv: readonly string[], folder: string, env: NodeJS.ProcessEnv): void {
  // tmux closes a pane whose terminal nobody has open.
  const pane = [
    "new-session",
    "-d",
    `exec ${argv.map(shellWord).join(" ")} 3<&0 < /dev/null > /dev/null 2>&1`,
  ];
  execFileSync("tmux", ["-S", join(folder, "tmux.sock"), "-f", "/dev/null", ...pane], {
    env,
    stdio: "ignore",
  });
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
    if (part[length - 1] === newline) return Buffer.concat(parts).toString("utf8");
  }
}
