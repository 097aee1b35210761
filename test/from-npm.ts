// Real programs from npm as judges, unpacked once into a cache of our own.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

export interface NpmProgram {
  /** The folder of the cache. */
  name: string;
  version: string;
  /** What npm installs, without the version. */
  package: string;
  /** The program, below `node_modules`. */
  program: string;
}

/** The path of the program. A version that cannot be had is an error, never a test that was left out. */
export async function installFromNpm(wanted: NpmProgram): Promise<string> {
  const folder = join(programCache(), wanted.name, wanted.version);
  const program = join(folder, "node_modules", wanted.program);
  if (existsSync(program)) return program;

  // Unpacked beside, then renamed as a whole: two runs may both fetch, neither sees half a program.
  mkdirSync(dirname(folder), { recursive: true });
  const unpacked = mkdtempSync(`${folder}.`);
  try {
    await fetchInto(unpacked, `${wanted.package}@${wanted.version}`);
    try {
      renameSync(unpacked, folder);
    } catch (error) {
      if (!existsSync(program)) throw error;
    }
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
  if (!existsSync(program))
    throw new Error(`npm brought ${wanted.package} ${wanted.version}, but without ${wanted.program}`);
  return program;
}

export function programCache(): string {
  return process.env.HIVEMIND_CLIENT_CACHE ?? fileURLToPath(new URL("../.cache", import.meta.url));
}

/** The newest version of a major that the registry has. */
export async function newestOnNpm(name: string, major: number): Promise<string> {
  const { stdout } = await promisify(execFile)("npm", ["view", `${name}@${major}`, "version", "--json"], {
    env: npmEnv(),
    timeout: 60_000,
  });
  const versions: string[] = [JSON.parse(stdout)].flat();
  const newest = versions.sort((one, other) => one.localeCompare(other, "en", { numeric: true })).at(-1);
  if (newest === undefined) throw new Error(`the registry has no ${name} ${major}`);
  return newest;
}

async function fetchInto(folder: string, wanted: string): Promise<void> {
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"];
  try {
    await promisify(execFile)("npm", ["install", "--prefix", folder, ...flags, wanted], {
      cwd: folder,
      env: npmEnv(),
      timeout: 300_000,
    });
  } catch (cause) {
    throw new Error(
      `npm could not install ${wanted}, and without the real program these tests prove nothing`,
      { cause },
    );
  }
}

/** npm finds its registry in the user's own configuration, so that much of the environment is let through. */
function npmEnv(): Record<string, string> {
  const wanted =
    /^(PATH|HOME|npm_config_(registry|userconfig|globalconfig|cache)|(https?|no)_proxy|NODE_EXTRA_CA_CERTS)$/i;
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => wanted.test(entry[0])),
  );
}
