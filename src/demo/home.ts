// A temporary home: a folder with its own tmux server, stores and client files.
//
// - Nothing of the user's is read or written: home, stores, client files and tmux socket are all in the folder.
// - The next run of the same kind removes what a killed run left: its server and its folder.
// - A running one is left alone. So is a folder that may not be ours: one with another form of name, one that is
//   unreadable, or one without an owner file that holds something we do not make.
// - A temporary folder that is unusable is refused before anything is made in it.

import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as rest } from "node:timers/promises";
import { errorCode, HiveError } from "../base/errors.js";
import { readLock } from "../base/files/lock.js";
import { fateOf, identityText, ownIdentity, parseIdentity } from "../base/system/process-identity.js";
import { harmless } from "../base/text/escape-terminal.js";
import { shellWord } from "../base/text/shell-word.js";
import { limits } from "../limits.js";
import { storePaths, watchLockPath } from "../stores/file/folder.js";
import { isEnding, isTmuxError } from "../tmux/error.js";
import { killServer } from "../tmux/server.js";
import { openTmux } from "../tmux/tmux.js";

/** A fleet to look at, or a trial of the client. */
export type Purpose = "demo" | "probe";

export interface ThrowAwayHome {
  root: string;
  /** The folder its agents work in. */
  workFolder: string;
  socket: string;
  /** For every program that should see only this home. */
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
  // Where it cannot be known, nothing is made.
  const owner = identityText(ownIdentity());
  const root = using(temporaryFolder, () => mkdtempSync(start));
  writeFileSync(join(root, "owner"), owner);
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
      PATH: `${folder("bin")}:${env.PATH ?? "/usr/local/bin:/usr/bin:/bin"}`,
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

/** Places a `hivemind` that sees only this home, for the home's own shells and other terminals. Returns its path. */
export function placeCommand({ root, env }: ThrowAwayHome, program: readonly string[]): string {
  const path = join(root, "bin", "hivemind");
  const variables = Object.entries(env).map(([name, value]) => `${name}=${shellWord(value)}`);
  const words = ["exec env", ...variables, ...program.map(shellWord), '"$@"'];
  writeFileSync(path, `#!/bin/sh\n${words.join(" ")}\n`);
  chmodSync(path, 0o755);
  return path;
}

/** Ends the watcher and the server first: they and the agents write into the folder until they end. */
export async function removeThrowAwayHome(root: string): Promise<void> {
  await endWatcher(root);
  const socket = socketIn(root);
  try {
    // If the path is too long for a socket, no server was ever started.
    if (!isTooLong(socket)) await killServer(openTmux({ socket }));
  } catch (error) {
    // Without tmux no server was started either.
    const isGone = isTmuxError(error, "no-server") || isTmuxError(error, "missing");
    if (!isGone && !(isTmuxError(error, "failed") && isEnding(error))) throw error;
  }
  // Agents that are ending still write; `maxRetries` alone does not list a folder again.
  for (let tries: number = limits.endingTries; ; tries--) {
    try {
      rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await rest(limits.endNoticeRestMs);
    }
  }
}

async function endWatcher(root: string): Promise<void> {
  const lock = watchLockPath(storePaths({ HIVEMIND_CONFIG_DIR: join(root, "config") }));
  const holder = readLock(lock)?.holder ?? null;
  if (holder === null || fateOf(holder) !== "alive") return;
  process.kill(holder.pid, "SIGTERM");
  const deadline = performance.now() + limits.demoWatcherEndMs;
  while (fateOf(holder) === "alive") {
    if (performance.now() > deadline) process.kill(holder.pid, "SIGKILL");
    await rest(limits.endNoticeRestMs);
  }
}

/** Resolves to the removed folders. */
export async function removeLeftHomes(
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

const folderNames = ["bin", "work", "home", "tmp", "cache", "config", "client"] as const;
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
    hint: "put another one before the command: TMPDIR=/tmp",
  });
}

/** The owner file is written right after the folder is made; if it is missing, the run was killed in between. */
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
    // It is gone meanwhile, or we may not read it.
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
