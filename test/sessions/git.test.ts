// What the real git says of real worktrees.

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lookAtWorktree, lookAtWorktrees } from "../../src/git/worktree.js";
import { type TestHome, testHome, until } from "../home.js";

function git(home: TestHome, folder: string, ...args: string[]): string {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...who, "-C", folder, ...args], {
    env: home.env,
    encoding: "utf8",
    stdio: "pipe",
  });
}

function repository(home: TestHome, name = "repo"): string {
  const folder = join(home.work, name);
  mkdirSync(folder);
  git(home, folder, "init", "-q");
  for (const file of ["a", "b"]) writeFileSync(join(folder, file), `${file}\n`);
  git(home, folder, "add", ".");
  git(home, folder, "commit", "-qm", "first");
  return folder;
}

test("branch, changed files and unpushed commits, separately per worktree", async () => {
  const home = testHome();
  const origin = repository(home, "origin");
  const clone = join(home.work, "clone");
  git(home, home.work, "clone", "-q", origin, clone);
  git(home, clone, "worktree", "add", "-q", "-b", "side", join(home.work, "tree"));
  git(home, clone, "commit", "-qm", "second", "--allow-empty");
  git(home, clone, "mv", "a", "c");
  writeFileSync(join(clone, "b"), "changed");
  mkdirSync(join(clone, "new"));
  for (const file of ["1", "2"]) writeFileSync(join(clone, "new", file), "");
  const folders = [clone, join(home.work, "tree"), join(clone, "new"), clone];
  const looks = await lookAtWorktrees(folders, home);
  expect(looks.size).toBe(3);
  expect(folders.slice(0, 3).map((folder) => looks.get(folder)?.worktree)).toEqual([
    { branch: "main", changedFiles: 3, unpushed: 1 },
    { branch: "side", changedFiles: 0, unpushed: null },
    { branch: "main", changedFiles: 3, unpushed: 1 },
  ]);
});

test("no repository, no git and no folder are three answers", async () => {
  const home = testHome();
  const nothing = { worktree: null, unknown: null, isGone: false };
  expect(await lookAtWorktree(home.work, home)).toEqual(nothing);
  const folder = repository(home);
  const withoutGit = { env: { ...home.env, PATH: home.work } };
  expect(await lookAtWorktree(folder, withoutGit)).toEqual(nothing);
  renameSync(folder, `${folder}-away`);
  expect(await lookAtWorktree(folder, home)).toEqual({ ...nothing, isGone: true });
});

test("git runs only inside a repository", async () => {
  const home = testHome();
  const folder = repository(home);
  const inside = join(folder, "deep", "deeper");
  mkdirSync(inside, { recursive: true });
  writeFileSync(join(home.root, "git"), `#!/bin/sh\necho "$@" >> ${home.root}/asked\n`, { mode: 0o755 });
  const env = { ...home.env, PATH: `${home.root}:${home.env.PATH}` };
  await lookAtWorktrees([home.work, home.root, inside], { env });
  expect(readFileSync(join(home.root, "asked"), "utf8").match(/-C \S+/g)).toEqual([`-C ${inside}`]);
});

test("nothing is written, and no program that the repository names is run", async () => {
  const home = testHome();
  const folder = repository(home);
  const canary = join(home.root, "canary");
  const script = join(home.root, "script");
  writeFileSync(script, `#!/bin/sh\ntouch ${canary}\n`);
  chmodSync(script, 0o755);
  git(home, folder, "config", "core.fsmonitor", script);
  git(home, folder, "config", "core.pager", script);
  writeFileSync(join(folder, ".git/hooks/post-index-change"), readFileSync(script), { mode: 0o755 });
  // A file with other times makes git want to write its index again.
  utimesSync(join(folder, "a"), 1, 1);
  const index = readFileSync(join(folder, ".git/index"));
  const env = { ...home.env, GIT_DIR: join(home.work, "elsewhere"), GIT_TRACE: canary };
  expect((await lookAtWorktree(folder, { env })).worktree).toMatchObject({ branch: "main", changedFiles: 0 });
  expect(readFileSync(join(folder, ".git/index")).equals(index)).toBe(true);
  expect(existsSync(canary)).toBe(false);
});

test("a git that does not answer gives unknown, and its process is ended", async () => {
  const home = testHome();
  const folder = repository(home);
  const slow = join(home.root, "git");
  writeFileSync(slow, `#!/bin/sh\n[ -n "$PID_FILE" ] && echo $$ > "$PID_FILE"\nexec sleep 1000\n`, {
    mode: 0o755,
  });
  const env = { ...home.env, PATH: `${home.root}:${home.env.PATH}` };
  const unknown = { worktree: null, isGone: false };
  expect(await lookAtWorktree(folder, { env, timeoutMs: 1 })).toEqual({
    ...unknown,
    unknown: "git took longer than 1 ms",
  });
  const pidFile = join(home.root, "pid");
  const stop = new AbortController();
  const asked = lookAtWorktree(folder, { env: { ...env, PID_FILE: pidFile }, signal: stop.signal });
  const pid = Number(
    await until("it runs", () => (existsSync(pidFile) && readFileSync(pidFile, "utf8").trim()) || null),
  );
  stop.abort();
  expect(await asked).toEqual({ ...unknown, unknown: "git was stopped" });
  await until("it has ended", () => !isAlive(pid));
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
