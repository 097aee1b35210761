import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lookAtWorktree } from "../../src/git/worktree.js";
import { addWorktree, removeWorktree } from "../../src/git/worktree-change.js";
import { type WorktreePlace, worktreePlace } from "../../src/git/worktree-list.js";
import { type TestHome, testHome } from "../home.js";
import { idFor, writtenTeam } from "./written.js";

function git({ env, work }: TestHome, ...args: string[]): string {
  const who = ["-c", "user.name=me", "-c", "user.email=me@example.org", "-c", "init.defaultBranch=main"];
  return execFileSync("git", [...who, ...args], { cwd: work, env, encoding: "utf8", stdio: "pipe" });
}

function repository(home: TestHome): void {
  git(home, "init", "-q");
  mkdirSync(join(home.work, "sub"));
  writeFileSync(join(home.work, "sub", "file"), "text\n");
  git(home, "add", "sub");
  git(home, "commit", "-q", "-m", "first");
}

async function placeOf(home: TestHome, branch: string, folder = home.work): Promise<WorktreePlace> {
  const place = await worktreePlace(folder, branch, home);
  if (typeof place === "string") throw new Error(place);
  return place;
}

test("a new branch starts at the repository's HEAD; an existing one is checked out", async () => {
  const home = testHome();
  expect(await worktreePlace(home.work, "x", home)).toContain("is not in a git repository");
  repository(home);
  git(home, "branch", "old");
  git(home, "commit", "-q", "--allow-empty", "-m", "second");
  const sub = join(home.work, "sub");
  for (const [branch, message] of [
    ["feature/new", "second"],
    ["old", "first"],
  ] as const) {
    await addWorktree(await placeOf(home, branch, sub), home);
    const place = await placeOf(home, branch, sub);
    expect(place).toMatchObject({ is: "there", folder: join(`${home.work}.worktrees`, branch, "sub") });
    expect(existsSync(join(place.folder, "file"))).toBe(true);
    expect(git(home, "-C", place.path, "log", "-1", "--format=%s")).toBe(`${message}\n`);
    // Inside one of them the others have the same paths.
    expect(await placeOf(home, branch, place.folder)).toEqual(place);
  }
  expect(await worktreePlace(home.work, "main", home)).toBe(`the branch main is checked out in ${home.work}`);
  rmSync((await placeOf(home, "old")).path, { recursive: true });
  await addWorktree(await placeOf(home, "old"), home);
  expect(await placeOf(home, "old")).toMatchObject({ is: "there" });
});

test("a worktree with work in it is never removed; one without work is", async () => {
  const home = testHome();
  repository(home);
  const made = async (branch: string) => {
    await addWorktree(await placeOf(home, branch), home);
    return placeOf(home, branch);
  };
  const check = async (branch: string, work: (path: string) => void, why: string | null) => {
    const place = await made(branch);
    work(place.path);
    expect([branch, await removeWorktree(place, home)]).toEqual([branch, why]);
    expect(existsSync(place.path)).toBe(why !== null);
  };
  const commit = (path: string) => git(home, "-C", path, "commit", "-q", "--allow-empty", "-m", path);
  await check("clean", () => {}, null);
  await check("untracked", (path) => writeFileSync(join(path, "new"), ""), "1 file changed or untracked");
  await check(
    "changed",
    (path) => writeFileSync(join(path, "sub", "file"), "x"),
    "1 file changed or untracked",
  );
  await check("ahead", commit, "1 commit not pushed and not merged");
  await check(
    "merged",
    (path) => {
      commit(path);
      git(home, "merge", "-q", "--ff-only", "merged");
    },
    null,
  );
  await check(
    "pushed",
    (path) => {
      commit(path);
      git(home, "clone", "-q", "--bare", home.work, join(home.root, "far"));
      git(home, "remote", "add", "origin", join(home.root, "far"));
      git(home, "fetch", "-q", "origin", "+refs/heads/*:refs/remotes/origin/*");
    },
    null,
  );
  await check(
    "detached",
    (path) => {
      git(home, "-C", path, "checkout", "-q", "--detach");
      commit(path);
    },
    "1 commit not pushed and not merged",
  );
});

test("ignored files count as work, and are reported with the command that removes the worktree anyway", async () => {
  const home = testHome();
  repository(home);
  await addWorktree(await placeOf(home, "x"), home);
  const place = await placeOf(home, "x");
  writeFileSync(join(home.work, ".git", "info", "exclude"), ".env*\nnotes/\n");
  mkdirSync(join(place.path, "notes"));
  for (const name of [".env", "notes/a", "notes/b"]) writeFileSync(join(place.path, name), "mine");
  const command = `git -C ${home.work} worktree remove ${place.path}`;
  expect(await removeWorktree(place, home)).toBe(
    `2 ignored by git would be lost: .env, notes/; to remove them anyway: ${command}`,
  );
  expect(existsSync(join(place.path, "notes", "a"))).toBe(true);
  for (const at of [1, 2, 3, 4]) writeFileSync(join(place.path, `.env${at}`), "");
  expect(await removeWorktree(place, home)).toContain("6 ignored by git would be lost: .env, .env1, .env2");
  git(home, ...command.split(" ").slice(1));
  expect(existsSync(place.path)).toBe(false);
});

