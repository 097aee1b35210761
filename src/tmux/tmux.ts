// The only place that runs tmux. One-shot calls only: a killed control client has taken servers down with it.
//
// [TR1] Every call is an argv, never a shell line, and several commands go in one spawn.
// [TR2] Nothing waits for ever: a tmux that does not answer is a "timeout", even if a child of it keeps our pipes.
// [TR3] Only stdout is an answer. A failure is a TmuxError with its reason.
// [TR4] The server is chosen once, at opening; later changes of the environment have no effect.
// [TR5] Ctrl-C ends hivemind, but not a tmux that runs for it, and none that is about to.

import {
  type ChildProcessByStdio,
  type SpawnOptions,
  type SpawnSyncOptionsWithStringEncoding,
  spawn,
  spawnSync,
} from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { errorCode } from "../base/errors.js";
import { installCommand } from "../base/system/install-command.js";
import { limits } from "../limits.js";
import { TmuxError, tmuxFailure } from "./error.js";
import { argument } from "./quote.js";
import { chooseServer, type ServerChoice } from "./socket.js";

/** One tmux command and its arguments, unquoted. */
export type TmuxCommand = readonly string[];

export interface Tmux {
  readonly server: ServerChoice;
  /** How many times tmux was started. */
  readonly spawns: number;
  /** Runs the commands in one spawn; the first failure ends the rest. */
  run(...commands: TmuxCommand[]): Promise<string>;
  /** Like run, with input on stdin, and with the output before a failure. */
  attempt(commands: readonly TmuxCommand[], input?: string): Promise<TmuxAnswer>;
}

export interface TmuxAnswer {
  stdout: string;
  failure: TmuxError | null;
}

export interface TmuxOptions {
  env?: NodeJS.ProcessEnv;
  /** A socket's path or name. Overrides the environment. */
  socket?: string;
  /** Read instead of the user's configuration by a server that this client starts. */
  configFile?: string;
  timeoutMs?: number;
  /** The first call waits in place. A short command does nothing else meanwhile, and saves 2 ms of processor time. */
  waitsFirst?: boolean;
}

export function openTmux(options: TmuxOptions = {}): Tmux {
  const env = { ...(options.env ?? process.env) };
  const server = chooseServer(env, options.socket);
  const timeoutMs = options.timeoutMs ?? limits.tmuxTimeoutMs;
  const config = options.configFile === undefined ? [] : ["-f", options.configFile];
  // Without -u and a UTF-8 locale tmux prints control characters and `✳` alike as `_`.
  const flags = ["-u", ...server.flags, ...config];
  let spawns = 0;

  async function attempt(commands: readonly TmuxCommand[], input = ""): Promise<TmuxAnswer> {
    const run = ++spawns === 1 && options.waitsFirst ? waitForTmux : spawnTmux;
    const call = { env, timeoutMs, input, verb: verbsOf(commands) };
    for (let tries = 1; ; tries++) {
      const answer = await run([...flags, ...chain(commands)], call);
      if (!answer.isUnborn || tries === limits.tmuxBirths) return answer;
    }
  }

  return {
    server,
    attempt,
    get spawns() {
      return spawns;
    },
    async run(...commands) {
      const { stdout, failure } = await attempt(commands);
      if (failure) throw failure;
      return stdout;
    },
  };
}

function chain(commands: readonly TmuxCommand[]): string[] {
  return commands.flatMap((command, at) => [...(at === 0 ? [] : [";"]), ...command.map(argument)]);
}

/** For messages: long chains repeat their verbs. */
function verbsOf(commands: readonly TmuxCommand[]): string {
  return [...new Set(commands.map((command) => command[0]))].join(", ");
}

interface Call {
  env: NodeJS.ProcessEnv;
  timeoutMs: number;
  input: string;
  verb: string;
}

interface CallAnswer extends TmuxAnswer {
  /**
   * Ctrl-C hit the child before it left our process session. tmux catches that signal before it connects to its
   * server, so the child has done nothing.
   */
  isUnborn: boolean;
}

/**
 * In its own process session: Ctrl-C is for hivemind, which ends after a whole step, not for half a step in tmux.
 */
function spawnTmux(argv: string[], { env, timeoutMs, input, verb }: Call): Promise<CallAnswer> {
  return new Promise((resolve) => {
    // A pipe that nobody writes to takes as long to open as one that is used.
    const stdin = input === "" ? "ignore" : "pipe";
    const stdio: SpawnOptions["stdio"] = [stdin, "pipe", "pipe"];
    const child = spawn("tmux", argv, { env, detached: true, stdio }) as TmuxProcess;
    const printed = { stdout: "", stderr: "" };
    let failure: TmuxError | null = null;
    const giveUp = (why: TmuxError) => {
      failure ??= why;
      child.kill("SIGKILL");
      // A child of tmux may keep our pipes.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => giveUp(notInTime(verb, timeoutMs)), timeoutMs);
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => {
        printed[name] += text;
        if (printed[name].length > limits.tmuxOutputBytes) giveUp(tooMuch(verb));
      });
    // A tmux that ends early does not read its stdin: the exit code tells why, the broken pipe adds nothing.
    child.stdin?.on("error", () => {}).end(input);
    child.on("error", (error) => {
      failure ??= notStarted(error, verb);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({
        stdout: printed.stdout,
        failure: failure ?? (code === 0 ? null : tmuxFailure(printed.stderr, verb)),
        isUnborn: failure === null && signal === "SIGINT",
      });
    });
  });
}

/** The same, without a turn of the event loop. */
function waitForTmux(argv: string[], { env, timeoutMs, input, verb }: Call): CallAnswer {
  const options: SpawnSyncOptions = {
    ...{ env, encoding: "utf8", timeout: timeoutMs, killSignal: "SIGKILL", detached: true },
    ...{
      maxBuffer: limits.tmuxOutputBytes,
      stdio: [input === "" ? "ignore" : "pipe", "pipe", "pipe"],
      input,
    },
  };
  const { stdout, stderr, status, signal, error } = spawnSync("tmux", argv, options);
  const code = error && errorCode(error);
  const isUnborn = error === undefined && signal === "SIGINT";
  if (code === "ETIMEDOUT") return { stdout, failure: notInTime(verb, timeoutMs), isUnborn };
  if (code === "ENOBUFS") return { stdout, failure: tooMuch(verb), isUnborn };
  if (error !== undefined) return { stdout: "", failure: notStarted(error, verb), isUnborn };
  return { stdout, failure: status === 0 ? null : tmuxFailure(stderr, verb), isUnborn };
}

/** Node knows `detached` here too, but its types do not. */
type SpawnSyncOptions = SpawnSyncOptionsWithStringEncoding & Pick<SpawnOptions, "detached">;

function notInTime(verb: string, timeoutMs: number): TmuxError {
  return new TmuxError("timeout", `tmux ${verb}: no answer within ${timeoutMs} ms`);
}

function tooMuch(verb: string): TmuxError {
  return new TmuxError("failed", `tmux ${verb}: printed too much`);
}

/** Without a pipe for its input if there is none. */
type TmuxProcess = ChildProcessByStdio<Writable | null, Readable, Readable>;

function notStarted(error: Error, verb: string): TmuxError {
  const code = errorCode(error);
  return code === "ENOENT"
    ? new TmuxError("missing", "there is no tmux in PATH", {
        cause: error,
        hint: `install tmux 3.2 or newer: ${installCommand("tmux")}`,
      })
    : new TmuxError("failed", `tmux ${verb}: ${code ?? error.message}`, { cause: error });
}
