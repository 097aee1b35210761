// Other versions of tmux than the machine's, as Debian has them now.

import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type DebianSuite, unpackedFromDebian, withOwnLibraries } from "./debian.js";
import { programCache } from "./from-npm.js";

/** `machine` is what PATH has. Debian 13 has 3.5a, which prints control characters of a format in another way. */
export const tmuxVersions = ["machine", "trixie", "sid"] as const;

export type TmuxVersion = (typeof tmuxVersions)[number];

/** A folder with that tmux, to be put in front of PATH; null for the machine's own. */
export async function tmuxFolder(version: TmuxVersion): Promise<string | null> {
  return version === "machine" ? null : folderOf(version);
}

async function folderOf(suite: DebianSuite): Promise<string> {
  const argv = withOwnLibraries(await unpackedFromDebian(suite, "tmux"), join("usr", "bin", "tmux"));
  const folder = join(programCache(), "debian", suite, "bin");
  const path = join(folder, "tmux");
  if (existsSync(path)) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `#!/bin/sh\nexec ${argv.map((word) => `'${word}'`).join(" ")} "$@"\n`);
  chmodSync(path, 0o755);
  return folder;
}
