// Runs a private `codex app-server` for one talk. It ends with its standard input.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { HiveError } from "../../base/errors.js";
import { limits } from "../../limits.js";
import { openServer, type Server } from "./app-server.js";

export interface ServerStart {
  program: readonly string[];
  /** Global options, before the subcommand. */
  settings?: readonly string[];
  /** `CODEX_HOME`; null for the client's own choice. */
  folder: string | null;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

export async function withServer<T>(start: ServerStart, talk: (server: Server) => Promise<T>): Promise<T> {
  const { program, settings = [], folder, cwd, env } = start;
  const [command, ...words] = program;
  const child = spawn(command!, [...words, ...settings, "app-server"], {
    cwd,
    env: folder === null ? env : { ...env, CODEX_HOME: folder },
    stdio: ["pipe", "pipe", "ignore"],
    timeout: limits.codexServerMs,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<Error | null>((done) => {
    child.once("error", done);
    child.once("close", () => done(null));
  });
  // A server that ended early has closed its end.
  child.stdin.on("error", () => {});
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const failure = ended.then((error) => {
      if (error !== null) throw new HiveError(`codex app-server could not be started: ${error.message}`);
      return { value: null };
    });
    const { value } = await Promise.race([lines.next(), failure]);
    return value ?? null;
  };
  try {
    return await talk(await openServer({ send: (line) => void child.stdin.write(`${line}\n`), next }));
  } finally {
    child.stdin.end();
    await ended;
  }
}
