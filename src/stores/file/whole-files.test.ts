import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { contentsOf } from "../../../test/contents.js";
import { testHome } from "../../../test/home.js";
import { copyNew, moveByCopy, moveNew } from "./whole-files.js";

function tree() {
  const { root } = testHome();
  const [from, to] = [join(root, "from"), join(root, "new", "to")];
  mkdirSync(join(from, "deep"), { recursive: true });
  writeFileSync(join(from, "deep", "a"), "a", { mode: 0o600 });
  symlinkSync("/etc/hostname", join(from, "link"));
  const longAgo = new Date("2020-01-01");
  utimesSync(join(from, "deep", "a"), longAgo, longAgo);
  return { from, to, longAgo };
}

const moves = [
  ["moved", moveNew],
  ["moved to another disk", moveByCopy],
  ["copied", (from: string, to: string) => copyNew(from, to, { keepsTimes: true })],
] as const;

test.each(moves)("nothing is replaced if a file is %s", (_, act) => {
  const { from, to } = tree();
  mkdirSync(to, { recursive: true });
  writeFileSync(`${to}.file`, "mine");
  const before = [contentsOf(from), contentsOf(join(to, ".."))];
  expect(() => act(from, to)).toThrow(/EEXIST/);
  expect(() => act(join(from, "deep", "a"), `${to}.file`)).toThrow(/EEXIST/);
  expect([contentsOf(from), contentsOf(join(to, ".."))]).toEqual(before);
});

test.each(moves.slice(0, 2))(
  "a file that is %s arrives unchanged, and is gone from its old place",
  (_, act) => {
    const { from, to, longAgo } = tree();
    const before = contentsOf(from);
    act(from, to);
    expect(contentsOf(from)).toEqual({});
    expect(contentsOf(to)).toEqual(before);
    expect(Object.keys(contentsOf(join(to, ".."))).filter((name) => name.includes(".tmp"))).toEqual([]);
    const { mtime, mode } = statSync(join(to, "deep", "a"));
    expect([mtime, mode & 0o777]).toEqual([longAgo, 0o600]);
  },
);

test.each(moves)("a link is %s as a link", (_, act) => {
  const { from, to } = tree();
  act(from, to);
  expect(lstatSync(join(to, "link")).isSymbolicLink()).toBe(true);
  expect(readlinkSync(join(to, "link"))).toBe("/etc/hostname");
});

/** Root may unlink anything, so as root another user does the move. */
function asNobody(paths: string[], work: () => void): void {
  const isRoot = process.geteuid!() === 0;
  if (isRoot) for (const path of paths) chownSync(path, 65_534, 65_534);
  if (isRoot) process.seteuid!(65_534);
  try {
    work();
  } finally {
    if (isRoot) process.seteuid!(0);
  }
}

test("a file that cannot be removed stays only where it was, and the error says so", () => {
  const { from, to } = tree();
  const file = join(from, "deep", "a");
  mkdirSync(dirname(to));
  const before = contentsOf(from);
  chmodSync(dirname(from), 0o755);
  chmodSync(dirname(file), 0o555);
  const told = (path: string) =>
    expect.objectContaining({
      name: "HiveError",
      message: expect.stringMatching(`^could not move ${path} to ${to}: E[A-Z]+: .* unlink '${path}'$`),
      hint: `check whether you can write there: ls -ld ${dirname(path)}`,
    });
  asNobody([file, dirname(to)], () => expect(() => moveNew(file, to)).toThrow(told(file)));
  chmodSync(dirname(file), 0o755);
  expect(contentsOf(from)).toEqual(before);
  expect(contentsOf(dirname(to))).toEqual({});
  // On another disk.
  expect(() => moveNew("/proc/version", to)).toThrow(told("/proc/version"));
  expect(contentsOf(dirname(to))).toEqual({});
});
