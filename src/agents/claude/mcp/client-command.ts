// Runs a command of the client itself that ends by itself, such as `claude mcp remove`.

import { execFile } from "node:child_process";
import { HiveError } from "../../../base/errors.js";
import { harmless } from "../../../base/text/escape-terminal.js";
import { limits } from "../../../limits.js";
import { claudeProgram } from "../launch.js";

/** Throws what the client says if it fails. */
export function runClient(env: NodeJS.ProcessEnv, args: readonly string[]): Promise<void> {
  const [program, ...before] = claudeProgram(env) as [string, ...string[]];
  const bounds = { timeout: limits.clientCommandMs, killSignal: "SIGKILL", maxBuffer: 64 * 1024 } as const;
  // It only has to change a file.
  const quiet = { DISABLE_AUTOUPDATER: "1", CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1" };
  return new Promise((resolve, reject) => {
    const options = { env: { ...env, ...quiet }, encoding: "utf8", ...bounds } as const;
    const child = execFile(program, [...before, ...args], options, (error, stdout, stderr) => {
      if (error === null) return resolve();
      const said = harmless(`${stderr}${stdout}`.trim().split("\n").at(-1) || error.message);
      reject(
        new HiveError(`the client refused: ${said}`, {
          hint: `it ran: claude ${args.slice(0, 2).join(" ")}`,
          cause: error,
        }),
      );
    });
    child.stdin?.on("error", () => {});
    child.stdin?.end();
  });
}
