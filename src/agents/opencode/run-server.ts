// Runs a private `opencode serve` for one talk: it makes and forks conversations before a client starts in them. It
// listens on 127.0.0.1 with a password of its own, and ends with the talk.

import { spawn } from "node:child_process";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import { HiveError } from "../../base/errors.js";
import { randomHex } from "../../base/random.js";
import { limits } from "../../limits.js";
import { askHttp } from "../../sockets/ask-http.js";
import { type Json, objectOrNull, textOrNull } from "../record.js";
import { homeVariable } from "./home.js";
import { passwordVariable, user } from "./password.js";

export interface ServerStart {
  program: readonly string[];
  /** The client's folder; null for its own choice. */
  folder: string | null;
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/** Throws an error with the server's own words if it refuses. */
export type Ask = (method: "POST" | "PATCH", path: string, body: object) => Promise<Json>;

export async function withServer<T>(start: ServerStart, talk: (ask: Ask) => Promise<T>): Promise<T> {
  const { program, folder, cwd, env } = start;
  const [command, ...words] = program;
  const password = randomHex(24);
  const child = spawn(command!, [...words, "serve", "--port", "0", "--hostname", "127.0.0.1"], {
    cwd,
    env: {
      ...env,
      ...(folder === null ? {} : { [homeVariable]: dirname(folder) }),
      [passwordVariable]: password,
    },
    stdio: ["ignore", "pipe", "ignore"],
    timeout: limits.opencodeServerMs,
    killSignal: "SIGKILL",
  });
  const ended = new Promise<Error | null>((done) => {
    child.once("error", done);
    child.once("close", () => done(null));
  });
  try {
    const port = await Promise.race([portIn(child.stdout), ended.then(refuseEnded)]);
    return await talk(async (method, path, body) => {
      const timeoutMs = limits.opencodeServerMs;
      const answer = await askHttp({ port, method, path, user, password, body, timeoutMs });
      if (answer?.sent !== true) throw new HiveError(`opencode serve did not answer ${method} ${path}`);
      const found = objectOrNull(answer.body);
      if (answer.status < 300) return found ?? {};
      const why = textOrNull(objectOrNull(found?.data)?.message) ?? `status ${answer.status}`;
      throw new HiveError(`opencode refused ${method} ${path}: ${why}`);
    });
  } finally {
    child.kill("SIGTERM");
    await ended;
  }
}

/** `opencode server listening on http://127.0.0.1:4096` */
async function portIn(output: NodeJS.ReadableStream): Promise<number> {
  for await (const line of createInterface({ input: output })) {
    const [, port] = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? [];
    if (port !== undefined) return Number(port);
  }
  return refuseEnded(null);
}

function refuseEnded(error: Error | null): never {
  throw new HiveError(`opencode serve could not be started${error === null ? "" : `: ${error.message}`}`);
}
