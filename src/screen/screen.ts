// The only place that runs GNU screen.
//
// - Nothing waits for ever: a screen that does not answer is killed and reported as a "timeout". Its leftovers are
//   removed, because a later query could match them.
// - A query is repeated within the time limit, because screen sometimes misses its own answer.
// - Every call is an argv, never a shell line. Only stdout is an answer.
// - It makes no difference whether we run inside tmux or screen.

import { execFile } from "node:child_process";
import { errorCode } from "../base/errors.js";
import { installCommand } from "../base/system/install-command.js";
import { limits } from "../limits.js";
import { ScreenError, screenFailure } from "./error.js";

export type Screen = ReturnType<typeof openScreen>;

export interface ScreenAnswer {
  printed: string;
  failure: ScreenError | null;
}

export function openScreen(options: { env?: NodeJS.ProcessEnv; timeoutMs?: number } = {}) {
  const { TMUX: _, TMUX_PANE: __, STY: ___, WINDOW: ____, ...env } = options.env ?? process.env;
  const timeoutMs = options.timeoutMs ?? limits.screenTimeoutMs;

  /** Never throws. */
  async function ask(...argv: string[]): Promise<ScreenAnswer> {
    if (!argv.includes("-Q")) return spawnScreen(argv, env, timeoutMs);
    const attemptMs = Math.ceil(timeoutMs / limits.screenAttempts);
    for (let attempt = 1; ; attempt++) {
      const answer = await spawnScreen(argv, env, attemptMs);
      if (answer.failure?.reason !== "timeout") return answer;
      // A killed query leaves its socket, `<pid>.<name>-queryA`, which begins like the session's own name.
      const session = argv[argv.indexOf("-S") + 1];
      await spawnScreen(["-wipe", `${session}-query`], env, limits.screenSweepMs);
      if (attempt >= limits.screenAttempts) return answer;
    }
  }

  return {
    ask,
    /** Throws a ScreenError if screen fails. */
    async run(...argv: string[]): Promise<string> {
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
      const failure = error && failureOf(error, `${stdout}\n${stderr}`, verbOf(argv), env);
      resolve({ printed: stdout, failure });
    });
    child.stdin?.end();
  });
}

/** The command in a short form for messages: `-Q number`, `-ls`. */
function verbOf(argv: readonly string[]): string {
  const at = argv.findIndex((word) => word === "-Q" || word === "-X");
  return at < 0 ? (argv[0] ?? "") : argv.slice(at, at + 2).join(" ");
}

function failureOf(
  error: Error & { killed?: boolean },
  printed: string,
  verb: string,
  env: NodeJS.ProcessEnv,
): ScreenError {
  const code = errorCode(error);
  if (code === "ENOENT") {
    const facts = { cause: error, hint: `install it: ${installCommand("screen", env)}` };
    return new ScreenError("missing", "the viewer needs GNU screen, and there is none in PATH", facts);
  }
  if (code !== undefined) return new ScreenError("failed", `screen ${verb}: ${code}`, { cause: error });
  if (error.killed) return new ScreenError("timeout", `screen ${verb}: no answer`);
  return screenFailure(printed, verb);
}
