// The real client as a judge: pinned versions from npm, unpacked once into a cache of our own.

import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The newest that npm gives to Node 20, and the newest whose screens and files were looked at. */
export const clientVersions = ["2.1.197", "2.1.325"] as const;
export type ClientVersion = (typeof clientVersions)[number];

/** The path of the program. A version that cannot be had is an error, never a test that was left out. */
export async function installClient(version: ClientVersion): Promise<string> {
  const cache =
    process.env.HIVEMIND_CLIENT_CACHE ?? fileURLToPath(new URL("../../.cache/client", import.meta.url));
  const folder = join(cache, version);
  const program = join(folder, "node_modules", "@anthropic-ai", packageName, "claude");
  if (existsSync(program)) return program;

  // Unpacked beside, then renamed as a whole: two runs may both fetch, neither sees half a program.
  mkdirSync(cache, { recursive: true });
  const unpacked = mkdtempSync(join(cache, `${version}.`));
  try {
    await fetchInto(unpacked, version);
    try {
      renameSync(unpacked, folder);
    } catch (error) {
      if (!existsSync(program)) throw error;
    }
  } finally {
    rmSync(unpacked, { recursive: true, force: true });
  }
  if (!existsSync(program)) throw new Error(`npm brought ${packageName} ${version}, but without a program`);
  return program;
}

// The program itself. The package `claude-code` around it refuses newer versions on Node 20.
const packageName = `claude-code-${process.platform}-${process.arch}`;

async function fetchInto(folder: string, version: string): Promise<void> {
  const wanted = `@anthropic-ai/${packageName}@${version}`;
  const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--ignore-scripts"];
  try {
    await promisify(execFile)("npm", ["install", "--prefix", folder, ...flags, wanted], {
      cwd: folder,
      env: npmEnv(),
      timeout: 300_000,
    });
  } catch (cause) {
    throw new Error(
      `npm could not install ${wanted}, and without the real client these tests prove nothing`,
      {
        cause,
      },
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
