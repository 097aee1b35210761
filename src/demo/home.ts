// A home to throw away: a temporary folder with a tmux server, stores and client files of its own.
//
// [DH1] Nothing of the user's is read or written: home, stores, client files and tmux socket all lie in the folder.
// [DH2] What a run that was killed left behind (server and folder) is taken away by the next one of its kind; one that
//       still runs is left alone.

import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode } from "../base/errors.js";
import { fateOf, identityText, ownIdentity, parseIdentity } from "../base/process-identity.js";
import { isTmuxError } from "../tmux/error.js";
import { killServer } from "../tmux/server.js";
import { openTmux } from "../tmux/tmux.js";

/** What it is for: a fleet to look at, or a client that is tried out. */
export type Purpose = "demo" | "probe";

export interface ThrowAwayHome {
  root: string;
  /** The folder its agents work in. */
  workFolder: string;
  socket: string;
  /** For everything that shall see this home and nothing else. */
  env: Record<string, string>;
}

export function makeThrowAwayHome(
  purpose: Purpose,
  env: NodeJS.ProcessEnv,
  temporaryFolder: string = tmpdir(),
): ThrowAwayHome {
  const root = mkdtempSync(join(temporaryFolder, prefixOf(purpose)));
  writeFileSync(join(root, "owner"), identityText(ownIdentity()));
  const folder = (name: string) => {
    const path = join(root, name);
    mkdirSync(path);
    return path;
  };
  const socket = join(root, "tmux.sock");
  return {
    root,
    socket,
    workFolder: folder("work"),
    env: {
      PATH: env.PATH ?? "/usr/local/bin:/usr/bin:/bin",
      HOME: folder("home"),
      TMPDIR: folder("tmp"),
      XDG_CACHE_HOME: folder("cache"),
      LANG: "C.UTF-8",
      TERM: env.TERM ?? "xterm-256color",
      SHELL: "/bin/sh",
      HIVEMIND_CONFIG_DIR: folder("config"),
      HIVEMIND_TMUX_SOCKET: socket,
      CLAUDE_CONFIG_DIR: folder("client"),
    },
  };
}

/** Ends the server first: its agents write into the folder until they end. */
export async function removeThrowAwayHome(root: string): Promise<void> {
  try {
    await killServer(openTmux({ socket: join(root, "tmux.sock") }));
  } catch (error) {
    // Without a tmux to ask there was none to start a server either.
    if (!isTmuxError(error, "no-server") && !isTmuxError(error, "missing")) throw error;
  }
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
}

/** Resolves to the folders that were taken away. */
export async function sweepLeftHomes(
  purpose: Purpose,
  temporaryFolder: string = tmpdir(),
): Promise<string[]> {
  const left = findLeftHomes(purpose, temporaryFolder);
  for (const root of left) await removeThrowAwayHome(root);
  return left;
}

/** Those whose owner is dead. */
export function findLeftHomes(purpose: Purpose, temporaryFolder: string = tmpdir()): string[] {
  return readdirSync(temporaryFolder)
    .filter((name) => name.startsWith(prefixOf(purpose)))
    .map((name) => join(temporaryFolder, name))
    .filter(isLeftBehind);
}

function prefixOf(purpose: Purpose): string {
  return `hivemind-${purpose}-`;
}

/** The owner is written within moments of making the folder; where there is none, it was killed right there. */
const ownerGraceMs = 60_000;

function isLeftBehind(root: string): boolean {
  try {
    const stat = lstatSync(root);
    if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return false;
    const owner = parseIdentity(readOwner(root));
    return owner === null ? Date.now() - stat.mtimeMs > ownerGraceMs : fateOf(owner) === "dead";
  } catch (error) {
    // It went away while we looked: its owner has ended, or another has swept it.
    if (errorCode(error) === "ENOENT") return false;
    throw error;
  }
}

function readOwner(root: string): string {
  try {
    return readFileSync(join(root, "owner"), "utf8");
  } catch {
    return "";
  }
}
