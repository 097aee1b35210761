// Programs as a shell would find them, and what they say their version is.

import { execFile } from "node:child_process";
import { accessSync, constants, realpathSync, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { limits } from "../limits.js";

/** Every program of that name in PATH, the one that runs first; links to one and the same count once. */
export function onPath(name: string, { PATH = "" }: NodeJS.ProcessEnv): string[] {
  const found = new Map<string, string>();
  // A relative folder in PATH means another program in every folder it is used from.
  for (const folder of PATH.split(delimiter).filter(isAbsolute)) {
    const path = join(folder, name);
    const real = isProgram(path) ? realpathSync(path) : null;
    if (real !== null && !found.has(real)) found.set(real, path);
  }
  return [...found.values()];
}

/** The first line it prints, whatever its exit code: screen ends with 1 after its version. Null when it says nothing. */
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

/** Null for a build that names none, such as `tmux master`. */
export function versionIn(text: string): Version | null {
  const match = /(\d+)\.(\d+)/.exec(text);
  return match === null ? null : { major: Number(match[1]), minor: Number(match[2]) };
}

export function isOlder(version: Version, than: Version): boolean {
  return version.major < than.major || (version.major === than.major && version.minor < than.minor);
}

export function installCommand(name: string): string {
  return process.platform === "darwin" ? `brew install ${name}` : `sudo apt-get install ${name}`;
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
