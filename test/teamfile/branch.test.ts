import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { fits, forms } from "../../src/teamfile/forms.js";
import { testHome } from "../home.js";

const names = [
  ...[
    "main",
    "feature/login-2.0",
    "a_b",
    "é",
    "a@b",
    "@a",
    "a{b",
    "x.locked",
    "Head",
    "HEAD/x",
    "a|b",
    "a'b",
    "#1",
  ],
  ...["HEAD", "-a", "a b", "/a", "a/", "a//b", "a..b", ".a", "a/.b", "a.", "a.lock", "a.lock/b", "a@{b"],
  ...["a~b", "a^b", "a:b", "a?b", "a*b", "a[b", "a\\b", "a\tb", "a\u007fb", "a/-b"],
];

test("a branch name is valid if git accepts it", () => {
  const { env } = testHome();
  const isTakenByGit = (name: string) =>
    spawnSync("git", ["check-ref-format", "--branch", name], { env, cwd: env.HOME }).status === 0;
  const judged = names.map((name) => [name, isTakenByGit(name)]);
  expect(names.map((name) => [name, fits(forms.branch, name)])).toEqual(judged);
});
