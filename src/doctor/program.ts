// Reads the versions of programs.

import { execFile } from "node:child_process";
import { limits } from "../limits.js";

/**
 * The first line it prints, whatever its exit code: screen ends with 1 after its version. Null if it prints nothing.
 */
export function versionLine(program: string, flag: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const bounds = { timeout: limits.versionMs, killSignal: "SIGKILL", maxBuffer: 64 * 1024 } as const;
  return new Promise((resolve) => {
    const child = execFile(program, [flag], { env, encoding: "utf8", ...bounds }, (_error, stdout, stderr) =>
      resolve(`${stdout}${stderr}`.trim().split("\n")[0] || null),
    );
    child.stdin?.on("error", () => {});
    child.stdin?.end();
  });
}

export interface Version {
  major: number;
  minor: number;
}

/** Null for a build without a version, such as `tmux master`. */
export function versionIn(text: string): Version | null {
  const match = /(\d+)\.(\d+)/.exec(text);
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]) };
}

export function isOlder(version: Version, than: Version): boolean {
  return version.major < than.major || (version.major === than.major && version.minor < than.minor);
}
