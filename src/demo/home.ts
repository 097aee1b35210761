// A home to throw away: a temporary folder with a tmux server, stores and client files of its own.
//
// [DH1] Nothing of the user's is read or written: home, stores, client files and tmux socket all lie in the folder.
// [DH2] What a run that was killed left behind (server and folder) is taken away by the next one of its kind; one that
//       still runs is left alone, and so is a folder that may be anybody's: of another form of name, without an owner but
//       with something in it that we do not make, or which cannot be read.
// [DH3] A temporary folder that cannot hold one is refused before anything is made in it.

import { lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errorCode, HiveError } from "../base/errors.js";
import { harmless } from "../base/harmless.js";
import { fateOf, identityText, ownIdentity, parseIdentity } from "../base/process-identity.js";
import { limits } from "../limits.js";
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
  const start = join(temporaryFolder, prefixOf(purpose));
  if (isTooLong(socketIn(`${start}XXXXXX`)))
    throw unusable(temporaryFolder, "its name is too long for a tmux socket");
  const root = using(temporaryFolder, () => mkdtempSync(start));
  writeFileSync(join(root, "owner"), identityText(ownIdentity()));
  const folder = (name: (typeof folderNames)[number]) => {
    const path = join(root, name);
    mkdirSync(path);
    return path;
  };
  const socket = socketIn(root);
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
  const socket = socketIn(root);
  try {
    // Where no socket can lie, no server was ever started.
    if (!isTooLong(socket)) await killServer(openTmux({ socket }));
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

export function findLeftHomes(purpose: Purpose, temporaryFolder: string = tmpdir()): string[] {
  const prefix = prefixOf(purpose);
  return using(temporaryFolder, () => readdirSync(temporaryFolder))
    .filter((name) => name.startsWith(prefix) && /^[A-Za-z0-9]{6}$/.test(name.slice(prefix.length)))
    .map((name) => join(temporaryFolder, name))
    .filter(isLeftBehind);
}

const folderNames = ["work", "home", "tmp", "cache", "config", "client"] as const;
const ownNames: readonly string[] = [...folderNames, "owner", "tmux.sock"];

function prefixOf(purpose: Purpose): string {
  return `hivemind-${purpose}-`;
}

function socketIn(root: string): string {
  return join(root, "tmux.sock");
}

function isTooLong(socket: string): boolean {
  return Buffer.byteLength(socket) > limits.socketPathBytes;
}

function using<T>(temporaryFolder: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    throw unusable(temporaryFolder, code);
  }
}

function unusable(temporaryFolder: string, why: string): HiveError {
  return new HiveError(`the temporary folder ${harmless(temporaryFolder)} cannot be used (${why})`, {
    hint: "name another one in front of the command: TMPDIR=/tmp",
  });
}

/** The owner is written within moments of making the folder; where there is none, it was killed right there. */
const ownerGraceMs = 60_000;

function isLeftBehind(root: string): boolean {
  try {
    const stat = lstatSync(root);
    if (!stat.isDirectory() || stat.uid !== process.getuid?.()) return false;
    const owner = parseIdentity(readOwner(root));
    if (owner !== null) return fateOf(owner) === "dead";
    const isOurs = readdirSync(root).every((name) => ownNames.includes(name));
    return isOurs && Date.now() - stat.mtimeMs > ownerGraceMs;
  } catch (error) {
    // It went away while we looked, or is not ours to look into.
    if (errorCode(error) !== undefined) return false;
    throw error;
  }
}

function readOwner(root: string): string {
  try {
    return readFileSync(join(root, "owner"), "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return "";
    throw error;
  }
}
