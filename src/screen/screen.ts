// The one place that runs GNU screen.
//
// [GSR1] Nothing waits for ever: a screen that does not answer is ended, and is a "timeout". What it left behind is
//        swept, because a later question could be taken for one about that. A question is asked again within the
//        bound, because screen at times overlooks its answer.
// [GSR2] Every call is an argv, never a shell line; only stdout is an answer.
// [GSR3] Whether we run inside tmux or screen ourselves makes no difference.

import { execFile } from "node:child_process";
import { errorCode } from "../base/errors.js";
import { limits } from "../limits.js";
import { ScreenError, screenFailure } from "./error.js";

export interface Screen {
  /** Throws a ScreenError unless screen says that all is well. */
  run(...argv: string[]): Promise<string>;
  /** The same without throwing. */
  ask(...argv: string[]): Promise<ScreenAnswer>;
}

export interface ScreenAnswer {
  printed: string;
  failure: ScreenError | null;
}

export interface ScreenOptions {
  env?: NodeJS.ProcessEnv;
  timeoutMs?: number;
}

export function openScreen(options: ScreenOptions = {}): Screen {
  const { TMUX: _, TMUX_PANE: __, STY: ___, WINDOW: ____, ...env } = options.env ?? process.env;
  const timeoutMs = options.timeoutMs ?? limits.screenTimeoutMs;

  async function ask(...argv: string[]): Promise<ScreenAnswer> {
    if (!argv.includes("-Q")) return spawnScreen(argv, env, timeoutMs);
    const attemptMs = Math.ceil(timeoutMs / limits.screenAttempts);
    for (let attempt = 1; ; attempt++) {
      const answer = await spawnScreen(argv, env, attemptMs);
      if (answer.failure?.reason !== "timeout") return answer;
      // What is cut off leaves its socket, `<pid>.<name>-queryA`, which begins like the session's own name.
      const session = argv[argv.indexOf("-S") + 1];
      await spawnScreen(["-wipe", `${session}-query`], env, limits.screenSweepMs);
      if (attempt >= limits.screenAttempts) return answer;
    }
  }

  return {
    ask,
    async run(...argv) {
      const { printed, failure } = await ask(...argv);
      if (failure !== null) throw failure;
      return printed;
    },
  };
}

function spawnScreen(
  argv: readonly string[],
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
): Promise<ScreenAnswer> {
  const bounds = { timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: limits.screenOutputBytes } as const;
  return new Promise((resolve) => {
    const child = execFile("screen", argv, { env, encoding: "utf8", ...bounds }, (error, stdout, stderr) => {
      const failure = error && failureOf(error, `${stdout}\n${stderr}`, verbOf(argv));
      resolve({ printed: stdout, failure });
    });
    child.stdin?.end();
  });
}

/** `-Q number`, `-ls`: what a person would call it. */
function verbOf(argv: readonly string[]): string {
  const at = argv.findIndex((word) => word === "-Q" || word === "-X");
  return at < 0 ? (argv[0] ?? "") : argv.slice(at, at + 2).join(" ");
}

function failureOf(error: Error & { killed?: boolean }, printed: string, verb: string): ScreenError {
  const code = errorCode(error);
  if (code === "ENOENT")
    return new ScreenError("missing", "there is no GNU screen in PATH", { cause: error });
  if (code !== undefined) return new ScreenError("failed", `screen ${verb}: ${code}`, { cause: error });
  if (error.killed) return new ScreenError("timeout", `screen ${verb}: no answer`);
  return screenFailure(printed, verb);
}