test("an unfinished worktree is reported, and the printed command removes it", async () => {
  const home = testHome();
  repository(home);
  const add = git(home, "worktree", "add", "-q", "-b", "x", `${home.work}.worktrees/x`);
  git(home, "worktree", "lock", "--reason", "initializing", `${home.work}.worktrees/x`);
  expect([add, await placeOf(home, "x")]).toMatchObject(["", { is: "unfinished" }]);
  await expect(addWorktree(await placeOf(home, "x"), home)).rejects.toThrow("is still being created");
  git(home, "worktree", "remove", "-f", "-f", `${home.work}.worktrees/x`);
  expect(await placeOf(home, "x")).toMatchObject({ is: "make" });
});

test("a git that is ended by a signal is not a machine without git", async () => {
  const home = testHome();
  repository(home);
  writeFileSync(join(home.root, "git"), "#!/bin/sh\nkill -9 $$\n", { mode: 0o755 });
  const ended = { env: { ...home.env, PATH: `${home.root}:${home.env.PATH}` } };
  expect(await worktreePlace(home.work, "x", ended)).toContain("git was ended by SIGKILL");
  expect(await lookAtWorktree(home.work, ended)).toMatchObject({ unknown: "git was ended by SIGKILL" });
  const without = { env: { ...home.env, PATH: home.work } };
  expect(await worktreePlace(home.work, "x", without)).toContain("git is not installed");
});

test("two agents with worktrees of one repository share no folder and no conversation", () => {
  const team = writtenTeam({ one: ["worktree: one"], two: ["worktree: two"], three: ["worktree: two"] });
  const { home, run } = team;
  repository(home);
  const { code, stderr } = run("up");
  expect([code, stderr]).toEqual([
    1,
    expect.stringContaining("! three: two already works on the branch two"),
  ]);
  const folder = (branch: string) => join(`${home.work}.worktrees`, branch);
  expect(team.agents()).toMatchObject({
    one: { cwd: folder("one"), uuid: idFor("one") },
    two: { cwd: folder("two"), uuid: idFor("two") },
  });
  expect(run("send", "one", "--wait", "hello").code).toBe(0);

  // Work in it, or a pane in it, keeps a worktree.
  writeFileSync(join(folder("two"), "notes"), "mine");
  home.tmux("new-session", "-d", "-s", "mine", "-c", folder("one"), "cat");
  const kept = run("down", "--worktrees");
  expect(kept.code).toBe(1);
  expect(kept.stderr).toContain(`! one: kept the worktree ${folder("one")}: mine:0.0 works in it`);
  expect(kept.stderr).toContain(`! two: kept the worktree ${folder("two")}: 1 file changed or untracked`);
  home.tmux("kill-session", "-t", "=mine");
  rmSync(join(folder("two"), "notes"));
  team.write({ one: ["worktree: one"], two: ["worktree: two"] });
  expect(run("down", "--worktrees")).toMatchObject({ code: 0, stderr: "" });
  expect([existsSync(folder("one")), existsSync(folder("two"))]).toEqual([false, false]);
  expect(run("up", "one")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("resumes its conversation"),
  });
});

test("down leaves every worktree by default", () => {
  const team = writtenTeam({ one: ["kind: shell", "worktree: one"] });
  repository(team.home);
  expect(team.run("up").code).toBe(0);
  expect(team.run("down")).toMatchObject({ code: 0 });
  expect(existsSync(join(`${team.home.work}.worktrees`, "one", "sub", "file"))).toBe(true);
});

test("a repository without commits has no worktrees, and the plan says so", () => {
  const team = writtenTeam({ lead: [], dev: ["worktree: feature"] });
  const { home, run } = team;
  git(home, "init", "-q");
  const plan = run("plan");
  expect(plan.code).toBe(1);
  expect(plan.stdout).toContain(`! refuse dev: ${home.work} has no commits yet`);
  expect(plan.stdout).toContain("+ add lead");
  git(home, "commit", "-q", "--allow-empty", "-m", "first");
  expect(run("plan").code).toBe(0);
  // The checked-out branch has no commit; another one has.
  git(home, "branch", "feature");
  git(home, "symbolic-ref", "HEAD", "refs/heads/empty");
  expect(run("plan").code).toBe(0);
});
