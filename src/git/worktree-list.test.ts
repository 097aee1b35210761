import { expect, test } from "vitest";
import { parseWorktrees, placeIn } from "./worktree-list.js";

const listed = (...each: string[][]) => each.map((lines) => `${lines.join("\0")}\0\0`).join("");
const main = ["worktree /r", "HEAD aa", "branch refs/heads/main"];
const place = (text: string, branch = "feature/x", isThere = true) =>
  placeIn(parseWorktrees(text), { branch, within: "sub" }, () => isThere);

test("the worktree of a branch is beside its repository, and the folder keeps its place in it", () => {
  expect(place(listed(main), "feature/x", false)).toEqual({
    repository: "/r",
    branch: "feature/x",
    path: "/r.worktrees/feature/x",
    folder: "/r.worktrees/feature/x/sub",
    is: "make",
  });
  const own = ["worktree /r.worktrees/feature/x", "HEAD bb", "branch refs/heads/feature/x"];
  expect(place(listed(main, own))).toMatchObject({ is: "there" });
  expect(place(listed(main, own), "feature/x", false)).toMatchObject({ is: "again" });
});

test("one that is still being created, or was interrupted, does not count yet, with or without its folder", () => {
  const half = ["worktree /r.worktrees/x", "HEAD bb", "branch refs/heads/x", "locked initializing"];
  for (const isThere of [true, false])
    expect(place(listed(main, half), "x", isThere)).toMatchObject({ is: "unfinished" });
  const kept = [...half.slice(0, 3), "locked on a stick"];
  expect(place(listed(main, kept), "x")).toMatchObject({ is: "there" });
  expect(place(listed(main, [...half.slice(0, 3), "locked"]), "x")).toMatchObject({ is: "there" });
});

test.each([
  ["the branch of the repository itself", listed(main), "main", "the branch main is checked out in /r"],
  [
    "a branch that is checked out elsewhere",
    listed(main, ["worktree /else", "branch refs/heads/x"]),
    "x",
    "the branch x is checked out in /else",
  ],
  ["a folder that is not a worktree", listed(main), "x", "/r.worktrees/x exists and is not a worktree"],
  [
    "a worktree of another branch",
    listed(main, ["worktree /r.worktrees/x", "HEAD cc", "detached"]),
    "x",
    "/r.worktrees/x has no branch checked out, not x",
  ],
  ["a bare repository", listed(["worktree /r", "bare"]), "x", "its repository has no main worktree"],
])("%s is refused", (_, text, branch, why) => expect(place(text, branch)).toBe(why));
